package playground

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Script returns a module and all modules that it imports, directly or indirectly, as one
// text without imports. A page can then be a single file. Each module becomes a separate
// function, so equal names in two modules do not collide:
//
//	const m1 = (() => { …; return { el, icon }; })();
//
// An import must have the form import {…} from a relative path, on one line. An export
// must stand before a const, class or function. Any other import or export is an error,
// and so is an import cycle. The same sources always give the same text.
func Script(entry string) (string, error) {
	b := bundler{names: map[string]string{}}
	if err := b.addModule(entry); err != nil {
		return "", err
	}
	return b.out.String(), nil
}

var (
	importForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^import \{([^}]*)\} from "(\.\.?/[^"]+)";$`) })
	exportForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^export ((?:async )?function\*? |class |const )([\w$]+)`)
	})
	otherForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:import|export)\b.*|import\.meta|await import\(`)
	})
)

type bundler struct {
	out   strings.Builder
	made  int
	names map[string]string // the function's name by module file; "" while the module's imports are added
}

// addModule appends a module to the text, after the modules that it imports. It does
// nothing if the text already contains the module.
func (b *bundler) addModule(file string) error {
	if name, known := b.names[file]; known {
		if name == "" {
			return fmt.Errorf("%s is part of an import cycle", file)
		}
		return nil
	}
	b.names[file] = ""
	data, err := Files.ReadFile(file)
	if err != nil {
		return err
	}
	text := replaceCRLF(string(data))
	for _, m := range importForm().FindAllStringSubmatch(text, -1) {
		if err := b.addModule(path.Join(path.Dir(file), m[2])); err != nil {
			return err
		}
	}
	body, exports := b.resolveImports(file, text)
	if m := otherForm().FindString(body); m != "" {
		return fmt.Errorf("%s: cannot join %q: want import {…} from a relative path, or export before a const, class or function", file, strings.TrimSpace(m))
	}
	b.made++
	name := fmt.Sprintf("m%d", b.made)
	b.names[file] = name
	fmt.Fprintf(&b.out, "const %s = (() => {\n%s\nreturn { %s };\n})();\n", name, strings.TrimSpace(body), strings.Join(exports, ", "))
	return nil
}

// resolveImports replaces a module's imports by constants and removes the word export. It
// returns the new text and the names that the module exports.
func (b *bundler) resolveImports(file, text string) (body string, exports []string) {
	text = importForm().ReplaceAllStringFunc(text, func(line string) string {
		m := importForm().FindStringSubmatch(line)
		return fmt.Sprintf("const {%s} = %s;", strings.ReplaceAll(m[1], " as ", ": "), b.names[path.Join(path.Dir(file), m[2])])
	})
	for _, m := range exportForm().FindAllStringSubmatch(text, -1) {
		exports = append(exports, m[2])
	}
	return exportForm().ReplaceAllString(text, "$1$2"), exports
}

// replaceCRLF replaces each CRLF by LF. A browser does the same before it hashes a
// script, so the hash does not depend on how the sources were checked out.
func replaceCRLF(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
