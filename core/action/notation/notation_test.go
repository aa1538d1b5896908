package notation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func statement(t *testing.T, s string) []string {
	t.Helper()
	tokens, ok := Statement(s)
	if !ok {
		t.Fatalf("%s is not read", s)
	}
	return PlainStatement(tokens)
}

// TestStatements is the law that a statement in another notation is the same, and one with a changed
// digit never is. It draws conditions, and writes each one twice.
func TestStatements(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 21))
	columns := []string{"a", "b", "c.d", "note"}
	mirror := map[string]string{"=": "=", "<>": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
	comparison := func() (one, two string) {
		column, n := columns[r.IntN(4)], 10+r.IntN(80)
		switch r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s IN (%d, %d)", column, n, n+7), fmt.Sprintf("%s in (%d,%d)", column, n+7, n)
		case 1:
			return fmt.Sprintf("%s BETWEEN %d AND %d", column, n, n+7), fmt.Sprintf("(%d >= %s and %s >= %d)", n+7, column, column, n)
		case 2:
			return fmt.Sprintf("NOT (%s < %d)", column, n), fmt.Sprintf("%s >= %d", column, n)
		}
		ops := []string{"=", "<>", "<", "<=", ">", ">="}
		op := ops[r.IntN(len(ops))]
		return fmt.Sprintf("%s %s %d", column, op, n), fmt.Sprintf("%d %s %s", n, mirror[op], column)
	}
	var condition func(depth int) (one, two string)
	condition = func(depth int) (one, two string) {
		if depth == 0 {
			return comparison()
		}
		var ones, twos []string
		for range 2 + r.IntN(2) {
			x, y := condition(depth - 1)
			ones, twos = append(ones, "("+x+")"), append(twos, "("+y+")")
		}
		r.Shuffle(len(twos), func(i, k int) { twos[i], twos[k] = twos[k], twos[i] })
		word := []string{" AND ", " OR "}[r.IntN(2)]
		return strings.Join(ones, word), strings.Join(twos, strings.ToLower(word))
	}
	for range drawn.Cases(1000) {
		x, y := condition(r.IntN(3))
		one, two := statement(t, "DELETE FROM t WHERE "+x), statement(t, "delete from t where "+y+";")
		if !slices.Equal(one, two) {
			t.Fatalf("%s\n%s\n%q\n%q", x, y, one, two)
		}
		at := strings.LastIndexAny(y, "0123456789")
		changed := y[:at] + string('0'+(y[at]-'0'+1)%10) + y[at+1:]
		if slices.Equal(one, statement(t, "DELETE FROM t WHERE "+changed)) {
			t.Fatalf("%s equals %s", x, changed)
		}
	}
}

// TestStatementsApart checks statements that are the same, and others that are not.
func TestStatementsApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"SELECT a FROM t ORDER BY a ASC", "select a from t order by a", true},
		{"SELECT * FROM a INNER JOIN b ON a.i = b.k", "SELECT * FROM a JOIN b ON b.k = a.i", true},
		{"UPDATE t SET a = 1, b = 2 WHERE c = 3", "UPDATE t SET b = 2, a = 1 WHERE c = 3", true},
		{"UPDATE t SET a = 1, b = a WHERE c = 3", "UPDATE t SET b = a, a = 1 WHERE c = 3", false},
		{"INSERT INTO t (a, b) VALUES (1, 'x')", "insert into t (b, a) values ('x', 1)", true},
		{"INSERT INTO t (a, b) VALUES (1, 2)", "INSERT INTO t (a, b) VALUES (2, 1)", false},
		{"DELETE FROM t WHERE a = 1 AND b = 2 OR c = 3", "DELETE FROM t WHERE c = 3 OR b = 2 AND a = 1", true},
		{"DELETE FROM t WHERE a = 1 AND (b = 2 OR c = 3)", "DELETE FROM t WHERE a = 1 AND b = 2 OR c = 3", false},
		{"DELETE FROM t WHERE a NOT IN (1)", "DELETE FROM t WHERE a <> 1", true},
		{"DELETE FROM t WHERE a NOT IN (1)", "DELETE FROM t WHERE a IN (1)", false},
		{"DELETE FROM t WHERE a NOT BETWEEN 1 AND 5", "DELETE FROM t WHERE a BETWEEN 1 AND 5", false},
		{"DELETE FROM t WHERE a < b", "DELETE FROM t WHERE b < a", false},
		{"DELETE FROM t WHERE a IN (SELECT x FROM u WHERE y = 1)", "DELETE FROM t WHERE a IN (SELECT x FROM u WHERE y = 2)", false},
		{"SELECT a FROM t LEFT OUTER JOIN u ON t.i = u.i", "SELECT a FROM t LEFT JOIN u ON t.i = u.i", true},
		{"SELECT a FROM t LEFT JOIN u ON t.i = u.i", "SELECT a FROM t JOIN u ON t.i = u.i", false},
		{"SELECT a FROM t ORDER BY a, b", "SELECT a FROM t ORDER BY b, a", false},
	} {
		if got := slices.Equal(statement(t, c.a), statement(t, c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// TestCommands checks commands in two notations, and commands that look like it.
func TestCommands(t *testing.T) {
	plain := func(s string) []string {
		tokens, ok := readcmd.Tokens(s)
		if !ok {
			t.Fatalf("%s is not read", s)
		}
		return PlainOptions(tokens)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"git switch -c fix", "git checkout -b fix", true},
		{"git switch -c fix", "git checkout fix", false},
		{"git restore a.go", "git checkout -- a.go", true},
		{"git restore --staged a.go", "git reset HEAD a.go", true},
		{"git restore --staged a.go", "git restore a.go", false},
		{"docker container stop web", "docker stop web", true},
		{"docker container stop web", "docker rm web", false},
		{"kubectl get po -n shop", "kubectl -n shop get pods", true},
		{"kubectl delete pod/web-1", "kubectl delete pods web-1 ", true},
		{"kubectl delete pod web --namespace=shop", "kubectl -n shop delete pod web", true},
		{"kubectl delete pod web -n shop", "kubectl delete pod web -n prod", false},
		{"kubectl exec web -- ls -n shop", "kubectl -n shop exec web -- ls", false},
		{"chmod u=rwx,go=rx run.sh", "chmod 755 run.sh", true},
		{"chmod u=rwx,go=rx run.sh", "chmod 750 run.sh", false},
		{"chmod u+x run.sh", "chmod 755 run.sh", false},
		{"kill -9 44", "kill -SIGKILL 44", true},
		{"kill -9 44", "kill -TERM 44", false},
		{"kill -9 44", "kill -3 44", false},
		{"head -20 a", "head -n 20 a", true},
		{"head -20 a", "head -n 2 a", false},
		{"npm i left-pad", "npm install left-pad", true},
		{"systemctl restart web.service", "systemctl restart web", true},
		{"cd /srv && git switch -c a", "cd /srv && git checkout -b a", true},
	} {
		if got := slices.Equal(plain(c.a), plain(c.b)); got != c.want {
			t.Errorf("%s and %s: %v (%q, %q)", c.a, c.b, got, plain(c.a), plain(c.b))
		}
	}
	if !SameButOptions(plain("tool --force --name a b"), plain("tool --name=a --force b")) || SameButOptions(plain("tool --name=a b"), plain("tool --name=b b")) {
		t.Error("options in another order")
	}
}

// TestTrials is the law that a command only tries another one exactly if it is the same with one option that
// says so, or with EXPLAIN before it. It draws commands, adds the option and changes a word.
func TestTrials(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 22))
	for range drawn.Cases(300) {
		deeds := []string{"rsync -a --delete site/ web:/srv", "git push origin main", "kubectl delete pod web -n shop", "deploy --to prod", "make install"}
		i := r.IntN(len(deeds))
		words := strings.Fields(deeds[i])
		option := []string{"--dry-run", "--dry-run", "--dry-run=client", "--simulate", "--dry-run"}[i]
		at := 1 + r.IntN(len(words)-1)
		if words[at-1] == "-n" || words[at-1] == "--to" {
			at--
		}
		trial := strings.Join(slices.Insert(slices.Clone(words), at, option), " ")
		if !IsTrial(trial, deeds[i]) || IsTrial(deeds[i], trial) || IsTrial(deeds[i], deeds[i]) {
			t.Fatalf("%s of %s", trial, deeds[i])
		}
		if other := strings.Replace(trial, words[len(words)-1], words[len(words)-1]+"x", 1); IsTrial(other, deeds[i]) {
			t.Fatalf("%s is no trial of %s", other, deeds[i])
		}
	}
	for _, c := range []struct {
		trial, deed string
		want        bool
	}{
		{"EXPLAIN DELETE FROM t WHERE a = 1", "delete from t where a = 1", true},
		{"EXPLAIN QUERY PLAN DELETE FROM t", "DELETE FROM t", true},
		{"EXPLAIN ANALYZE DELETE FROM t WHERE a = 1", "DELETE FROM t WHERE a = 1", false},
		{"EXPLAIN DELETE FROM t WHERE a = 2", "DELETE FROM t WHERE a = 1", false},
		{"terraform plan -var a=1", "terraform apply -var a=1", true},
		{"terraform plan -var a=1", "terraform apply -auto-approve -var a=1", true},
		{"terraform plan -var a=1", "terraform apply -var a=2", false},
		{"rsync -an a b", "rsync -a a b", true},
		{"ssh -n host rm a", "ssh host rm a", false},
	} {
		if got := IsTrial(c.trial, c.deed); got != c.want {
			t.Errorf("%s of %s: %v", c.trial, c.deed, got)
		}
	}
}
