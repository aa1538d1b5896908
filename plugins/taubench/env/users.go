package env

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// directory finds users by properties that no tool changes: e-mail address and name.
type directory struct {
	byEmail map[string]string   // lower case → the first user with it
	byName  map[string][]string // "first\x00last" in lower case → users in order
}

func readDirectory(d *Database) *directory {
	dir := &directory{byEmail: map[string]string{}, byName: map[string][]string{}}
	for _, id := range d.tableKeys("users") {
		dir.addUser(id, d.rawRow("users", id))
	}
	return dir
}

func (dir *directory) addUser(id, raw string) {
	err := jsonval.Members(raw, func(key, raw string) bool {
		switch key {
		case "email":
			if email, _ := py.Parse(raw); email != nil {
				e := strings.ToLower(py.Str(email))
				if _, taken := dir.byEmail[e]; !taken {
					dir.byEmail[e] = id
				}
			}
		case "name":
			name := parseObject("users", id, raw)
			n := nameKey(py.Index(name, "first_name"), py.Index(name, "last_name"))
			dir.byName[n] = append(dir.byName[n], id)
		}
		return true
	})
	if err != nil {
		panic(&DataError{Table: "users", Key: id, Err: err})
	}
}

func nameKey(first, last py.Value) string { return py.Lower(first) + "\x00" + py.Lower(last) }

// findByEmail returns the id of the user with an email address. If there is no such user,
// it raises an exception with the text missing.
func findByEmail(c *call, missing string) py.Value {
	id, ok := c.s.db.directory().byEmail[py.Lower(c.argValue("email"))]
	if !ok {
		py.Raise("%s", missing)
	}
	return id
}

// findByNameZip returns the id of the first user with a name and a zip code. The zip code
// is that of the user's current address. If there is no such user, findByNameZip raises
// an exception with the text missing.
func findByNameZip(c *call, missing string) py.Value {
	for _, id := range c.s.db.directory().byName[nameKey(c.argValue("first_name"), c.argValue("last_name"))] {
		user := c.s.findRow("users", id)
		if py.Equal(py.Index(py.Index(user, "address"), "zip"), c.argValue("zip")) {
			return id
		}
	}
	py.Raise("%s", missing)
	return nil
}
