package store

import (
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// ToldVote is a vote in an answer of the API: as it is stored, with its time in the form of
// all times of the API (see Instant).
type ToldVote struct {
	machine.Vote
	At string `json:"at"`
}

// TellVotes returns the votes of a record for an answer of the API.
func TellVotes(votes []machine.Vote) []ToldVote {
	var out []ToldVote
	for _, v := range votes {
		out = append(out, ToldVote{v, Instant(v.At)})
	}
	return out
}

// ToldWhy is the reasons for a question in an answer of the API, with their times in the
// form of all times of the API.
type ToldWhy struct {
	machine.Why
	Before   *toldRefusal    `json:"deniedBefore,omitempty"`
	Unsure   *toldUnsure     `json:"mayHaveRun,omitempty"`
	Recalled *ToldRecalled   `json:"remembered,omitempty"`
	Escalate *ToldEscalation `json:"escalate,omitempty"`
}

type toldRefusal struct {
	machine.Refusal
	At string `json:"at"`
}

type toldUnsure struct {
	proposal.Unsure
	At string `json:"at"`
}

// ToldRecalled is the remembered yes that let a call through.
type ToldRecalled struct {
	machine.Recalled
	Until string `json:"until"`
}

// ToldEscalation says who else is asked, and when.
type ToldEscalation struct {
	machine.Escalation
	At string `json:"at"`
}

// TellWhy returns the reasons for a question for an answer of the API.
func TellWhy(w machine.Why) ToldWhy {
	out := ToldWhy{Why: w}
	if w.Edit != nil { // the time is the gate's own
		edit := *w.Edit
		edit.Asked, out.Edit = 0, &edit
	}
	if b := w.Before; b != nil {
		out.Before = &toldRefusal{*b, Instant(b.At)}
	}
	if u := w.Unsure; u != nil {
		out.Unsure = &toldUnsure{*u, Instant(u.At)}
	}
	if m := w.Recalled; m != nil {
		out.Recalled = &ToldRecalled{*m, Instant(m.Until)}
	}
	if e := w.Escalate; e != nil {
		out.Escalate = &ToldEscalation{*e, Instant(e.At)}
	}
	return out
}

// ReadWhy is TellWhy the other way round, for a client of the API.
func ReadWhy(w ToldWhy) machine.Why {
	out := w.Why
	if b := w.Before; b != nil {
		out.Before = &b.Refusal
		out.Before.At = ReadInstant(b.At)
	}
	if u := w.Unsure; u != nil {
		out.Unsure = &u.Unsure
		out.Unsure.At = ReadInstant(u.At)
	}
	if m := w.Recalled; m != nil {
		out.Recalled = &m.Recalled
		out.Recalled.Until = ReadInstant(m.Until)
	}
	if e := w.Escalate; e != nil {
		out.Escalate = &e.Escalation
		out.Escalate.At = ReadInstant(e.At)
	}
	return out
}

// ReadVotes is TellVotes the other way round.
func ReadVotes(votes []ToldVote) []machine.Vote {
	var out []machine.Vote
	for _, v := range votes {
		v.Vote.At = ReadInstant(v.At)
		out = append(out, v.Vote)
	}
	return out
}

// ReadInstant returns the milliseconds since 1970 of a time of the API; 0 for another text.
func ReadInstant(text string) int64 {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}
