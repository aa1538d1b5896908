// Package d1 is a database/sql driver for Cloudflare D1 with the features that the gate
// needs. A statement is sent as text with its parameters in JSON, and its rows come
// back as JSON. The caller provides the transport: the edge passes the text to the
// platform's binding, tests pass it to SQLite.
//
// D1's numbers are JavaScript's, which silently round whole numbers beyond 2^53. The
// driver binds such numbers as decimal text, which an integer column stores exactly,
// and refuses them when it reads them. Store such numbers in text columns. There are no
// transactions.
package d1

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Send sends one statement to the database and waits for its result. params is a JSON
// array of text, numbers and null, one for each question mark; rows is a JSON array of
// arrays, in the order of the columns. After an error it is unknown whether the
// statement was carried out.
type Send func(ctx context.Context, query, params string) (rows string, err error)

// Open returns a database that sends its statements with the function send. Open itself
// sends nothing. If send may be called by several goroutines, the database may be too.
func Open(send Send) *sql.DB { return sql.OpenDB(connector{send}) }

type connector struct{ send Send }

func (c connector) Connect(context.Context) (driver.Conn, error) { return conn(c), nil }
func (c connector) Driver() driver.Driver                        { return opener{} }

// opener is the driver.Driver that database/sql requires. Its method Open only returns an
// error; call the function Open of this package instead.
type opener struct{}

func (opener) Open(string) (driver.Conn, error) { return nil, errors.New("d1: use d1.Open") }

// conn has no state: every statement is sent by itself.
type conn struct{ send Send }

var errPrepare = errors.New("d1: prepared statements are not supported")

func (conn) Prepare(string) (driver.Stmt, error) { return nil, errPrepare }
func (conn) Close() error                        { return nil }
func (conn) Begin() (driver.Tx, error) {
	return nil, errors.New("d1: transactions are not supported. Make changes that belong together in one statement")
}

func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	params, err := encodeArgs(args)
	if err != nil {
		return nil, err
	}
	text, err := c.send(ctx, query, params)
	if err != nil {
		return nil, fmt.Errorf("d1: %w", err)
	}
	list := &rows{}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&list.left); err != nil {
		return nil, fmt.Errorf("d1: cannot read the rows: %w", err)
	}
	if len(list.left) > 0 {
		list.columns = make([]string, len(list.left[0]))
	}
	return list, nil
}

// ExecContext runs a statement. The result does not know how many rows were changed. Use
// RETURNING to get this number.
func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	_, err := c.QueryContext(ctx, query, args)
	return driver.ResultNoRows, err
}

// exact is the largest number up to which every whole number is exact.
const exact = 1<<53 - 1

func encodeArgs(args []driver.NamedValue) (string, error) {
	list := make([]any, len(args))
	for i, a := range args {
		switch v := a.Value.(type) {
		case nil, string:
			list[i] = v
		case bool:
			list[i] = 0
			if v {
				list[i] = 1
			}
		case int64:
			if list[i] = v; v > exact || v < -exact {
				list[i] = strconv.FormatInt(v, 10)
			}
		default:
			return "", fmt.Errorf("d1: cannot bind a value of type %T as parameter %d. Use text, a whole number, a bool or nil", v, a.Ordinal)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(list)
	return b.String(), err
}

// rows holds all rows, because D1 returns them at once. Column names are not available.
type rows struct {
	columns []string
	left    [][]any
}

func (r *rows) Columns() []string { return r.columns }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(to []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	row := r.left[0]
	r.left = r.left[1:]
	if len(row) != len(to) {
		return fmt.Errorf("d1: a row has %d cells instead of %d", len(row), len(to))
	}
	for i, cell := range row {
		v, err := decodeCell(cell)
		if err != nil {
			return fmt.Errorf("d1: cell %d: %w", i, err)
		}
		to[i] = v
	}
	return nil
}

func decodeCell(cell any) (driver.Value, error) {
	switch v := cell.(type) {
	case nil, string:
		return v, nil
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return nil, err
		}
		if f != math.Trunc(f) {
			return f, nil
		}
		if f > exact || f < -exact {
			return nil, fmt.Errorf("the number %s may have been rounded. Store whole numbers beyond 2^53 in a text column", v)
		}
		return int64(f), nil
	}
	return nil, fmt.Errorf("cannot read a value of type %T. The value must be text, a number or null", cell)
}
