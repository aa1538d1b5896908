package playground

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Script joins a module and everything it imports into one text that imports
// nothing, so that the page can be a single file. Each module becomes a function
// of its own, so that equal names in two modules do not collide:
//
//	const m1 = (() => { …; return { el, icon }; })();
//
// It knows the forms that the page uses: import {…} from a relative path, one on
// each line, and export before a const, class or function. Any other form is an
// error, and so is a module that imports itself. The same sources give the same
// text.
func Script(entry string) (string, error) {
	b := bundler{names: map[string]string{}}
	if err := b.add(entry); err != nil {
		return "", err
	}
	return b.out.String(), nil
}

var (
	importForm = regexp.MustCompile(`(?m)^import \{([^}]*)\} from "(\.\.?/[^"]+)";$`)
	exportForm = regexp.MustCompile(`(?m)^export ((?:async )?function\*? |class |const )([\w$]+)`)
	otherForm  = regexp.MustCompile(`(?m)^\s*(?:import|export)\b.*|import\.meta|await import\(`)
)

type bundler struct {
	out   strings.Builder
	made  int
	names map[string]string // of a module in the text; "" while what it imports is added
}

// add puts a module into the text, after what it imports, once.
func (b *bundler) add(file string) error {
	if name, known := b.names[file]; known {
		if name == "" {
			return fmt.Errorf("%s imports itself in a circle", file)
		}
		return nil
	}
	b.names[file] = ""
	data, err := Files.ReadFile(file)
	if err != nil {
		return err
	}
	text := lines(string(data))
	for _, m := range importForm.FindAllStringSubmatch(text, -1) {
		if err := b.add(path.Join(path.Dir(file), m[2])); err != nil {
			return err
		}
	}
	body, exports := b.resolve(file, text)
	if m := otherForm.FindString(body); m != "" {
		return fmt.Errorf("%s: cannot join %q", file, strings.TrimSpace(m))
	}
	b.made++
	name := fmt.Sprintf("m%d", b.made)
	b.names[file] = name
	fmt.Fprintf(&b.out, "const %s = (() => {\n%s\nreturn { %s };\n})();\n", name, strings.TrimSpace(body), strings.Join(exports, ", "))
	return nil
}

// resolve turns a module's imports into constants and returns the names it exports.
func (b *bundler) resolve(file, text string) (body string, exports []string) {
	text = importForm.ReplaceAllStringFunc(text, func(line string) string {
		m := importForm.FindStringSubmatch(line)
		return fmt.Sprintf("const {%s} = %s;", strings.ReplaceAll(m[1], " as ", ": "), b.names[path.Join(path.Dir(file), m[2])])
	})
	for _, m := range exportForm.FindAllStringSubmatch(text, -1) {
		exports = append(exports, m[2])
	}
	return exportForm.ReplaceAllString(text, "$1$2"), exports
}

// lines ends every line in a line feed alone, however the sources were checked
// out: a browser reads them so, and hashes what it reads.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
