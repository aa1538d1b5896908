package mutation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestSQLReads(t *testing.T) {
	for _, q := range []string{
		"select 1", "select 1; select 2", "SELECT a, b FROM t WHERE c = 'it''s; drop table x'", "(select 1) union (select 2);",
		"select count(*) from t -- delete\n where x > 1", "select /* delete */ 1", "values (1), (2)",
		"table t", "show tables", "explain select 1", "explain delete_log", "describe t",
		"with x as (select 1), y as (select 2) select * from x join y using (id)",
		"select \"delete\" from `update`", "select replace(a, 'x', 'y') from t",
		"select a from t where b in (1, 2) order by lower(a) limit 5 offset 10;\n",
		"select $1::varchar(10)", "select updated_at, created from t", "select a[1] from t",
		"select max(x) over (partition by y) from t",
		"select o.deleted_at, o.update_count from orders o", "select orders.delete_flag from shop.orders",
		"select shop.orders.delete_flag from shop.orders", "select \"o\".\"delete_me\" from \"orders\" \"o\"",
		"select \"User\".\"deleteId\" from \"public\".\"User\"",
		"select o.\"delete_me\" from orders \"O\"", "select x.remove_count from (select remove_count from t) x", "select 1 as delete_me from dual",
		"select sysdate, 'purge' from dual", "select d.dummy from dual d", "select 1 \"Total\" from dual", "select event.name.first from t", "select purge_all from settings",
		"with gone as (select delete_id from t) select gone.delete_id from gone",
		"select a.purge_count from t1, shop.t2 as a where a.x = 1 and a.purge_id is not null",
		"select count(*) from t join purge_log p on p.purge_id = t.id", "select count(*) from audit.delete_log",
		"select extract(year from o.removed_at) from orders o", "select t.run_id from unnest(a) as t, lateral (select 1) v where v.set_id = 1",
	} {
		if m, why := sqlKind(q); m != No {
			t.Errorf("%q: %s: %s", q, m, why)
		}
	}
}

func TestSQLDoesNotRead(t *testing.T) {
	for _, q := range []string{
		"", ";", "( ", "delete from t", "update t set a = 1", "drop table t", "select 1; drop table t",
		"select 1;;delete from t", "select * into t2 from t", "select * from t for update",
		"select * from t for share", "select * from t for no key update", "select a from t into outfile '/x'",
		"explain analyze delete from t", "explain (analyze) select 1", "explain analyse select f()",
		"with x as (delete from t returning *) select * from x", "with x as (insert into t values (1)) select 1",
		"select /*! 1; drop table t */ 1", "select /*+ x */ 1", "select /* a /* b */ c */ 1", "select 1 /* x",
		"select 'a\\'; drop table t; --'", "select 1 --1; drop table t", "select 1 # x", "select $$a$$",
		"select $x$;drop table t;$x$", "select load_file('/etc/passwd')", "select pg_terminate_backend(1)",
		"select nextval('s')", "select evil.count(1)", "select \"drop_all\"()", "select sleep (5)",
		"select @a := 1", "pragma x = 1", "set x = 1", "do sleep(1)", "call f()", "copy t from 'x'",
		"begin; delete from t; commit", "select 'open", "select [a'b] from t; drop table t --']",
		"select 1\rdrop table t", "select 1 --\rdrop", "drop\u00a0table t", "select\u00a01", "select\x00 1",
		"replace into t values (1)", "replace (a) values (1)", "merge into t using s on 1=1", "truncate t",
		"vacuum", "analyze t", "select * from t procedure analyse()", "select * from t lock in share mode",
		"select [[a]] from t", "select " + strings.Repeat("[ ", 1<<16) + "]", "select '" + strings.Repeat("x", 1<<20) + "'",
		"hello world", "with x as (select 1) delete from t",
		"select my_pkg.purge_all from dual", "select app.my_pkg.purge_all from dual", "select purge_all from dual",
		"select trim('x' from my_pkg.purge_all) from dual", "select id from orders where my_pkg.delete_all = 1",
		"select my_pkg.\"PURGE_ALL\" from dual", "select case when my_pkg.drop_user = 1 then 1 end from orders o",
		"select 1 from orders where id is distinct from my_pkg.purge_all", "select * from (select my_pkg.purge_all from dual) x",
		"select \"MY_PKG\".\"PURGE_ALL\" from \"DUAL\"", "select \"MY_PKG\".purge_all from dual \"x\"",
		"select my_pkg.purge_all from dual my_pkg", "select purge_all from dual dual", "select \"PURGE_ALL\" from dual", "select \"PurgeAll\" from dual", "select purge_all from \"DUAL\"", "select trim(('x') from my_pkg.purge_all) from dual",
		"select trim((select 'x' from dual) from my_pkg.purge_all) from dual",
	} {
		if m, why := sqlKind(q); m == No {
			t.Errorf("%q: %s: %s", q, m, why)
		}
	}
}

// BenchmarkNestedSQL measures a query of the largest size with as many subqueries as fit.
func BenchmarkNestedSQL(b *testing.B) {
	q := "select 1 " + strings.Repeat("from (", maxStatement/6-2)
	for b.Loop() {
		sqlKind(q)
	}
}

func TestLooksSQL(t *testing.T) {
	for q, want := range map[string]bool{
		"select shoes": false, "select a from b": true, "delete my order": false, "delete from x": true,
		"update on my order": false, "update t set a=1": true, "drop shipping": false, "drop table t": true,
		"with love": false, "with a as (select 1) select 2": true, "": false, "grant funding": false,
		"drop series from cpu": true, "drop series tv shows": false,
		"explain recursion": false, "insert coin": false, "revoke all on t": true,
	} {
		if got := looksSQL(q); got != want {
			t.Errorf("looksSQL(%q) = %v", q, got)
		}
	}
}

// plainWords returns the words of a statement outside quotes and comments. It shares no
// code with the tokenizer. escapes says whether a backslash in quotes escapes the next
// character. The result ok is false if a quote or a comment stays open.
func plainWords(s string, escapes bool) (out []string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'' || c == '"' || c == '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if escapes && s[i] == '\\' {
					i++
				}
			}
			if i >= len(s) {
				return nil, false
			}
			b.WriteByte(' ')
		case strings.HasPrefix(s[i:], "--"):
			end := strings.IndexByte(s[i:], '\n')
			if end < 0 {
				end = len(s) - i
			}
			i += end - 1
			b.WriteByte(' ')
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return nil, false
			}
			i += end + 3
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool {
		return !(r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r >= 0x80)
	}), true
}

// FuzzSQL checks that a statement with a writing keyword outside quotes and comments is
// never judged to read.
func FuzzSQL(f *testing.F) {
	for _, q := range []string{
		"select 1", "select 1; delete from t", "with a as (update t set x=1) select 1", "select 'delete' -- drop",
		"select /* x */ 1", "explain analyze select 1", "select [delete] from t", "select a''b'c", "select 1 --x\ndrop table t",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		m, why := sqlKind(q)
		if why == "" {
			t.Fatalf("%q: no reason", q)
		}
		if again, _ := sqlKind(q); again != m {
			t.Fatalf("%q: %v then %v", q, m, again)
		}
		if m != No {
			return
		}
		ws, plain := plainWords(q, false)
		more, escaped := plainWords(q, true)
		if !plain && !escaped {
			t.Fatalf("%q: called reading though a quote stays open", q)
		}
		for _, w := range append(ws, more...) {
			switch w {
			case "insert", "update", "delete", "merge", "truncate", "drop", "alter", "create", "grant", "revoke", "into", "execute", "call":
				t.Fatalf("%q: called reading (%s) with %s", q, why, w)
			}
		}
	})
}

// TestMembersBesideQuery checks that a query which reads is not proven to read if a member
// beside it may say that more is done, whatever the members' names and notation are.
func TestMembersBesideQuery(t *testing.T) {
	c := New(nil, nil)
	classify := func(member, value string) Tri {
		v, err := jsonval.Parse(`{"query":"SELECT 1","` + member + `":` + value + `}`)
		if err != nil {
			t.Fatal(err)
		}
		return c.Classify("run_sql", v).Mutating
	}
	for _, kind := range []struct{ members, bad, fine string }{
		{"args|options|extra_args|flags|cli_options", `"--x"|"-c"|"write"|["--x","y"]|" --execute"|"x"`, `""|[]`},
		{"mode|access_mode|accessMode|query_mode", `"write"|"rw"|"read_write"|"readWrite"|"delete"|"admin"|"--x"`, `"table"|"json"|"read"|"readonly"`},
		{"read_only|readOnly|dry_run|dryRun|read-only", `false|0|"false"|"no"|"off"|"--x"`, `true|"true"|1`},
		{"format|database|limit|schema|title", `"--execute"|" -c x"|"DROP TABLE x"`, `"x"|"public"|5`},
	} {
		for _, member := range strings.Split(kind.members, "|") {
			for _, value := range strings.Split(kind.bad, "|") {
				if classify(member, value) == No {
					t.Errorf("%s: %s beside the query is proven to read", member, value)
				}
			}
			for _, value := range strings.Split(kind.fine, "|") {
				if got := classify(member, value); got != No {
					t.Errorf("%s: %s beside the query is asked about", member, value)
				}
			}
		}
	}
}
