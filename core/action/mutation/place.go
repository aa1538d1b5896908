package mutation

import "strings"

// places collects the places that the members of a call name, in any order and depth. One
// path is what a tool reads. A second one whose name says target, local or the like (path
// with target_path), or one beside an address, may be a file to write.
type places struct {
	source, address, key, bucket  bool   // what the call reads
	sure, target, beside, further string // the members that may receive the result: of any call, beside a source, an address, a key
}

// note records what a member of a call means for the places that the call names. The
// argument s is the text of the member. If s is empty, note does nothing.
func (p *places) note(m *members, name, s string) {
	t := memberWords(name)
	if len(t) == 0 || s == "" {
		return
	}
	last := t[len(t)-1]
	path := memberKind(name) == pathMember
	if !path && last != "key" && last != "bucket" && last != "url" && last != "uri" && !oneOf(t[0], targetWords) || m.named("compare diff") {
		return
	}
	file := path && isListed(last, outputPlaceList)
	onlyFile := file && strings.HasPrefix(last, "file")
	root := s[0] == '/' || s[0] == '~' || strings.HasPrefix(s[1:], ":\\")
	p.key = p.key || last == "key"
	p.bucket = p.bucket || last == "bucket"
	switch {
	case len(t) == 1 && (last == "url" || last == "uri"):
		p.address = p.address || strings.Contains(s, "://")
		p.source = true
	case m.isTarget(t):
		p.target = name
	case path && !holdsFiles(t):
		p.source = true
	}
	if file && t[0] == "response" && !m.named("response") || onlyFile && m.named("browser network") {
		p.sure = name
	}
	if file && root && m.named("attachment artifact recording screenshot snapshot capture") {
		p.sure = name
	}
	if file && (root || onlyFile && m.named("fetch")) {
		p.beside = name
	}
	if file && !holdsFiles(t) {
		p.further = name
	}
}

// receiver returns the name of a member that may receive the result, or "".
func (p *places) receiver() string {
	switch {
	case p.sure != "":
		return p.sure
	case p.source && p.target != "":
		return p.target
	case p.address && p.beside != "":
		return p.beside
	case p.key && p.bucket:
		return p.further
	}
	return ""
}

// isTarget reports whether a member's name t may mean a file that receives the result,
// such as target_path. If the tool is named after such files, the result is false. For
// example, get_log reads the file in log_file.
func (m *members) isTarget(t []string) bool {
	return oneOf(t[0], targetWords) && !m.named(t[0]) && (len(t) == 1 && oneOf(t[0], "dst dest into") || len(t) > 1 && isListed(t[len(t)-1], outputPlaceList))
}

const targetWords = "target dst dest into to result log trace backup local har" // before a file that receives the result

// holdsFiles reports whether a member's name means a place for files, such as a
// repository or a directory.
func holdsFiles(t []string) bool {
	return anyOf(t, func(w string) bool {
		return oneOf(w, "repo repository root cwd workdir base dir directory folder site host workspace project")
	})
}
