package d1_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/d1"
)

// TestParams checks that each parameter of a statement is either sent without a loss or
// refused with an error.
func TestParams(t *testing.T) {
	for want, args := range map[string][]any{
		`[]`:                            nil,
		`["a\"é\u2028<&>",null,1,0,-7]`: {"a\"é\u2028<&>", nil, true, false, -7},
		`[9007199254740991]`:            {int64(1<<53 - 1)},
		`["9007199254740992"]`:          {int64(1 << 53)},
		`["-9223372036854775808"]`:      {int64(-1 << 63)},
		`error: cannot bind a value of type float64`:   {1.5},
		`error: cannot bind a value of type []uint8`:   {[]byte("x")},
		`error: cannot bind a value of type time.Time`: {time.Unix(0, 0)},
	} {
		sent := ""
		db := d1.Open(func(_ context.Context, _, params string) (string, error) { sent = params; return "[]", nil })
		_, err := db.Exec("x", args...)
		if problem, bad := strings.CutPrefix(want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), problem) || sent != "" {
				t.Errorf("%v: sent %q, error %v", args, sent, err)
			}
		} else if got := strings.TrimSpace(sent); err != nil || got != want {
			t.Errorf("%v: sent %s, want %s (%v)", args, got, want, err)
		}
	}
}

// TestRows checks that the cells of a row are either read without a loss or refused with
// an error.
func TestRows(t *testing.T) {
	for rows, want := range map[string]string{
		`[["a",1,null],["b",-2,1.5]]`: "a 1 nil b -2 1.5",
		`[[9007199254740991,"x",""]]`: "9007199254740991 x ",
		`[["9007199254740993",0,0]]`:  "9007199254740993 0 0",
		`[[9007199254740992,0,0]]`:    "error: may have been rounded",
		`[[-9007199254740993,0,0]]`:   "error: may have been rounded",
		`[[1e300,0,0]]`:               "error: may have been rounded",
		`[[[1],0,0]]`:                 "error: cannot read a value of type []interface",
		`[["a",1,2],["a"]]`:           "error: a row has 1 cells instead of 3",
		`{"results":[]}`:              "error: cannot read the rows",
		``:                            "error: cannot read the rows",
		`[["a",1`:                     "error: cannot read the rows",
	} {
		db := d1.Open(func(context.Context, string, string) (string, error) { return rows, nil })
		got, err := readRows(db)
		if problem, bad := strings.CutPrefix(want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), problem) {
				t.Errorf("%s: %q, %v", rows, got, err)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", rows, got, want, err)
		}
	}
}

func readRows(db *sql.DB) (string, error) {
	rows, err := db.Query("x")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var cells [3]sql.NullString
		if err := rows.Scan(&cells[0], &cells[1], &cells[2]); err != nil {
			return "", err
		}
		for _, c := range cells {
			if !c.Valid {
				c.String = "nil"
			}
			out = append(out, c.String)
		}
	}
	return strings.Join(out, " "), rows.Err()
}

// TestNoPromises checks that the driver returns an error in these cases:
//
//   - the connection is lost
//   - a transaction is begun, which D1 does not support
//   - the number of changed rows is requested, which D1 does not tell
func TestNoPromises(t *testing.T) {
	lost := errors.New("the connection was lost")
	db := d1.Open(func(context.Context, string, string) (string, error) { return "", lost })
	if _, err := db.Exec("x"); !errors.Is(err, lost) {
		t.Errorf("error %v", err)
	}
	if _, err := db.Begin(); err == nil || !strings.Contains(err.Error(), "transactions are not supported") {
		t.Errorf("error %v", err)
	}
	ok := d1.Open(func(context.Context, string, string) (string, error) { return "[]", nil })
	r, err := ok.Exec("x")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.RowsAffected(); err == nil {
		t.Errorf("%d rows changed, as if that were known", n)
	}
}
