package uses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func usesOf(t *testing.T, tool, key, text string) string {
	t.Helper()
	v, err := jsonval.Parse(`{"` + key + `":` + jsonval.Quoted(text) + `}`)
	if err != nil {
		t.Fatal(err)
	}
	c := similarity.NewCall(tool, v, "", "")
	all, _ := Of(&c)
	var out []string
	for _, u := range all {
		out = append(out, fmt.Sprintf("%s %s %d", u.Noun, u.Value, u.Does))
	}
	return strings.Join(out, ", ")
}

// TestUses checks what commands and statements are read to do with what they name, and that each
// beginning of them is read, too.
func TestUses(t *testing.T) {
	for _, c := range [][3]string{
		{"bash", "cp -r data backup", "name data 0, name backup 1"},
		{"bash", "sudo rm -rf ./data/", "path data 4"},
		{"bash", "mv a.txt /b/ && rm -- c/*", "path a.txt 4, path /b 1, path c 4"},
		{"bash", "pg_dump prod > prod.sql", "path prod.sql 1, name prod 0"},
		{"bash", "cd repo && git add . && git commit -m 'x y' && git push origin main", "git repository repo 5, git repository repo 6, git repository repo 7"},
		{"bash", "kubectl delete pod web", "name delete 0, name pod 4, name web 4"},
		{"bash", "echo hi; ls -la /tmp", ""},
		{"run_query", "INSERT INTO b SELECT * FROM a JOIN c ON a.x = c.x", "table b 1, table a 0, table c 0"},
		{"run_query", "DROP TABLE IF EXISTS \"A\"; DELETE FROM b WHERE id = 1; DELETE FROM c", "table a 4, table b 3, table c 4"},
		{"run_query", "CREATE TABLE bak AS SELECT * FROM orders", "table bak 1, table orders 0"},
		{"run_query", "UPDATE a SET x = 1", "table a 2"},
	} {
		key := "command"
		if c[0] == "run_query" {
			key = "sql"
		}
		if got := usesOf(t, c[0], key, c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", c[1], got, c[2])
		}
		for i := range len(c[1]) {
			usesOf(t, c[0], key, c[1][:i])
			usesOf(t, c[0], key, c[1][i:])
		}
	}
	if got := usesOf(t, "send_message", "text", "drop table a"); got != "" {
		t.Errorf("a message: %q", got)
	}
}
