package readcmd

import "strings"

// checks runs the check that a row names on what was scanned.
func checks(name string, s *scan) string {
	switch name {
	case "date": // any other operand sets the clock
		for _, w := range s.operands {
			if !strings.HasPrefix(w.Text, "+") {
				return "an operand that sets the clock"
			}
		}
	case "number":
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Trim(w.Text, digits+".smhd") != "" {
				return "an operand that is not a number"
			}
		}
	case "plain": // NAME=VALUE sets
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Contains(w.Text, "=") {
				return "an operand that may set a value"
			}
		}
	case "page": // a name with a slash is a file, which may name preprocessors
		for _, w := range s.operands {
			if w.Kind != Literal || strings.Contains(w.Text, "/") {
				return "a page that may be a file"
			}
		}
	case "local": // HOST:FILE is fetched by a remote shell
		for _, text := range s.texts() {
			if strings.Contains(text, ":") {
				return "an archive on another machine"
			}
		}
	case "registry": // anything else is fetched by the git that a project may name
		for _, w := range s.operands {
			scope, name, scoped := strings.Cut(w.Text, "/")
			if w.Kind != Literal || strings.Contains(w.Text, ":") || scoped && (scope[:min(1, len(scope))] != "@" || strings.Contains(name, "/")) {
				return "a package that is not the registry's"
			}
		}
	case "ip":
		return ipShows(s.operands)
	case "format":
		return s.formats()
	case "branch":
		if len(s.operands) > 0 && !s.option1("--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at") && !(s.row.name == "git tag" && s.option1("-l")) {
			return "a name that it creates"
		}
		return s.formats()
	case "config":
		if len(s.operands) == 2 && s.operands[0].is("get") { // older versions have no name without a dot
			return ""
		}
		if len(s.operands) > 1 && !s.option1("--get", "--get-all", "--get-regexp", "--get-urlmatch") {
			return "a value that it sets"
		}
	case "ghapi":
		return s.ghGets()
	}
	return ""
}

// option1 reports whether one of these options was given.
func (s *scan) option1(names ...string) bool {
	for _, o := range s.options {
		for _, n := range names {
			if o == n {
				return true
			}
		}
	}
	return false
}

// texts are the options, their values and the operands, as far as they are known.
func (s *scan) texts() []string {
	texts := s.options
	for _, w := range s.operands {
		texts = append(texts, w.Text)
	}
	return texts
}

// formats holds formats with which git runs a program to verify signatures.
func (s *scan) formats() string {
	for _, text := range s.texts() {
		if strings.Contains(text, "%G") || strings.Contains(text, "(signature") {
			return "a format that runs a program"
		}
	}
	return ""
}

// ipShows accepts OBJECT [show …].
func ipShows(words []Word) string {
	for i, w := range words {
		if w.Kind != Literal {
			return "a word that only a shell could tell"
		}
		switch i {
		case 0:
			switch w.Text {
			case "a", "addr", "address", "l", "link", "r", "route", "ro", "n", "neigh", "neighbour", "rule", "maddr", "tunnel":
				continue
			}
			return "the object " + clip(w.Text)
		case 1:
			switch w.Text {
			case "s", "sh", "show", "list", "ls", "l":
				continue
			}
			return "the command " + clip(w.Text)
		}
	}
	if len(words) == 0 {
		return "no object"
	}
	return ""
}

// ghGets accepts a path of GitHub's REST interface.
func (s *scan) ghGets() string {
	if len(s.operands) == 0 || s.operands[0].Text == "" || strings.HasPrefix(s.operands[0].Text, "graphql") {
		return "a query that may change something"
	}
	return ""
}
