// Package audit finds faults in the gold of tasks in the environments of τ-bench and
// τ². Its rules rest on how the environment carries out the actions, on its database,
// and on the policy that both benchmarks print. No rule names a task or the id of a
// row.
package audit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// handover is the action that ends a run: it transfers the user to a person.
const handover = "transfer_to_human_agents"

// Audit checks the gold of one task on the task's database. The gold is the list of
// reference actions. Audit returns an error if the database cannot be read.
func Audit(db *env.Database, dialect env.Dialect, r *abi.AuditRequest) ([]abi.Flag, error) {
	a := &auditor{db: db, dialect: dialect, actions: r.Actions, outputs: r.Outputs, wish: wishOf(r.Instruction)}
	if err := a.run(); err != nil {
		return nil, err
	}
	if err := a.applyRules(a.policyRules()); err != nil {
		return nil, err
	}
	if err := a.applyRules([]func(int) error{a.sameItem, a.flagRefused, a.flagUnread, a.flagCalculation, a.flagReason, a.flagPayment, a.flagInstrument, a.flagCheapest, a.flagVariants, a.flagFlights, a.flagNeedless}); err != nil {
		return nil, err
	}
	for _, rule := range []func() error{a.flagHandoff, a.flagOrder, a.flagEmpty} {
		if err := rule(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(a.flags, func(x, y abi.Flag) int { return x.Action - y.Action })
	return a.flags, nil
}

// policyRules returns the rules for actions that the policy forbids, even if the user
// wants them.
func (a *auditor) policyRules() []func(int) error {
	return []func(int) error{a.flagPassengers, a.flagCancellation, a.flagBags, a.flagRoute, a.flagCompensation, a.flagModified}
}

func (a *auditor) applyRules(rules []func(int) error) error {
	for i := range a.steps {
		for _, rule := range rules {
			if err := rule(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// countViolations returns how often the given actions violate the policy.
func (a *auditor) countViolations(actions []abi.Action) (int, error) {
	other := &auditor{db: a.db, dialect: a.dialect, actions: actions, wish: a.wish}
	if err := other.run(); err != nil {
		return 0, err
	}
	err := other.applyRules(other.policyRules())
	return len(other.flags), err
}

type auditor struct {
	db      *env.Database
	dialect env.Dialect
	actions []abi.Action
	outputs []string
	wish    wish
	steps   []step
	end     *env.Session
	flags   []abi.Flag
}

// step is one action of the gold as it was carried out.
type step struct {
	name   string
	args   arguments
	result env.Result
	writes bool
	before before
}

// before holds the rows that an action is about, in their state before the action.
type before struct {
	reservation *reservation
	order       *order
	user        *user
}

func (a *auditor) run() error {
	s := a.db.NewSession(a.dialect)
	for i := range a.actions {
		st := step{name: a.actions[i].Name, args: readArguments(a.actions[i].Arguments)}
		st.writes, _ = env.Writes(st.name)
		if err := a.findSubjects(s, &st); err != nil {
			return err
		}
		var err error
		if st.result, err = callTool(s, &a.actions[i]); err != nil {
			return err
		}
		a.steps = append(a.steps, st)
	}
	a.end = s
	return nil
}

// findSubjects finds the reservation, the order and the user that an action concerns, and
// stores them in st.before.
func (a *auditor) findSubjects(s *env.Session, st *step) (err error) {
	owner := st.args.UserID
	if id := st.args.ReservationID; id != "" {
		if st.before.reservation, err = findRow[reservation](s, "reservations", id); err != nil {
			return err
		}
		if r := st.before.reservation; r != nil {
			owner = r.UserID
			for _, was := range a.steps { // τ-bench does not store the new cabin
				if was.name == "update_reservation_flights" && was.args.ReservationID == id && was.args.Cabin != "" && was.isDone() {
					r.Cabin = was.args.Cabin
				}
			}
		}
	}
	if id := st.args.OrderID; id != "" {
		if st.before.order, err = findRow[order](s, "orders", id); err != nil {
			return err
		}
		if st.before.order != nil {
			owner = st.before.order.UserID
		}
	}
	if owner != "" {
		st.before.user, err = findRow[user](s, "users", owner)
	}
	return err
}

// findRow returns a row, decoded into a value of type T. It returns nil if there is no
// such row, or if the row does not have the form of T.
func findRow[T any](s *env.Session, table, key string) (*T, error) {
	row, err := s.Look(table, key)
	if row == nil || err != nil {
		return nil, err
	}
	var out T
	if json.Unmarshal([]byte(py.Dumps(row)), &out) != nil {
		return nil, nil
	}
	return &out, nil
}

func callTool(s *env.Session, a *abi.Action) (env.Result, error) {
	text := string(a.Arguments)
	if text == "" {
		text = "{}"
	}
	v, err := py.Parse(text)
	d, ok := v.(*py.Dict)
	if err != nil || !ok {
		return env.Result{Output: "Error: the arguments are not a JSON object", Error: true, Known: true}, nil
	}
	return s.Call(a.Name, d, "")
}

// playActions carries out the given actions on a fresh copy of the database. refused is
// true if the environment refuses an action that writes.
func (a *auditor) playActions(actions []abi.Action) (s *env.Session, refused bool, err error) {
	s = a.db.NewSession(a.dialect)
	for i := range actions {
		r, err := callTool(s, &actions[i])
		if err != nil {
			return nil, false, err
		}
		if writes, _ := env.Writes(actions[i].Name); writes && r.Error {
			refused = true
		}
	}
	return s, refused, nil
}

// dropActions returns a copy of the gold that leaves out the actions with the given
// indices.
func (a *auditor) dropActions(drop ...int) []abi.Action {
	out := []abi.Action{}
	for i, action := range a.actions {
		if !slices.Contains(drop, i) {
			out = append(out, plainAction(action))
		}
	}
	return out
}

// replaceArguments returns a copy of the gold in which one action has other arguments. at
// is the index of this action. The members of over replace the arguments of the same
// names.
func (a *auditor) replaceArguments(at int, over map[string]any) []abi.Action {
	out := a.dropActions()
	var members map[string]any
	if decodeJSON(a.actions[at].Arguments, &members) != nil {
		return out
	}
	for k, v := range over {
		members[k] = v
	}
	out[at].Arguments, _ = json.Marshal(members)
	return out
}

// plainAction returns an action's call without any results of a run.
func plainAction(a abi.Action) abi.Action {
	return abi.Action{Name: a.Name, Arguments: a.Arguments, Requestor: a.Requestor}
}

func (a *auditor) addFlag(kind string, at int, confidence float64, evidence string, proposed ...[]abi.Action) {
	if proposed == nil {
		proposed = [][]abi.Action{}
	}
	a.flags = append(a.flags, abi.Flag{Kind: kind, Action: at, Evidence: evidence, Confidence: confidence, Proposed: proposed})
}

// hasFlag reports whether the action with the index at has a flag of this kind.
func (a *auditor) hasFlag(kind string, at int) bool {
	return slices.ContainsFunc(a.flags, func(f abi.Flag) bool { return f.Kind == kind && f.Action == at })
}

// isDone reports whether the environment carried an action out.
func (s *step) isDone() bool { return !s.result.Error }

// refusalText returns the environment's message for a refused action.
func (s *step) refusalText() string { return strings.TrimPrefix(s.result.Output, "Error: ") }
