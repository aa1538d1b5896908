package wire

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// heavy is a generator of bodies that are hard for their size. write returns a body of n
// elements: calls, names, values or bytes.
type heavy struct {
	name, method string
	write        func(n int) string
}

// step is one call of a run or of a reference. A step with a text is a message.
type step struct {
	name, args string
	result     string // of a run
}

func writeSteps(steps []step) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":%q,"arguments":%s}`, s.name, s.args)
	}
	return "[" + b.String() + "]"
}

// writeRun returns a run as messages of a chat, with one message for each call.
func writeRun(said string, steps []step) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"messages":[{"role":"user","content":%s}`, quoteText(said))
	for i, s := range steps {
		result := s.result
		if result == "" {
			result = "ok"
		}
		fmt.Fprintf(&b, `,{"role":"assistant","tool_calls":[{"id":"c%d","function":{"name":%q,"arguments":%s}}]},{"role":"tool","tool_call_id":"c%d","content":%s}`,
			i, s.name, quoteText(s.args), i, quoteText(result))
	}
	return b.String() + "]}"
}

// writeMessages returns the messages of a run alone.
func writeMessages(said string, steps []step) string {
	return strings.TrimSuffix(strings.TrimPrefix(writeRun(said, steps), `{"messages":`), "}")
}

func quoteText(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func writeScored(run []step, reference string) string {
	return `{"trace":` + writeRun("Please help.", run) + `,"reference":` + reference + asSOP
}

// repeatStep returns n steps.
func repeatStep(n int, of func(i int) step) []step {
	out := make([]step, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

func orderStep(tool, format string, shift int) func(int) step {
	return func(i int) step { return step{name: tool, args: fmt.Sprintf(format, i+shift)} }
}

func shuffleSteps(steps []step) []step {
	out := append([]step(nil), steps...)
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// drawSteps returns n steps of a few symbols, which both sides draw in a related order.
func drawSteps(n, symbols int, seed uint64) []step {
	random, edits := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(seed, 5))
	return repeatStep(n, func(int) step {
		k := random.IntN(symbols)
		if edits.IntN(5) == 0 {
			k = edits.IntN(symbols)
		}
		return step{name: "press", args: fmt.Sprintf(`{"key":"k%d"}`, k)}
	})
}

func anyOrder(steps []step) string { return `{"steps":[{"anyOrder":` + writeSteps(steps) + `}]}` }

func joinEach(n int, of func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(of(i))
	}
	return b.String()
}

// writeMembers returns an object of n members.
func writeMembers(n, shift int) string {
	return "{" + joinEach(n, func(i int) string { return fmt.Sprintf(`"k%d":%d`, i, i+shift) }) + "}"
}

// pairsOf returns a list of n objects, from the first number by steps of by.
func pairsOf(n, first, by int) string {
	return `{"items":[` + joinEach(n, func(i int) string { return fmt.Sprintf(`{"id":"I-%d","q":%d}`, first+i*by, i%7) }) + "]}"
}

// verbs and things make tool names that are different and related.
var (
	verbs  = []string{"cancel", "delete", "remove", "update", "create", "send", "book", "move", "close", "open", "assign", "archive"}
	things = []string{"order", "ticket", "invoice", "user", "file", "issue", "page", "room", "event", "task"}
)

// relatedName returns the i-th of many names of related tools.
func relatedName(i int) string {
	return fmt.Sprintf("%s_%s_%s%d", verbs[i%len(verbs)], things[i/len(verbs)%len(things)], things[i/7%len(things)], i/120)
}

// heavies lists the generators: those of the reviews first, then those of each sort of
// input that a caller can make large. Those with a reference are scored under both profiles.
var heavies = underOutcome(slices.Concat(generators, detourGenerators, talkGenerators, readGenerators))

// outcome ends the names of generators under the profile outcome.
const outcome = " (outcome)"

// kind returns the name of a generator under any profile.
func (h *heavy) kind() string { return strings.TrimSuffix(h.name, outcome) }

const asSOP = `,"profile":"sop"}`

// underOutcome adds a generator under the profile outcome for each one under sop.
func underOutcome(of []heavy) []heavy {
	out := of[:len(of):len(of)]
	for _, h := range of {
		if strings.HasSuffix(h.write(1), asSOP) {
			out = append(out, heavy{h.name + outcome, h.method, func(n int) string {
				return strings.TrimSuffix(h.write(n), asSOP) + `,"profile":"outcome"}`
			}})
		}
	}
	return out
}

var generators = []heavy{
	{"any order", "score", func(n int) string {
		calls := repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))
		return writeScored(shuffleSteps(calls), anyOrder(calls))
	}},
	{"any order, one argument equal", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X1","n":%d}`, 0)), anyOrder(repeatStep(n, orderStep("cancel_order", `{"id":"X1","n":%d}`, n/2))))
	}},
	{"any order, all equal", "score", func(n int) string {
		same := repeatStep(n, func(int) step { return step{name: "cancel_order", args: `{"id":"X1"}`} })
		return writeScored(same, anyOrder(same))
	}},
	{"any order, related names", "score", func(n int) string {
		calls := repeatStep(n, func(i int) step { return step{name: relatedName(i), args: fmt.Sprintf(`{"id":"X%d"}`, i%50)} })
		return writeScored(shuffleSteps(calls), anyOrder(calls))
	}},
	{"any order of sequences", "score", func(n int) string {
		calls := repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))
		return writeScored(shuffleSteps(calls), `{"steps":[{"anyOrder":[`+joinEach(n/2, func(i int) string {
			return `{"sequence":` + writeSteps(calls[2*i:2*i+2]) + `}`
		})+`]}]}`)
	}},
	{"any order before a step, many times", "score", func(n int) string {
		calls := repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))
		return writeScored(shuffleSteps(calls), `{"steps":[`+joinEach(n/8, func(i int) string {
			return `{"anyOrder":` + writeSteps(calls[8*i:8*i+7]) + `},{"name":"cancel_order","arguments":` + calls[8*i+7].args + `}`
		})+`]}`)
	}},
	{"optional steps", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0)), `{"steps":[`+joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"optional":{"name":"cancel_order","arguments":{"id":"X%d"}}}`, n-i)
		})+`]}`)
	}},
	{"one of many", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0)), `{"steps":[{"oneOf":`+writeSteps(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 1)))+`}]}`)
	}},
	{"distinct names", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("cancel_order%d", i), args: "{}"} }),
			writeSteps(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("delete_item%d", i), args: "{}"} })))
	}},
	{"related names", "score", func(n int) string {
		name := func(shift int) func(int) step {
			return func(i int) step { return step{name: relatedName(i + shift), args: fmt.Sprintf(`{"id":%d}`, i%9)} }
		}
		return writeScored(repeatStep(n, name(0)), writeSteps(repeatStep(n, name(60))))
	}},
	{"disjoint", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0)), writeSteps(repeatStep(n, orderStep("cancel_order", `{"id":"Y%d"}`, 0))))
	}},
	{"shuffled", "score", func(n int) string {
		calls := repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))
		return writeScored(shuffleSteps(calls), writeSteps(calls))
	}},
	{"shuffled, one argument equal", "score", func(n int) string {
		calls := repeatStep(n, orderStep("cancel_order", `{"id":"X1","n":%d}`, 0))
		return writeScored(shuffleSteps(calls), writeSteps(calls))
	}},
	{"groups of similar calls", "score", func(n int) string {
		call := func(shift int) func(int) step {
			return func(i int) step {
				return step{name: "set_item", args: fmt.Sprintf(`{"a":%d,"b":%d,"c":%d}`, i%97, i%89, i+shift)}
			}
		}
		return writeScored(shuffleSteps(repeatStep(n, call(0))), writeSteps(repeatStep(n, call(1))))
	}},
	{"two symbols", "score", func(n int) string { return writeScored(drawSteps(n, 2, 1), writeSteps(drawSteps(n, 2, 2))) }},
	{"twenty symbols", "score", func(n int) string { return writeScored(drawSteps(n, 20, 1), writeSteps(drawSteps(n, 20, 2))) }},
	{"keys", "score", func(n int) string {
		calls := func(shift int) []step {
			return repeatStep(3, func(int) step { return step{name: "update_order", args: writeMembers(n, shift)} })
		}
		return writeScored(calls(0), writeSteps(calls(1)))
	}},
	{"keys, other names", "score", func(n int) string {
		calls := func(letter string) []step {
			return repeatStep(2, func(int) step {
				return step{name: "update_order", args: strings.ReplaceAll(writeMembers(n, 0), "k", letter)}
			})
		}
		return writeScored(calls("k"), writeSteps(calls("q")))
	}},
	{"distinct keys", "score", func(n int) string {
		calls := func(letter string) []step {
			return repeatStep(n, func(i int) step {
				return step{name: "update_order", args: fmt.Sprintf(`{"id":%d,"%s%d":1}`, i%9, letter, i)}
			})
		}
		return writeScored(calls("k"), writeSteps(calls("q")))
	}},
	{"list reversed", "score", func(n int) string {
		one, other := step{name: "update_order", args: pairsOf(n, 0, 1)}, step{name: "update_order", args: pairsOf(n, n-1, -1)}
		return writeScored([]step{one, one}, writeSteps([]step{other, other}))
	}},
	{"list in parts", "score", func(n int) string {
		whole := step{name: "delete_files", args: `{"files":[` + joinEach(n, func(i int) string { return fmt.Sprintf(`"f%d.txt"`, i) }) + "]}"}
		return writeScored(repeatStep(n, orderStep("delete_file", `{"file":"f%d.txt"}`, 1)), writeSteps([]step{whole}))
	}},
	{"lists of ids", "score", func(n int) string {
		list := func(shift int) func(int) step {
			return func(i int) step {
				return step{name: "delete_orders", args: fmt.Sprintf(`{"order_ids":["W-%d","W-%d","W-%d"]}`, i+shift, i+shift+1, i+2*shift+2)}
			}
		}
		return writeScored(repeatStep(n, list(0)), writeSteps(repeatStep(n, list(1))))
	}},
	{"ids in results", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step {
			return step{name: "update_order", args: fmt.Sprintf(`{"order_id":"W-%d"}`, 7*i), result: fmt.Sprintf(`{"orders":["W-%d","W-%d"]}`, 7*i+7, 7*i+8)}
		}), writeSteps(repeatStep(n, orderStep("update_order", `{"order_id":"W-%d"}`, 3))))
	}},
	{"failed calls", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step {
			return step{name: "cancel_order", args: fmt.Sprintf(`{"id":"X%d"}`, i), result: "Error: not found"}
		}), writeSteps(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))))
	}},
	{"one call again and again", "score", func(n int) string {
		return writeScored(repeatStep(n, func(int) step { return step{name: "cancel_order", args: `{"id":"X1"}`} }), writeSteps(repeatStep(n/2, orderStep("cancel_order", `{"id":"X%d"}`, 0))))
	}},
	{"forbidden steps", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0)), `{"steps":[`+joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"name":"cancel_order","arguments":{"id":"Y%d"},"mustNot":true}`, i)
		})+`]}`)
	}},
	{"accepted values", "score", func(n int) string {
		return writeScored(repeatStep(n/10, orderStep("cancel_order", `{"id":"X%d","why":"late"}`, 0)), `{"steps":[`+joinEach(n/10, func(i int) string {
			return fmt.Sprintf(`{"name":"cancel_order","arguments":{"id":"X%d","why":"dear"},"accept":{"why":["a","b","c","d","e","f","late"]},"ignore":["at","*.x"]}`, i+1)
		})+`]}`)
	}},
	{"texts to say", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0)), `{"steps":[],"says":[`+joinEach(n, func(i int) string { return fmt.Sprintf(`"order X%d is cancelled"`, i) })+`]}`)
	}},
	{"aliases", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("tool%d", i), args: `{"id":1}`} }),
			`{"steps":`+writeSteps(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("other%d", i), args: `{"id":1}`} }))+`,"aliases":[`+
				joinEach(n, func(i int) string { return fmt.Sprintf(`["tool%d","other%d"]`, i, i) })+`]}`)
	}},
	{"compositions", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("part%d", i), args: `{"id":1}`} }),
			`{"steps":`+writeSteps(repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("whole%d", i), args: `{"id":1}`} }))+`,"compositions":[`+
				joinEach(n, func(i int) string {
					return fmt.Sprintf(`{"whole":"whole%d","parts":["part%d","part%d"]}`, i, i, i+1)
				})+`]}`)
	}},
	{"clicks", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("click", `{"index":%d}`, 0)), writeSteps(shuffleSteps(repeatStep(n, orderStep("click", `{"index":%d}`, 0)))))
	}},
	{"long texts", "score", func(n int) string {
		text := func(shift int) func(int) step {
			return func(i int) step {
				return step{name: "send_email", args: fmt.Sprintf(`{"to":"a@example.com","text":"%s"}`, strings.Repeat(fmt.Sprintf("word%d and ", (i+shift)%70), 12))}
			}
		}
		return writeScored(repeatStep(n, text(0)), writeSteps(repeatStep(n, text(1))))
	}},
	{"one long text", "score", func(n int) string {
		return writeScored([]step{{name: "send_email", args: `{"text":"` + strings.Repeat("the order is late, ", n) + `"}`}},
			writeSteps([]step{{name: "send_email", args: `{"text":"` + strings.Repeat("the order was late, ", n) + `"}`}}))
	}},
	{"deep arguments", "score", func(n int) string {
		deep := func(leaf int) string {
			return strings.Repeat(`{"a":`, 200) + fmt.Sprint(leaf) + strings.Repeat("}", 200)
		}
		return writeScored(repeatStep(n/200+1, func(i int) step { return step{name: "set_item", args: deep(i)} }), writeSteps(repeatStep(n/200+1, func(i int) step { return step{name: "set_item", args: deep(i + 1)} })))
	}},
	{"escapes", "score", func(n int) string {
		return writeScored([]step{{name: "write_file", args: `{"text":"` + strings.Repeat(`\\\"`, n) + `"}`}}, writeSteps([]step{{name: "write_file", args: `{"text":"` + strings.Repeat(`\u0041`, n) + `"}`}}))
	}},
	{"shell lines", "score", func(n int) string {
		line := func(shift int) func(int) step {
			return func(i int) step {
				return step{name: "bash", args: fmt.Sprintf(`{"command":"cd /tmp && rm -rf f%d | tee log%d"}`, i+shift, i)}
			}
		}
		return writeScored(repeatStep(n, line(0)), writeSteps(repeatStep(n, line(1))))
	}},
	{"steps without a run", "score", func(n int) string {
		return writeScored(nil, writeSteps(repeatStep(n, orderStep("cancel_order", `{"id":"X%d"}`, 0))))
	}},
	{"lint: distinct writes", "score", func(n int) string {
		return `{"trace":` + writeRun("Cancel them.", repeatStep(n, orderStep("cancel_order", `{"order_id":"W-%d"}`, 0))) + `}`
	}},
	{"lint: distinct tools", "score", func(n int) string {
		return `{"trace":` + writeRun("Do it.", repeatStep(n, func(i int) step { return step{name: relatedName(i), args: fmt.Sprintf(`{"order_id":"W-%d"}`, i%9)} })) + `}`
	}},
	{"lint: one write again and again", "score", func(n int) string {
		return `{"trace":` + writeRun("Cancel it.", repeatStep(n, func(int) step { return step{name: "cancel_order", args: `{"order_id":"W-1"}`} })) + `}`
	}},
	{"lint: records in results", "score", func(n int) string {
		return `{"trace":` + writeRun("Cancel them.", repeatStep(n, func(i int) step {
			return step{name: "cancel_order", args: fmt.Sprintf(`{"order_id":"W-%d"}`, i), result: fmt.Sprintf(`{"order_id":"W-%d","user":"user_%d","items":[{"id":"A-%d","name":"lamp"},{"id":"B-%d","name":"chair"}]}`, i+1, i, i, i)}
		})) + `}`
	}},
	{"lint: messages to those in results", "score", func(n int) string {
		return `{"trace":` + writeRun("Write to all of them.", repeatStep(n, func(i int) step {
			return step{name: "send_email", args: fmt.Sprintf(`{"to":"p%d@example.com","text":"Hello"}`, i), result: fmt.Sprintf("Next is p%d@example.com of room %d.", i+1, i)}
		})) + `}`
	}},
	{"lint: a long policy", "score", func(n int) string {
		policy := strings.Repeat("Never cancel an order unless the user confirms it. You must call get_order before cancel_order. ", n)
		run := writeRun("Cancel it.", repeatStep(20, orderStep("cancel_order", `{"order_id":"W-%d"}`, 0)))
		return `{"trace":` + strings.Replace(run, `{"messages":[`, `{"messages":[{"role":"system","content":`+quoteText(policy)+`},`, 1) + `}`
	}},
	{"lint: many tool definitions", "score", func(n int) string {
		run := writeRun("Do it.", repeatStep(n, func(i int) step { return step{name: relatedName(i), args: `{"id":"W-1"}`} }))
		return `{"trace":` + strings.TrimSuffix(run, "}") + `,"tools":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":"Does it.","parameters":{"type":"object","properties":{"id":{"type":"string"}}}}}`, relatedName(i))
		}) + `]}}`
	}},
	{"lint: talk", "score", func(n int) string {
		return `{"trace":{"messages":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"role":"user","content":"My order is W-%d."},{"role":"assistant","content":"I cancelled order W-%d and refunded %d.50 dollars."}`, i, i, i)
		}) + `]}}`
	}},
	{"many runs", "score", func(n int) string {
		return `[` + joinEach(n/4+1, func(i int) string {
			return fmt.Sprintf(`{"id":"r%d","task":"t%d","messages":[{"role":"user","content":"Cancel W-%d."},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"cancel_order","arguments":"{\"id\":\"W-%d\"}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}]}`, i, i%9, i, i)
		}) + `]`
	}},
	{"check: pending calls", "check", func(n int) string {
		return `{"tool":"cancel_order","arguments":{"order_id":"W-1"},"messages":` + writeMessages("Cancel W-1.", repeatStep(n, orderStep("cancel_order", `{"order_id":"W-%d"}`, 0))) + `}`
	}},
	{"check: values", "check", func(n int) string {
		return `{"tool":"update_order","arguments":` + writeMembers(n, 0) + `,"messages":` + writeMessages("Update it.", []step{{name: "get_order", args: "{}", result: writeMembers(n, 7)}}) + `}`
	}},
	{"check: a long line", "check", func(n int) string {
		return `{"tool":"bash","arguments":{"command":` + quoteText(strings.Repeat("ls -l | grep x; ", n)) + `}}`
	}},
	{"check: nested substitutions", "check", func(n int) string {
		return `{"tool":"bash","arguments":{"command":` + quoteText(strings.Repeat("echo $(", n)+strings.Repeat(")", n)) + `}}`
	}},
	{"check: a long query", "check", func(n int) string {
		return `{"tool":"query","arguments":{"sql":` + quoteText("SELECT * FROM t WHERE "+strings.Repeat("a = 'x' OR (b IN (1, 2) AND c <> 3) OR ", n)+"1=1") + `}}`
	}},
	{"check: tools", "check", func(n int) string {
		return `{"tool":"tool1","arguments":{"id":1},"tools":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"name":"tool%d","description":"Deletes item %d.","inputSchema":{"type":"object"}}`, i, i)
		}) + `]}`
	}},
}

// writeUpTo returns a body of at most the given number of bytes, and nearly as many.
func (h *heavy) writeUpTo(bytes int) string {
	n, body := 16, ""
	for range 40 {
		body = h.write(n)
		want := int(float64(n) * float64(bytes) / float64(len(body)))
		if len(body) <= bytes && want < n+n/50+8 {
			return body
		}
		if len(body) > bytes {
			want = min(want, n-1)
		}
		n = max(want, 1)
	}
	return body
}
