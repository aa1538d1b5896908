package machine

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Kind is the kind of an event.
type Kind string

// The events that Step accepts; it refuses all others.
const (
	Decide  Kind = "decide"  // an approver says yes or no
	Claim   Kind = "claim"   // an agent asks for the bytes to run
	Report  Kind = "outcome" // the claimer reports the outcome
	Cancel  Kind = "cancel"  // the agent takes the call back
	Revoke  Kind = "revoke"  // an approver takes an approval back, before the claim
	Void    Kind = "void"    // a key of By, an approver, was removed: what By has approved and nobody has claimed ends
	Respond Kind = "answer"  // an approver answers with a text, instead of yes or no
	Tick    Kind = "tick"    // a due time may have passed
	Recover Kind = "recover" // the gate restarts: nobody reports on open claims any more
)

// EditCall is the kind of an edit. Revise handles it, because it needs the policy.
const EditCall Kind = "edit"

// Event is one event of a record. Fields that do not belong to Kind are ignored.
type Event struct {
	Kind        Kind
	By          Principal
	Channel     string // Decide: the way by which it came, such as "api" or "page"
	Approve     bool   // Decide
	Digest      string // Decide: the digest that was shown; Claim: "" or the expected digest
	Bypass      bool   // Decide: approve alone what needs others; see bypassCall
	Giver       string // Decide: the approver in whose place By decides; "" for By itself
	Acknowledge bool   // Decide: the approver knows that not all of it could be shown, or runs as shown, or of Ran
	Seen        string // Decide: the id of the run in Ran that was shown; "" for none

	// Ran is, for a Decide that approves and for a Claim, the same call that was handed out since
	// this one was proposed, from the driver; nil for none.
	Ran   *proposal.Unsure
	Equal int    // Decide: how many equal calls wait or are approved, from the driver
	Twins *Twins // Claim: what the driver has read of equal calls

	Vouched    bool        // Decide by a Conversation: the operator accepts it as a decision of the agent's one approver
	Text       string      // Decide, Revoke, EditCall: the reason; Respond: the answer; Report: the details
	Arguments  string      // EditCall: the new arguments, raw
	ID         string      // EditCall: a fresh id for the new call
	Frozen     string      // Claim: why nothing of the agent may run now, from the driver; "" if it may
	Stop       Stop        // Claim: why the policy does not hand the call out, from the driver
	From       int64       // Claim: the time before which the present policy hands out nothing, from the driver
	Logged     string      // Claim: rules in mode log that would have stopped it
	Delegation *Delegation // Decide: that of Giver to By, from the driver, if it counts now; else nil
	Nonce      string      // Claim: a fresh secret; Report: the granted nonce
	Status     State       // Report: Executed, Failed or Ambiguous
	Result     string      // Report: what the tool answered, as JSON; only hashes of what rules compare are kept

	// Claim: the policy's rules about the call; see Policy.Handout. Report: with Marks
	// alone, what rules compare in the result.
	Marks  []Mark
	Bounds []Bound
}

// Code classifies answers.
type Code uint8

// The codes. With any code except OK the call does not run.
const (
	OK          Code = iota
	Conflict         // the state does not allow the event
	Forbidden        // the sender is not allowed to do this
	Invalid          // the event is not valid
	Unavailable      // the gate cannot decide: refused, try again
	Early            // the claim of an approved call before its time: nothing has changed
)

// Answer is the reply to the sender. Text is "" on OK.
type Answer struct {
	Code Code
	Text string
	Left int64 // Early: the milliseconds until the call may be claimed
}

// Write is the condition under which the new record may be stored. Store it with one
// UPDATE whose WHERE clause tests all fields of Write. If it changes no row, load the
// record and call Step again.
type Write struct {
	From    State
	Rev     int64
	Digest  string
	Alive   int64 // when not 0: the record as it is stored ends (see Ends) after this time
	Settled bool  // no record of the batch is undecided
	Thawed  bool  // no freeze covers the record's principal
	Bounds  []Bound

	// Recalled is the id of a remembered yes that must not have ended: it was not revoked, its
	// time is not over, and its agent was not frozen since; "" for none.
	Recalled string

	// Delegation is the id of a delegation that must not have ended: it was not revoked, and
	// its time is not over; "" for none.
	Delegation string

	// Twins is what was known of equal calls: no other one was handed out; nil for any.
	Twins *Twins
}

// Change is what the caller of Step must do. If Write is nil, nothing is stored. Note is
// an audit entry without a change of state.
type Change struct {
	Record Record
	Write  *Write
	Entry  Entry  // written to the audit together with Write
	Marks  []Mark // rows for the rules, written together with Write
	Note   *Entry
	Answer Answer

	// Next is the call that an edit puts in place of Record, with its audit entry. The same
	// write stores it.
	Next      *Record
	NextEntry Entry
}

// skew is the time in milliseconds by which the clock may go back before the gate
// distrusts it.
const skew = 5000

// Step returns the change that one event makes to the record batch[at]. batch must
// contain, in order, all records of the calls that were proposed together. For a single
// call, batch has only one record. Step does not change its arguments. O(n).
func Step(batch []Record, at int, e Event, now int64) Change {
	r := batch[at]
	if c, over := notNow(&r, e, now); over {
		return c
	}
	switch e.Kind {
	case Tick, Recover:
		if r.State == Pending && now >= r.Due() {
			return escalateCall(r, Event{Kind: Tick}, now)
		}
		return Change{Record: r}
	case Decide:
		return decideCall(r, e, now)
	case Claim:
		return claimCall(batch, r, e, now)
	case Report:
		return reportCall(r, e, now)
	case Cancel:
		return cancelCall(r, e, now)
	case Revoke:
		return revokeApproval(r, e, now)
	case Void:
		return voidCall(r, e, now)
	case Respond:
		return answerCall(r, e, now)
	}
	return refuseEvent(r, Invalid, "unknown event")
}

// notNow returns the change, if the event comes from another tenant, the clock cannot be
// trusted, or the time of the record is over.
func notNow(r *Record, e Event, now int64) (c Change, over bool) {
	if e.By.Tenant != r.Tenant && e.Kind != Tick && e.Kind != Recover {
		return refuseEvent(*r, Forbidden, "another tenant's call"), true
	}
	if now < r.At-skew && !r.State.Terminal() {
		return refuseEvent(*r, Unavailable, "the clock was set back, so times cannot be trusted"), true
	}
	if to := lapsedState(r, e.Kind, now); to != "" {
		return lapseRecord(*r, to, e, now), true
	}
	return c, false
}

func refuseEvent(r Record, c Code, text string) Change {
	return Change{Record: r, Answer: Answer{Code: c, Text: text}}
}

// lapsedState returns the new state of a record whose time limit has passed. If the gate
// restarts (Recover), it also returns a new state for a claimed record. It returns "" if
// the state does not change.
func lapsedState(r *Record, k Kind, now int64) State {
	switch {
	case r.State == Claimed && (k == Recover || now >= r.Claim.Until):
		return Ambiguous
	case (r.State == Pending || r.State == Approved) && now >= r.Ends():
		return Expired
	}
	return ""
}

// lapseRecord returns the change that gives a record its new state because its time is
// over. If the event comes from a sender, the answer tells the sender that it came too
// late.
func lapseRecord(r Record, to State, e Event, now int64) Change {
	late := e.Kind != Tick && e.Kind != Recover
	c := moveRecord(r, to, e, now)
	c.Entry.Event = string(Tick)
	c.Entry.By, c.Entry.Role, c.Entry.Channel, c.Entry.Giver, c.Entry.Delegation = "", "", "", "", ""
	if e.Kind == Recover {
		c.Entry.Event = string(Recover)
	}
	if late {
		c.Answer = Answer{Code: Conflict, Text: refusalText(to)}
	}
	if to == Ambiguous && e.Kind == Report && ownsClaim(&r, e) {
		c.Note = lateOutcome(&c.Record, e, now)
	}
	return c
}

// moveRecord returns the change that gives a record its new state, with the conditional
// write that stores it.
func moveRecord(r Record, to State, e Event, now int64) Change {
	w := &Write{From: r.State, Rev: r.Rev, Digest: r.Digest}
	from := r.State
	r.State, r.Rev, r.At = to, r.Rev+1, max(now, r.At)
	return Change{Record: r, Write: w, Entry: entryOf(&r, from, e, now)}
}

func decideCall(r Record, e Event, now int64) Change {
	if e.Bypass {
		return bypassCall(r, e, now)
	}
	spoken := e.By.Role == Conversation
	names, delegated := e.voterNames()
	counts := names[len(names)-1] // whose right to decide counts
	may, only := r.Why.MayApprove(counts)
	edited := slices.IndexFunc(names, func(name string) bool { return !r.Why.Edit.maySay(name) })
	switch {
	case !delegated:
		return refuseEvent(r, Forbidden, e.Giver+" has not delegated decisions to "+e.By.Name+", or this has ended")
	case spoken && e.By.Name != r.Principal:
		return refuseEvent(r, Forbidden, "another agent's conversation")
	case spoken && e.Approve && !hearsConversation(&r, e.Vouched):
		return refuseEvent(r, Forbidden, "only an approver can decide this call; the agent's conversation cannot")
	case !spoken && e.By.Role != Approver:
		return refuseEvent(r, Forbidden, "only an approver can approve or deny a call")
	case !spoken && !r.MayDecide(counts, now):
		return refuseEvent(r, Forbidden, "this call waits for the decision of a different approver")
	case !spoken && (r.Needs >= 2 || e.Giver != "") && slices.Contains(names, r.Principal):
		return refuseEvent(r, Forbidden, "the proposer of a call cannot be one of its approvers")
	case r.State == Pending && e.Approve && !may:
		return refuseEvent(r, Forbidden, "the rule "+only+" lets only other approvers approve this call")
	case r.State != Pending:
		return refuseEvent(r, Conflict, refusalText(r.State))
	case !secretsEqual(e.Digest, r.Digest):
		return refuseEvent(r, Conflict, "the digest belongs to another call: the call that was shown is not the call that would run; want the digest of the call as it is now")
	case e.objectsRun(&r) != "":
		return refuseEvent(r, Conflict, e.objectsRun(&r))
	case e.Approve && r.Why.Uninspectable && !e.Acknowledge:
		return refuseEvent(r, Conflict, "the call cannot be shown completely, so an approval needs an explicit acknowledgement: want \"acknowledge\": true")
	case e.Approve && r.Why.SecondAct() && !e.Acknowledge:
		return refuseEvent(r, Conflict, "programs may read a number in this call differently, so an approval needs an explicit acknowledgement: want \"acknowledge\": true")
	case e.Approve && edited >= 0:
		return refuseEvent(r, Forbidden, names[edited]+" edited this call, and the policy does not count the approval of who edited a call: another approver must approve it")
	case e.Approve && hasVoted(&r, names...):
		return refuseEvent(r, Conflict, "this approver has already approved the call, by themselves, for another, or through a delegate. Another approver must approve the call, too")
	}
	to := Denied
	if e.Approve {
		if to = Pending; len(r.Votes)+1 >= r.Needs {
			to = Approved
		}
	}
	if spoken {
		e.By.Name = conversationOf(e.By.Name)
	}
	vote := Vote{By: e.By.Name, Channel: e.Channel, Approve: e.Approve, Reason: e.Text, Giver: e.Giver, Again: e.knowsTwin(&r), At: now}
	r.Votes = append(r.Votes[:len(r.Votes):len(r.Votes)], vote)
	c := moveRecord(r, to, e, now)
	c.Write.Alive = now
	if e.Giver != "" {
		c.Write.Delegation = e.Delegation.ID
	}
	return c
}

// hearsConversation reports whether an agent's conversation may approve a call. All of
// these conditions must be true:
//
//   - the policy allowed it when the call was proposed;
//   - the call does not need two people;
//   - any approver may decide the call, or vouched is true.
func hearsConversation(r *Record, vouched bool) bool {
	return r.Why.Conversation && r.Needs < 2 && (r.For == "" || vouched)
}

// hasVoted reports whether one of the persons has a part in a vote.
func hasVoted(r *Record, names ...string) bool {
	for i := range r.Votes {
		if slices.ContainsFunc(names, r.Votes[i].isBy) {
			return true
		}
	}
	return false
}

func claimCall(batch []Record, r Record, e Event, now int64) Change {
	switch {
	case e.By.Role != Agent || e.By.Name != r.Principal:
		return refuseEvent(r, Forbidden, "only the agent that proposed a call may claim it")
	case r.State == Cancelled && r.Stopped.Text != "":
		return refuseEvent(r, Conflict, "the call is cancelled: "+r.Stopped.Text)
	case r.State != Approved:
		return refuseEvent(r, Conflict, refusalText(r.State))
	case e.Frozen != "":
		return refuseEvent(r, Conflict, e.Frozen)
	case e.Digest != "" && !secretsEqual(e.Digest, r.Digest):
		return refuseEvent(r, Conflict, "the digest does not match this call; if the call was changed, propose it again")
	case len(e.Nonce) < 16:
		return refuseEvent(r, Invalid, "a claim needs a new nonce of at least 16 bytes")
	case !r.IsWhole() || TextHash(r.Prompt) != r.PromptHash:
		return refuseEvent(r, Unavailable, "the stored call is not the one that was approved")
	}
	for i := range batch {
		if batch[i].State.Undecided() {
			return refuseEvent(r, Conflict, "another call of the batch waits for its decision")
		}
	}
	switch from := max(r.RunsFrom(), e.From); {
	case now < from && from >= r.Ends():
		return refuseEvent(r, Conflict, "the policy lets calls of this tool wait longer now than this approval is valid: propose the call again")
	case now < from:
		c := refuseEvent(r, Early, EarlyText(from))
		c.Answer.Left = from - now
		return c
	}
	if e.Ran != nil && !r.KnowsTwin() {
		return endApproval(r, e, Repeated, "since this call was proposed, "+e.Ran.Text()+", and the approval did not know of it. Propose the call again, so that a person looks", now)
	}
	if e.Stop.Text != "" {
		return stopClaim(r, e, now)
	}
	r.Claim = Grant{By: e.By.Name, Hash: GrantHash(r.ID, e.Nonce), At: now, Until: now + r.Grace}
	c := moveRecord(r, Claimed, e, now)
	c.Write.Alive, c.Write.Settled, c.Write.Thawed, c.Write.Bounds, c.Write.Twins = now, true, true, e.Bounds, e.Twins
	c.Marks = e.Marks
	if r.Why.Recalled != nil {
		c.Write.Recalled = r.Why.Recalled.ID
	}
	return c
}

// stopClaim refuses a claim because of the policy. The call stays approved, since the reason
// may pass. The first of several claims that one rule stops is written into the audit.
func stopClaim(r Record, e Event, now int64) Change {
	if r.Why.Recalled != nil && e.Stop.Rule == "" { // it ended
		return endApproval(r, e, "forgotten", e.Stop.Text, now)
	}
	if r.Stopped.Rule == e.Stop.Rule && (e.Stop.Rule != "" || r.Stopped.Text == e.Stop.Text) && r.Stopped.At != 0 {
		return refuseEvent(r, Conflict, e.Stop.Text)
	}
	r.Stopped, r.Stopped.At = e.Stop, now
	c := moveRecord(r, Approved, e, now)
	c.Write.Alive, c.Answer = now, Answer{Code: Conflict, Text: e.Stop.Text}
	return c
}

// ownsClaim reports whether a report comes from the agent that claimed the call, and has
// the grant that the claim returned.
func ownsClaim(r *Record, e Event) bool {
	return e.By.Role == Agent && e.By.Name == r.Claim.By && r.Claim.Hash != "" && secretsEqual(GrantHash(r.ID, e.Nonce), r.Claim.Hash)
}

func reportCall(r Record, e Event, now int64) Change {
	switch {
	case e.By.Role != Agent || e.By.Name != r.Principal:
		return refuseEvent(r, Forbidden, "only the agent that claimed a call may report on it")
	case e.Status != Executed && e.Status != Failed && e.Status != Ambiguous:
		return refuseEvent(r, Invalid, "invalid status: want executed, failed or ambiguous, saw "+jsonval.Quoted(string(e.Status)))
	case (r.State == Ambiguous || contradicts(&r, e)) && ownsClaim(&r, e):
		c := refuseEvent(r, Conflict, "the report came too late, so the call counts as ambiguous. The outcome was written into the audit")
		if r.State != Ambiguous {
			c.Answer.Text = "the call was reported as " + string(r.State) + " before. The later report was written into the audit. If one of them says that the call ran, or may have run, it counts"
		}
		c.Note = lateOutcome(&r, e, now)
		return c
	case r.State != Claimed:
		return refuseEvent(r, Conflict, refusalText(r.State))
	case !ownsClaim(&r, e):
		return refuseEvent(r, Conflict, "the grant belongs to another call; want the one from the answer to this call's claim")
	}
	r.Outcome = Result{Status: e.Status, Detail: e.Text, At: now}
	c := moveRecord(r, e.Status, e, now)
	if e.Status == Executed {
		c.Marks = e.Marks
	}
	return c
}

// contradicts reports whether a report says something else than an earlier one did.
func contradicts(r *Record, e Event) bool {
	return (r.State == Executed || r.State == Failed) && e.Status != r.State
}

func cancelCall(r Record, e Event, now int64) Change {
	switch {
	case e.By.Role != Agent || e.By.Name != r.Principal:
		return refuseEvent(r, Forbidden, "only the agent that proposed a call may cancel it")
	case r.State != Pending && r.State != Approved:
		return refuseEvent(r, Conflict, refusalText(r.State))
	}
	return moveRecord(r, Cancelled, e, now)
}

// revokeApproval takes an approval back. Every approver of the tenant may revoke, because
// this only makes the gate stricter.
func revokeApproval(r Record, e Event, now int64) Change {
	switch {
	case e.By.Role != Approver:
		return refuseEvent(r, Forbidden, "only an approver can revoke an approval")
	case r.State == Pending:
		return refuseEvent(r, Conflict, "the call is not decided yet: deny it instead")
	case r.State != Approved:
		return refuseEvent(r, Conflict, refusalText(r.State))
	}
	vote := Vote{By: e.By.Name, Channel: e.Channel, Reason: e.Text, Revoke: true, At: now}
	r.Votes = append(r.Votes[:len(r.Votes):len(r.Votes)], vote)
	return moveRecord(r, Denied, e, now)
}

// voidCall ends a call that nobody has claimed, if By has a part in its approval, also one of
// several, or gave the remembered yes that lets it through.
func voidCall(r Record, e Event, now int64) Change {
	recalled := r.Why.Recalled != nil && r.Why.Recalled.By == e.By.Name
	if r.State != Pending && r.State != Approved || !recalled && !slices.ContainsFunc(r.Votes, func(v Vote) bool { return v.Approve && v.isBy(e.By.Name) }) {
		return Change{Record: r}
	}
	why := "a key of " + e.By.Name + ", who had approved the call, was removed: propose the call again"
	if e.Text != "" {
		why = e.Text
	}
	c := endApproval(r, e, string(Void), why, now)
	c.Entry.By, c.Entry.Role, c.Answer = "", "", Answer{}
	return c
}

// endApproval ends an approved call that may not be claimed any more, and says why. The agent
// may propose the call again.
func endApproval(r Record, e Event, event, why string, now int64) Change {
	r.Stopped = Stop{Text: why, At: now}
	c := moveRecord(r, Cancelled, e, now)
	c.Entry.Event, c.Entry.Text, c.Answer = event, why, Answer{Code: Conflict, Text: why}
	return c
}

// MostAnswer is the largest answer of an approver in bytes.
const MostAnswer = 4000

// answerCall settles a call with a text for the model. Every approver who may deny the call
// may answer, because nothing runs.
func answerCall(r Record, e Event, now int64) Change {
	switch {
	case e.By.Role != Approver:
		return refuseEvent(r, Forbidden, "only an approver can answer a call")
	case !r.MayDecide(e.By.Name, now):
		return refuseEvent(r, Forbidden, "this call waits for the decision of a different approver")
	case r.State != Pending:
		return refuseEvent(r, Conflict, refusalText(r.State))
	case !secretsEqual(e.Digest, r.Digest):
		return refuseEvent(r, Conflict, "the digest belongs to another call: the call that was shown is not the call that would be answered; want the digest of the call as it is now")
	case strings.TrimSpace(e.Text) == "":
		return refuseEvent(r, Invalid, "write an answer: it is the text for the model")
	case len(e.Text) > MostAnswer:
		return refuseEvent(r, Invalid, "the answer has "+strconv.Itoa(len(e.Text))+" bytes; want at most "+strconv.Itoa(MostAnswer))
	}
	vote := Vote{By: e.By.Name, Channel: e.Channel, Reason: e.Text, Answer: true, At: now}
	r.Votes = append(r.Votes[:len(r.Votes):len(r.Votes)], vote)
	c := moveRecord(r, Answered, e, now)
	c.Write.Alive = now
	return c
}

// refusalText returns the text that says why an event is refused in this state.
func refusalText(s State) string {
	switch s {
	case Pending, Proposed:
		return "the call is not decided yet"
	case Approved:
		return "the call is approved already"
	case Claimed:
		return "the call was claimed already"
	case Superseded:
		return "an approver edited the call, and the edited call stands in its place"
	case Answered:
		return "an approver answered the call with a text, so it does not run"
	case Ambiguous:
		return "the call was claimed, but it is not known whether the call ran. Find this out before you retry the call"
	}
	return "the call is " + string(s)
}

// secretsEqual compares two secrets or digests in constant time.
func secretsEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// GrantHash returns the hash of a claim's nonce, which is stored in place of the nonce.
// The hash is valid only for the record with this id.
func GrantHash(id, nonce string) string { return hashOf("boundcheck.grant/1", id, nonce) }

// TextHash returns the hash of a text that was shown.
func TextHash(text string) string { return hashOf("boundcheck.text/1", text) }

// hashOf returns the hash of several fields. The length of each field is hashed before
// the field, so that no two different lists of fields have the same encoding.
func hashOf(fields ...string) string {
	h := sha256.New()
	for _, f := range fields {
		n := uint64(len(f))
		h.Write([]byte{byte(n >> 56), byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		h.Write([]byte(f))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
