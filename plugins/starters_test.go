package plugins_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/host"
	"github.com/boundcheck/boundcheck/plugins/skeleton"
)

// compilerPrograms maps each language to the programs that compile a new plugin in it.
// BOUNDCHECK_RUSTC and BOUNDCHECK_ASC may name compilers that are not on PATH.
// AssemblyScript's compiler may also come from the npm packages of the tests.
func compilerPrograms() map[string][]string {
	asc, _ := filepath.Abs(filepath.FromSlash("../node_modules/.bin/asc"))
	if _, err := os.Stat(asc); err != nil {
		asc = "asc"
	}
	return map[string][]string{
		"go":             {"go"},
		"c":              {"clang", "wasm-ld"},
		"rust":           {cmp.Or(os.Getenv("BOUNDCHECK_RUSTC"), "rustc")},
		"assemblyscript": {cmp.Or(os.Getenv("BOUNDCHECK_ASC"), asc)},
	}
}

// buildStarter creates a new plugin in a language and builds it. It returns nil if there
// is no compiler for the language.
func buildStarter(t *testing.T, lang string) []byte {
	t.Helper()
	skip := func(why string) []byte {
		t.Logf("SKIPPED: %s, the starter in %s is NOT built", why, lang)
		return nil
	}
	for _, program := range compilerPrograms()[lang] {
		if _, err := exec.LookPath(program); err != nil {
			return skip("no " + program)
		}
	}
	dir := filepath.Join(t.TempDir(), lang)
	if _, _, err := host.Skeleton("starter", lang, dir); err != nil {
		t.Fatal(err)
	}
	line := host.SkeletonBuild("starter", lang)
	for name, program := range map[string]string{"npx asc": compilerPrograms()["assemblyscript"][0], "rustc ": compilerPrograms()["rust"][0] + " "} {
		if rest, ok := strings.CutPrefix(line, name); ok {
			line = program + rest
		}
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		if lang == "rust" && bytes.Contains(out, []byte("can't find crate for `std`")) {
			return skip("this rustc has no target wasm32-unknown-unknown")
		}
		t.Fatalf("%s: %s: %v\n%s", lang, line, err, out)
	}
	wasm, err := os.ReadFile(filepath.Join(dir, "starter.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// TestStarters compiles plugins with four compilers, which takes seconds. It checks that the
// new plugins in four languages keep the contract and return the same answers to random
// requests. There are 300 requests, or as many as BOUNDCHECK_STARTERS says.
func TestStarters(t *testing.T) {
	ctx := context.Background()
	h := openHost(t, host.Options{Limits: host.Limits{Deadline: time.Minute}}) // other tests use the machine at the same time
	n := 300
	if v := os.Getenv("BOUNDCHECK_STARTERS"); v != "" {
		n, _ = strconv.Atoi(v)
	}
	requests := randomRequests(n)
	var first []any
	var from string
	for _, lang := range skeleton.Languages() {
		wasm := buildStarter(t, lang)
		if wasm == nil {
			continue
		}
		p, all := h.Verify(ctx, wasm, host.Manifest{Name: "starter"})
		for _, v := range all {
			if v.Err != nil {
				t.Errorf("%s: %s: %v", lang, v.Name, v.Err)
			}
		}
		if p == nil {
			continue
		}
		var answers []any
		var took []time.Duration
		for _, r := range requests {
			began := time.Now()
			b, err := p.Raw(ctx, r)
			took = append(took, time.Since(began))
			if err != nil {
				t.Fatalf("%s: %v\n%s", lang, err, r)
			}
			answers = append(answers, decodeMeaning(t, b))
		}
		slices.Sort(took)
		var z bytes.Buffer
		w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
		w.Write(wasm)
		w.Close()
		t.Logf("%-14s %8d bytes, %7d gzip, %d checks; of %d answers the median took %v, the 99th percentile %v",
			lang, len(wasm), z.Len(), len(all), n, took[n/2].Round(time.Microsecond), took[n*99/100].Round(time.Microsecond))
		if first == nil {
			first, from = answers, lang
			continue
		}
		for i := range answers {
			if !reflect.DeepEqual(answers[i], first[i]) {
				t.Fatalf("request %d: %s answers\n%v\n%s\n%v\n%s", i, lang, answers[i], from, first[i], requests[i])
			}
		}
	}
	if first == nil {
		t.Error("no starter was built")
	}
}

// decodeMeaning decodes an answer so that answers in different languages can be compared.
// It ignores the order of members, the escapes in texts, and the message of an error.
func decodeMeaning(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var a map[string]any
	if err := d.Decode(&a); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if e, refused := a["error"].(map[string]any); refused {
		return e["code"]
	}
	return a
}

// randomRequests returns n requests for equivalence.check and state.replay. The two sides
// of a request are often partly equal, because there are few different names and values.
func randomRequests(n int) (all [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var value func(depth int) string
	value = func(depth int) string {
		switch k := r.IntN(9); {
		case k < 3:
			return pick("1", "2", "1.50", "-0", "12345678901234567890", "1e3", "0.1")
		case k < 6:
			return pick(`"a"`, `"b"`, `""`, `"\u00e9"`, `"é"`, `"x\ny"`, `"\ud83d\ude00"`, `"\\\""`, `"<&>"`, `"\u0001"`)
		case k == 6:
			return pick("true", "false", "null")
		case depth > 2:
			return "{}"
		case k == 7:
			return "[" + value(depth+1) + "," + value(depth+1) + "]"
		}
		return fmt.Sprintf(`{"%s":%s, "%s":%s}`, pick("k", "l"), value(depth+1), pick("k", "l", "ä"), value(depth+1))
	}
	object := func() string {
		return fmt.Sprintf(`{"id":%s,"%s":%s}`, pick("1", "2", `"a"`), pick("x", "id", "y"), value(0))
	}
	action := func() string {
		s := `{"name":"` + pick("cancel_order", "create_order", "get_order", "list_orders", "other") + `"`
		switch r.IntN(8) {
		case 0: // none
		case 1:
			s += `,"arguments":null`
		case 2:
			text, _ := json.Marshal(object())
			s += `,"arguments":` + string(text)
		case 3:
			s += `,"arguments":` + pick(`"no object"`, `""`, `"{"`, `"null"`, `"[1]"`, `7`)
		default:
			s += `,"arguments":` + object()
		}
		return s + pick("", "", `,"failed":true`, `,"failed":false`, `,"requestor":"user"`, `,"later":{}`) + "}"
	}
	list := func(n int) (s string) {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = action()
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for range n {
		obs, ref := r.IntN(7), r.IntN(7)
		var rows []string
		for range r.IntN(9) {
			rows = append(rows, fmt.Sprintf(`{"op":"match","obs":%d,"ref":%d}`, r.IntN(obs+1+r.IntN(60)/59)-1, r.IntN(ref+1)-1))
		}
		texts := func() string {
			var parts []string
			for range r.IntN(4) {
				parts = append(parts, pick(`"a"`, `"ab"`, `"b c"`, `"é"`, `"12"`))
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		more := pick("", "", `,"recorded":true`, `,"recorded":false`, `,"recorded":null`, `,"environment":""`, `,"environment":"e"`, `,"outputs":7`, `,"observed":{}`)
		all = append(all, []byte(fmt.Sprintf(`{"op":"%s","observed":%s,"reference":%s,"outputs":%s,"replies":%s,"alignment":[%s]%s}`,
			pick(abi.OpEquivalenceCheck, abi.OpEquivalenceCheck, abi.OpStateReplay), list(obs), list(ref), texts(), texts(), strings.Join(rows, ","), more)))
	}
	return all
}
