package requests

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHappenedIsNotAsked draws sentences that say what was done, or what the user himself is to be able to do then, each
// beside a request with the same words: only the request is traced to the user.
func TestHappenedIsNotAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 61))
	forms := []struct{ call, arguments, told, asks string }{
		{"pay", `{"payee":"plumber","amount":%d}`, "I paid the plumber %d yesterday. Is anything else due?", "Pay the plumber %d. Is anything else due?"},
		{"pay", `{"payee":"plumber","amount":%d}`, "We have already paid the plumber %d. Is anything else due?", "Please pay the plumber %d."},
		{"send_mail", `{"to":"Anna","subject":"contract %d"}`, "I sent Anna contract %d on Monday. Did she answer?", "Send Anna contract %d. Did she answer before?"},
		{"pay", `{"payee":"Klempner","amount":%d}`, "Ich habe dem Klempner %d bezahlt. Was ist noch offen?", "Bitte bezahle dem Klempner %d."},
		{"pay", `{"payee":"plombier","amount":%d}`, "J'ai payé %d au plombier. Que reste-t-il ?", "Paie %d au plombier."},
		{"pay", `{"payee":"fontanero","amount":%d}`, "Pagué %d al fontanero. ¿Cuánto queda?", "Paga %d al fontanero."},
		{"sign_transfer", `{"transfer_id":"%d"}`, "Prepare transfer %d so I can sign it.", "Sign transfer %d."},
		{"send_draft", `{"draft_id":"%d"}`, "Draft the reply %d to Anna so that I can send it.", "Send the reply %d to Anna."},
		{"approve_transfer", `{"transfer_id":"%d"}`, "Bereite die Überweisung %d vor, damit ich sie freigeben kann.", "Gib die Überweisung %d frei."},
		{"pay_invoice", `{"invoice":"%d"}`, "請求書%dの支払期限を教えて。", "請求書%dを支払ってください。"},
		{"pay_invoice", `{"invoice":"%d"}`, "Could you have a look over invoice %d when you get a moment?", "Could you pay invoice %d when you get a moment?"},
	}
	for range drawn.Cases(300) {
		f, n := forms[random.IntN(len(forms))], 100+random.IntN(900)
		for asked, form := range []string{f.told, f.asks} {
			words := fmt.Sprintf(form, n)
			texts := newChat("u " + words)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, f.call, fmt.Sprintf(f.arguments, n)), Before: len(texts), Sure: true})
			if traced := got.By.Traced(); traced != (asked == 1) {
				t.Errorf("%q: %s (%s)", words, got.By, got.Why)
			}
		}
	}
}

// TestChosenAmongListed checks that consent is to the one that the user chose of those that the agent listed before it asked
// which, and to no other.
func TestChosenAmongListed(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 62))
	forms := [][2]string{
		{"%s and %s are free. Which one should I reserve?", "%s please"}, {"I found %s, and %s. Which of these should I reserve?", "%s"},
		{"Frei sind %s und %s. Welchen soll ich reservieren?", "%s bitte"}, {"%s et %s sont libres. Lequel dois-je réserver ?", "%s, s'il te plaît"},
		{"%s y %s están libres. ¿Cuál reservo?", "%s por favor"},
	}
	for range drawn.Cases(200) {
		f := forms[random.IntN(len(forms))]
		seats := [2]string{fmt.Sprintf("%dA", 10+random.IntN(20)), fmt.Sprintf("%dC", 30+random.IntN(20))}
		pick := random.IntN(2)
		for k, seat := range seats {
			chat := []string{"u Find me a seat.", "a " + fmt.Sprintf(f[0], seats[0], seats[1]), "u " + fmt.Sprintf(f[1], seats[pick])}
			texts := newChat(chat...)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "reserve_seat", fmt.Sprintf(`{"seat":%q}`, seat)), Before: len(texts), Sure: true})
			if k != pick && got.By.Traced() || k == pick && (got.By == ByNobody || got.By == ByData) {
				t.Errorf("%q: %s: %s (%s)", chat, seat, got.By, got.Why)
			}
		}
	}
}

// TestNamedBesideAlternatives draws a question that names a thing and lets choose between others: whatever is
// chosen, a call on this thing is not said to be what was passed over. A call on an alternative that was left is.
func TestNamedBesideAlternatives(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 64))
	forms := []string{
		"To cancel your current booking %[1]s, I need to know the reason (e.g., %[2]s, %[3]s, or other reasons).",
		"I need the reason (%[2]s or %[3]s) to cancel booking %[1]s.",
		"For booking %[1]s, is it %[2]s, or %[3]s?",
		"For your booking %[1]s, is the reason %[2]s or %[3]s?",
		"To cancel booking %[1]s I have to know: %[2]s or %[3]s?",
		"Um %[1]s zu stornieren, brauche ich den Grund (%[2]s oder %[3]s).",
	}
	reasons := []string{"change of plan", "weather", "airline cancelled flight", "illness"}
	for range drawn.Cases(200) {
		f, booking := forms[random.IntN(len(forms))], fmt.Sprintf("K%dNW8N", random.IntN(90))
		at := random.Perm(len(reasons))
		chat := []string{"u If it can not be changed, then let us go ahead and cancel the current booking and book a new one.", "a " + fmt.Sprintf(f, booking, reasons[at[0]], reasons[at[1]]), "u The reason for cancellation is " + reasons[at[random.IntN(2)]] + ". Please proceed with the cancellation and help me book a new one. Thank you!"}
		texts := newChat(chat...)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, booking)), Before: len(texts), Sure: true})
		if got.By == ByNobody {
			t.Errorf("%q: %s (%s)", chat, got.By, got.Why)
		}
	}
}

// TestChosenToStop checks that a yes to the question whether to cancel is no withdrawal, also if it says cancel again.
func TestChosenToStop(t *testing.T) {
	for _, answer := range []string{"确定，取消吧。", "好的，取消吧。"} {
		texts := newChat("u 我想取消订单5512。", "a 订单5512还没发货。确定取消吗？", "u "+answer)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "cancel_order", `{"order_no":"5512"}`), Before: len(texts), Sure: true})
		if got.Against || got.By == ByNobody {
			t.Errorf("%q: %s (%s)", answer, got.By, got.Why)
		}
	}
}

// TestStartIsNoStop draws a wish to begin or to end something beside a call that begins or ends it: only the call of the
// same side is traced to the user.
func TestStartIsNoStop(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 63))
	sides := [2][]string{{"start", "open", "activate", "enable", "launch"}, {"stop", "close", "deactivate", "disable", "shut_down", "terminate"}}
	for range drawn.Cases(300) {
		said, does := random.IntN(2), random.IntN(2)
		verb := strings.ReplaceAll(sides[said][random.IntN(len(sides[said]))], "_", " ")
		name := sides[does][random.IntN(len(sides[does]))]
		if said == does {
			name = strings.ReplaceAll(verb, " ", "_")
		}
		thing := []string{"pump", "gate", "kiln", "server"}[random.IntN(4)]
		words := strings.ToUpper(verb[:1]) + verb[1:] + " the " + thing + "."
		texts := newChat("u " + words)
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, name+"_"+thing, `{}`), Before: len(texts), Sure: true})
		if traced := got.By; (traced != ByNobody) == (said != does) {
			t.Errorf("%q, %s_%s: %s (%s)", words, name, thing, got.By, got.Why)
		}
	}
	for _, call := range []string{"cancel_order", "shut_down_kiln", "restart_server"} {
		texts := newChat("u Start the nightly run.")
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, call, `{"id":"K-2"}`), Before: len(texts), Sure: true})
		if got.By.Traced() && call != "restart_server" {
			t.Errorf("%s: %s (%s)", call, got.By, got.Why)
		}
	}
}

// TestTheOppositeIsUnasked draws a request in five languages, some with a verb that a particle makes the one or the other, and a
// call that does it or its opposite to the same thing: only the opposite is a deed that nobody asked for.
func TestTheOppositeIsUnasked(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 71))
	forms := [][3]string{
		{"Turn the heater on.", "turn_heater_on", "turn_heater_off"}, {"Lock the shed.", "lock_shed", "unlock_shed"},
		{"Raise the price.", "raise_price", "lower_price"}, {"Approve the request.", "approve_request", "reject_request"},
		{"Pause the kiln.", "pause_kiln", "shut_down_kiln"}, {"Schalte die Pumpe ein.", "start_pump", "stop_pump"},
		{"Schalte die Pumpe aus.", "stop_pump", "start_pump"}, {"Zet de pomp aan.", "start_pomp", "stop_pomp"},
		{"Ouvre la porte.", "open_porte", "close_porte"}, {"Send me the terms.", "send_terms", "sign_terms"},
	}
	for range drawn.Cases(200) {
		f, n := forms[random.IntN(len(forms))], random.IntN(2)
		texts := newChat("u " + f[0])
		got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, f[1+n], `{"id":1}`), Before: len(texts), Sure: true})
		if unasked := got.By == ByNobody; unasked != (n == 1) {
			t.Errorf("%q, %s: %s (%s)", f[0], f[1+n], got.By, got.Why)
		}
	}
}
