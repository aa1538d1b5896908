package wire

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/boundcheck/boundcheck/core/report"
)

// appendJSON appends a value as JSON text, byte for byte as a json.Encoder that does not
// escape HTML. A report has many small structs, and this takes a quarter of the encoder's
// instructions for them. It hands each type that it does not know to the encoder.
func appendJSON(b []byte, v reflect.Value) []byte {
	if !v.IsValid() {
		return append(b, "null"...)
	}
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return writerOf(v.Type())(b, held.UnsafePointer())
}

// writer appends the value of one type to which p points. It reads the memory instead of a
// reflect.Value, which takes as many instructions as the text of a small value.
type writer func(b []byte, p unsafe.Pointer) []byte

// valueAt returns the value of a type in memory.
func valueAt(t reflect.Type, p unsafe.Pointer) reflect.Value { return reflect.NewAt(t, p).Elem() }

var writers sync.Map // from reflect.Type to writer

// writerOf returns the writer of a type. While it makes the writer of a type that holds
// itself, the inner one looks up the finished one.
func writerOf(t reflect.Type) writer {
	if known, ok := writers.Load(t); ok {
		return known.(writer)
	}
	writers.Store(t, writer(func(b []byte, p unsafe.Pointer) []byte { return writerOf(t)(b, p) }))
	w := newWriter(t)
	writers.Store(t, w)
	return w
}

func newWriter(t reflect.Type) writer {
	if encodesItself(t) {
		return newForeignWriter(t)
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(b []byte, p unsafe.Pointer) []byte { return strconv.AppendBool(b, *(*bool)(p)) }
	case reflect.Int:
		return func(b []byte, p unsafe.Pointer) []byte { return strconv.AppendInt(b, int64(*(*int)(p)), 10) }
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, p unsafe.Pointer) []byte { return strconv.AppendInt(b, valueAt(t, p).Int(), 10) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(b []byte, p unsafe.Pointer) []byte { return strconv.AppendUint(b, valueAt(t, p).Uint(), 10) }
	case reflect.Float64:
		return func(b []byte, p unsafe.Pointer) []byte { return appendFloat(b, *(*float64)(p)) }
	case reflect.String:
		return func(b []byte, p unsafe.Pointer) []byte { return appendString(b, *(*string)(p)) }
	case reflect.Interface:
		return func(b []byte, p unsafe.Pointer) []byte { return appendJSON(b, valueAt(t, p).Elem()) }
	case reflect.Pointer:
		return newPointerWriter(t)
	case reflect.Slice:
		return newSliceWriter(t)
	case reflect.Map:
		return newMapWriter(t)
	case reflect.Struct:
		return newStructWriter(t)
	}
	return newForeignWriter(t)
}

// encodesItself reports whether a type decides its own JSON text.
func encodesItself(t reflect.Type) bool {
	if t == reflect.TypeFor[json.Number]() {
		return true
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return implementsMarshaler(t)
	}
	return implementsMarshaler(t) || implementsMarshaler(reflect.PointerTo(t))
}

func implementsMarshaler(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// newForeignWriter returns a writer that uses a json.Encoder. It panics if the encoder fails,
// which never happens with the types of this project: only a NaN or a cycle can fail.
func newForeignWriter(t reflect.Type) writer {
	return func(b []byte, p unsafe.Pointer) []byte {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(reflect.NewAt(t, p).Interface()); err != nil { // the pointer, because its methods count, too
			panic(err)
		}
		return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
	}
}

func newPointerWriter(t reflect.Type) writer {
	inner := writerOf(t.Elem())
	return func(b []byte, p unsafe.Pointer) []byte {
		to := *(*unsafe.Pointer)(p)
		if to == nil {
			return append(b, "null"...)
		}
		return inner(b, to)
	}
}

func newSliceWriter(t reflect.Type) writer {
	if t.Elem().Kind() == reflect.Uint8 { // base64
		return newForeignWriter(t)
	}
	inner, size := writerOf(t.Elem()), t.Elem().Size()
	return func(b []byte, p unsafe.Pointer) []byte {
		list := *(*[]struct{})(p) // only its address and its length are used
		if list == nil {
			return append(b, "null"...)
		}
		b = append(b, '[')
		first := unsafe.Pointer(unsafe.SliceData(list))
		from := len(b)
		for i := range len(list) {
			if i > 0 {
				b = append(b, ',')
			}
			if i == sampled {
				b = reserveFor(b, from, len(list)-i)
			}
			b = inner(b, unsafe.Add(first, uintptr(i)*size))
		}
		return append(b, ']')
	}
}

func newMapWriter(t reflect.Type) writer {
	if t.Key().Kind() != reflect.String || encodesItself(t.Key()) {
		return newForeignWriter(t)
	}
	inner := writerOf(t.Elem())
	return func(b []byte, p unsafe.Pointer) []byte {
		v := valueAt(t, p)
		if v.IsNil() {
			return append(b, "null"...)
		}
		members := make(map[string]unsafe.Pointer, v.Len())
		for it := v.MapRange(); it.Next(); {
			held := reflect.New(t.Elem())
			held.Elem().SetIterValue(it)
			members[it.Key().String()] = held.UnsafePointer()
		}
		b = append(b, '{')
		for i, name := range slices.Sorted(maps.Keys(members)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, name), ':')
			b = inner(b, members[name])
		}
		return append(b, '}')
	}
}

// member is one field of a struct.
type member struct {
	offset uintptr
	name   []byte                    // a comma, the name as JSON text, and a colon
	empty  func(unsafe.Pointer) bool // whether omitempty omits the value; nil without omitempty
	text   bool                      // a plain string
	write  writer
}

// newStructWriter returns the writer of a struct. It leaves a struct with embedded fields
// or with rare options to the encoder.
func newStructWriter(t reflect.Type) writer {
	members := membersOf(t)
	if members == nil {
		return newForeignWriter(t)
	}
	return func(b []byte, p unsafe.Pointer) []byte { return appendMembers(b, p, members) }
}

// membersOf returns the members of a struct, or nil if only the encoder can write them.
func membersOf(t reflect.Type) []member {
	members := []member{}
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous, options != "" && options != "omitempty", strings.ContainsFunc(name, isUnusual):
			return nil
		case tag == "-" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		if seen[name] {
			return nil
		}
		seen[name] = true
		plain := f.Type.Kind() == reflect.String && !encodesItself(f.Type)
		m := member{offset: f.Offset, name: append(appendString([]byte{','}, name), ':'), text: plain, write: writerOf(f.Type)}
		if options != "" {
			m.empty = emptyTest(f.Type)
		}
		members = append(members, m)
	}
	return members
}

// isUnusual reports whether a character of a name in a tag has a meaning of its own, or
// may have one.
func isUnusual(r rune) bool {
	return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

func appendMembers(b []byte, p unsafe.Pointer, members []member) []byte {
	b = append(reserve(b, 256), '{')
	comma := 1 // without it
	for i := range members {
		m := &members[i]
		field := unsafe.Add(p, m.offset)
		if m.empty != nil && m.empty(field) {
			continue
		}
		b = append(b, m.name[comma:]...)
		comma = 0
		if m.text {
			b = appendString(b, *(*string)(field))
		} else {
			b = m.write(b, field)
		}
	}
	return append(b, '}')
}

// WriteReport writes what Marshal returns for a report to w, a part after each run, so that the
// text of a large file need not be in memory. It ignores the errors of w.
func WriteReport(w io.Writer, r *report.Report) {
	const part = 1 << 16
	b, comma := []byte{'{'}, 1 // the first member has none
	run := writerOf(reflect.TypeFor[report.Trajectory]())
	for _, m := range membersOf(reflect.TypeFor[report.Report]()) {
		field := unsafe.Add(unsafe.Pointer(r), m.offset)
		if m.empty != nil && m.empty(field) {
			continue
		}
		b = append(b, m.name[comma:]...)
		comma = 0
		if field != unsafe.Pointer(&r.Trajectories) || r.Trajectories == nil {
			b = m.write(b, field)
			continue
		}
		b = append(b, '[')
		for i := range r.Trajectories {
			if i > 0 {
				b = append(b, ',')
			}
			if b = run(b, unsafe.Pointer(&r.Trajectories[i])); len(b) >= part {
				w.Write(b)
				b = b[:0]
			}
		}
		b = append(b, ']')
	}
	w.Write(append(b, "}\n"...))
}

// reserve makes room for n bytes, and then for as many as there are: a report is copied a few
// times while it grows. A large one grows by quarters, because both copies must fit in the
// memory of an isolate.
func reserve(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	if more := len(b); more < largeAnswer {
		return slices.Grow(b, more+n)
	}
	return slices.Grow(b, len(b)/4+n)
}

const largeAnswer = 4 << 20

// sampled is after how many elements of a list the size of the others is known well enough.
const sampled = 64

// reserveFor makes room for n further elements of a list of which the first ones, sampled in number, begin
// at an offset: as much as those take, and an eighth, but at most mostReserved, because the others may be
// small.
func reserveFor(b []byte, from, n int) []byte {
	if more := (len(b) - from) / sampled * n; more >= largeAnswer {
		return reserve(b, min(more+more/8, mostReserved))
	}
	return b
}

const mostReserved = 32 << 20

// emptyTest returns a function that reports whether omitempty omits a value of a type.
func emptyTest(t reflect.Type) func(unsafe.Pointer) bool {
	switch t.Kind() {
	case reflect.String:
		return func(p unsafe.Pointer) bool { return *(*string)(p) == "" }
	case reflect.Slice:
		return func(p unsafe.Pointer) bool { return len(*(*[]struct{})(p)) == 0 }
	case reflect.Bool:
		return func(p unsafe.Pointer) bool { return !*(*bool)(p) }
	case reflect.Pointer:
		return func(p unsafe.Pointer) bool { return *(*unsafe.Pointer)(p) == nil }
	case reflect.Map, reflect.Array:
		return func(p unsafe.Pointer) bool { return valueAt(t, p).Len() == 0 }
	case reflect.Struct:
		return nil
	}
	return func(p unsafe.Pointer) bool { return valueAt(t, p).IsZero() }
}

// appendFloat appends a number in the encoder's form, which is that of JavaScript.
func appendFloat(b []byte, f float64) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		panic("a number that JSON does not have: " + strconv.FormatFloat(f, 'g', -1, 64))
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-09 is e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// appendString appends a text as a JSON string. It copies eight bytes at a time, up to the
// first that JSON or the encoder writes in another form. There is always room for the rest of
// the text and eight bytes more.
func appendString(b []byte, s string) []byte {
	if cap(b)-len(b) < len(s)+16 { // not in reserve, which is not inlined
		b = reserve(b, len(s)+16)
	}
	b = append(b, '"')
	i := 0
	for i+8 <= len(s) {
		n := len(b)
		w := binary.LittleEndian.Uint64([]byte(s[i : i+8]))
		binary.LittleEndian.PutUint64(b[n:n+8], w)
		found := unusual(w)
		if found == 0 {
			b, i = b[:n+8], i+8
			continue
		}
		k := bits.TrailingZeros64(found) / 8
		if c := s[i+k]; c == '"' || c == '\\' {
			b = b[:n+k+2]
			b[n+k], b[n+k+1] = '\\', c
			i += k + 1
		} else {
			b, i = appendEscaped(b[:n+k], s, i+k)
		}
		if cap(b)-len(b) < len(s)-i+16 {
			b = reserve(b, len(s)-i+16)
		}
	}
	if rest := len(s) - i; rest > 0 && len(s) >= 8 { // the last eight bytes, of which rest are new
		w := binary.LittleEndian.Uint64([]byte(s[len(s)-8:])) >> (64 - 8*rest)
		if unusual(w|ones*' '<<(8*rest)) == 0 {
			n := len(b)
			binary.LittleEndian.PutUint64(b[n:n+8], w)
			b, i = b[:n+rest], len(s)
		}
	}
	for i < len(s) {
		if c := s[i]; c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			b = append(b, c)
			i++
			continue
		}
		b, i = appendEscaped(b, s, i)
	}
	return append(b, '"')
}

// appendEscaped appends the character at s[i], which may need another form. It returns the
// index of the next one.
func appendEscaped(b []byte, s string, i int) ([]byte, int) {
	c := s[i]
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c), i + 1
	case c < utf8.RuneSelf:
		return appendControl(b, c), i + 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
		b = append(b, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	} else {
		b = append(b, s[i:i+size]...)
	}
	return b, i + size
}

// unusual returns a number whose lowest set bit belongs to the first of the eight bytes of w
// that is a quote, a backslash, a control character or outside of ASCII. It is 0 if there is
// none.
func unusual(w uint64) uint64 {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote - ones) | (slash - ones) | (w - ones*0x20) | w) & highs
}

const hex = "0123456789abcdef"

func appendControl(b []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
