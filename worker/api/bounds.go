package api

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/core/wire"
)

// CodeBusy is the code of an error that says that there are too many requests at this
// moment. The same request may succeed later.
const CodeBusy = "busy"

// Bounds limits the requests of one path that are in progress at the same time, and the
// time that each of them takes. A request first takes a place, then its body is read, then
// it waits for its turn, and then it is worked on. It keeps its place until its work has
// ended, even if its client has gone. A nil *Bounds sets no limit.
type Bounds struct {
	patience, budget time.Duration
	places, turns    chan struct{}
}

// NewBounds returns the bounds for a path. At most turns requests are worked on at the same
// time, and at most places have a body in memory. A request waits for its turn no longer
// than patience, and its work takes no longer than budget.
func NewBounds(places, turns int, patience, budget time.Duration) *Bounds {
	return &Bounds{patience, budget, make(chan struct{}, places), make(chan struct{}, turns)}
}

// NativeBounds returns the bounds of a server on this machine, by path. Scores leave one
// processor free for everything else, if there are several. Checks have turns of their own,
// so that they never wait for scores.
func NativeBounds() map[string]*Bounds {
	cores := runtime.GOMAXPROCS(0)
	return map[string]*Bounds{
		"/v1/score": NewBounds(64, min(max(cores-1, 1), 8), 5*time.Second, 30*time.Second),
		"/v1/check": NewBounds(128, 2*cores, 5*time.Second, 10*time.Second),
	}
}

// work does something with the body of a request. After stop has returned an error, nobody
// waits for the answer.
type work func(body []byte, stop func() error) Answer

// answerWithin reads the body of a request and does the work, within the bounds. Every work that
// is bounded is done here.
func (b *Bounds) answerWithin(r Request, read func() ([]byte, *Answer), do work) Answer {
	ctx := r.clientContext()
	if b == nil {
		return readAndDo(ctx, read, do)
	}
	if !tryEnter(b.places) {
		return b.busyAnswer(r, "too many requests are in progress")
	}
	kept := false // whether the work gives the place back
	defer func() {
		if !kept {
			<-b.places
		}
	}()
	body, refused := read()
	if refused != nil {
		return *refused
	}
	if !b.takeTurn(ctx) {
		return b.busyAnswer(r, fmt.Sprintf("the server did not begin with this request within %v", b.patience))
	}
	ctx, cancel := context.WithTimeout(ctx, b.budget)
	defer cancel()
	kept = true
	done := make(chan Answer, 1)
	go func() {
		defer func() { <-b.turns; <-b.places }()
		done <- guardAnswer(r, func() Answer { return do(body, ctx.Err) })
	}()
	select {
	case a := <-done:
		if a.Status == 200 || ctx.Err() == nil {
			return a
		}
	case <-ctx.Done():
	}
	return errorAnswer(413, wire.CodeTooLarge, fmt.Sprintf("%s took longer than %v and was stopped; use the command boundcheck, which has no time limit", r.Path, b.budget))
}

func readAndDo(ctx context.Context, read func() ([]byte, *Answer), do work) Answer {
	body, refused := read()
	if refused != nil {
		return *refused
	}
	return do(body, ctx.Err)
}

// tryEnter takes an element of a channel's room, and reports whether there was one.
func tryEnter(room chan struct{}) bool {
	select {
	case room <- struct{}{}:
		return true
	default:
		return false
	}
}

// takeTurn waits for the turn of a request. It returns false if the patience or the client
// has gone. Requests get their turns in the order in which they began to wait.
func (b *Bounds) takeTurn(ctx context.Context) bool {
	late := time.NewTimer(b.patience)
	defer late.Stop()
	select {
	case b.turns <- struct{}{}:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}

// busyAnswer returns the answer to a request that may succeed later.
func (b *Bounds) busyAnswer(r Request, why string) Answer {
	a := errorAnswer(503, CodeBusy, fmt.Sprintf("%s: %s; try again later", r.Path, why))
	seconds := int((b.patience + time.Second - 1) / time.Second)
	a.Header = append(a.Header, Header{"retry-after", strconv.Itoa(seconds)})
	return a
}
