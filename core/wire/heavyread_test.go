package wire

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/study/compare"
)

// otherDoors are the methods of generators that have no method of Handle: what the command does
// with a file.
var otherDoors = map[string]handler{
	"read": func(body []byte) (any, error) {
		request, err := core.ReadRequest(body)
		if err != nil {
			return nil, err
		}
		return reading.All("file", &request), nil
	},
	"reference": func(body []byte) (any, error) {
		if _, err := reference.Read(string(body)); err != nil {
			return err.Error(), nil
		}
		return "read", nil
	},
	"consensus": func(body []byte) (any, error) {
		r, err := scoreBody(body)
		return core.Agree(&r), err
	},
	"compare": func(body []byte) (any, error) {
		half := bytes.Index(body[1:], []byte(`{"id":"r0"`)) + 1
		a, err := scoreBody(body[:half])
		if err != nil {
			return nil, err
		}
		b, err := scoreBody(body[half:])
		if err != nil {
			return nil, err
		}
		return compare.Reports(&a, &b, 1, 0)
	},
}

func scoreBody(body []byte) (core.Report, error) {
	request, err := core.ReadRequest(body)
	if err != nil {
		return core.Report{}, err
	}
	return core.Evaluate(request)
}

// handleAny answers a generator's body.
func (h *heavy) handleAny(body []byte) ([]byte, bool) {
	if door := otherDoors[h.method]; door != nil {
		return Guard(h.method, door, body)
	}
	return Handle(h.method, body)
}

// shortRuns returns n runs of a call each, with m runs of each task.
func shortRuns(n, m int) string {
	return joinTexts(n, func(i int) string {
		return fmt.Sprintf(`{"id":"r%d","task":"t%d","messages":[{"role":"user","content":"Cancel W-%d."},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"cancel_order","arguments":"{\"id\":\"W-%d\"}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}]}`, i, i/m, i, i) + "\n"
	})
}

func joinEvents(n int, of func(i int) string) string {
	return joinTexts(n, func(i int) string { return "data: " + of(i) + "\n\n" })
}

// readGenerators are texts that are hard to read, and files of many runs.
var readGenerators = []heavy{
	{"read: pieces of one call", "score", func(n int) string {
		return joinEvents(n, func(i int) string {
			if i == 0 {
				return `{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"cancel_order"}`
			}
			return `{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":" "}`
		}) + joinEvents(2, func(i int) string {
			return []string{`{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"id\":1}"}`, `{"type":"TOOL_CALL_END","toolCallId":"c1"}`}[i]
		})
	}},
	{"read: pieces of many calls", "score", func(n int) string {
		return joinEvents(4*n, func(i int) string {
			k := i / 4
			return []string{fmt.Sprintf(`{"type":"TOOL_CALL_START","toolCallId":"c%d","toolCallName":"cancel_order"}`, k), fmt.Sprintf(`{"type":"TOOL_CALL_ARGS","toolCallId":"c%d","delta":"{\"id\":%d}"}`, k, k),
				fmt.Sprintf(`{"type":"TOOL_CALL_END","toolCallId":"c%d"}`, k), fmt.Sprintf(`{"type":"TOOL_CALL_RESULT","toolCallId":"c%d","content":"ok"}`, k)}[i%4]
		})
	}},
	{"read: pieces of calls that are open together", "score", func(n int) string {
		return joinEvents(n, func(i int) string {
			return fmt.Sprintf(`{"type":"TOOL_CALL_START","toolCallId":"c%d","toolCallName":"cancel_order"}`, i)
		}) +
			joinEvents(n, func(i int) string {
				return fmt.Sprintf(`{"type":"TOOL_CALL_ARGS","toolCallId":"c%d","delta":"{}"}`, n-1-i)
			})
	}},
	{"read: chunks of a stream", "score", func(n int) string {
		return joinEvents(n, func(i int) string {
			return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"cancel_order","arguments":"{}"}}]}}]}`, i, i)
		})
	}},
	{"read: a long table", "score", func(n int) string {
		return "id,task,tool,arguments,result\n" + joinTexts(n, func(i int) string {
			return fmt.Sprintf("r%d,t%d,cancel_order,\"{\"\"id\"\":%d}\",ok\n", i, i, i)
		})
	}},
	{"read: a long Markdown table", "read", func(n int) string {
		return "| run | tool | arguments |\n|---|---|---|\n" + joinTexts(n, func(i int) string { return fmt.Sprintf("| r%d | cancel_order | {\"id\":%d} |\n", i, i) })
	}},
	{"read: a table of many columns", "read", func(n int) string {
		return joinTexts(n, func(i int) string { return fmt.Sprintf("c%d,", i) }) + "\n" + joinTexts(n, func(i int) string { return fmt.Sprintf("%d,", i) }) + "\n"
	}},
	{"read: nested records", "read", func(n int) string {
		return `{"a":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"id":"r%d","steps":[{"tool":"cancel_order","args":{"id":%d}}]}`, i, i)
		}) + `],"b":[` + joinEach(n, func(i int) string { return fmt.Sprintf(`{"id":"q%d","calls":[]}`, i) }) + `]}`
	}},
	{"read: records by name", "read", func(n int) string {
		return `{` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`"run%d":{"messages":[{"role":"user","content":"Cancel %d."}]}`, i, i)
		}) + `}`
	}},
	{"read: records in records", "read", func(n int) string {
		return strings.Repeat(`{"runs":[{"id":"a","messages":[]},`, min(n, 2000)) + `{}` + strings.Repeat(`]}`, min(n, 2000)) + strings.Repeat(" ", n)
	}},
	{"read: objects of unlike names", "read", func(n int) string {
		return `[` + joinEach(n, func(i int) string { return fmt.Sprintf(`{"a%d":1,"b%d":{"c%d":[2]}}`, i, i, i) }) + `]`
	}},
	{"read: references to characters", "score", func(n int) string {
		return writeScored([]step{{name: "send_email", args: `{"text":` + quoteText(strings.Repeat("&lt;b&gt;&amp;amp;&#65;", n)) + `}`}}, writeSteps([]step{{name: "send_email", args: `{"text":` + quoteText(strings.Repeat("<b>&amp;A", n)) + `}`}}))
	}},
	{"read: an unended reference to a character", "score", func(n int) string {
		return writeScored([]step{{name: "send_email", args: `{"text":` + quoteText(strings.Repeat("&#", n)) + `}`}}, writeSteps([]step{{name: "send_email", args: `{"text":` + quoteText(strings.Repeat("&am", n)) + `}`}}))
	}},
	{"read: elements", "score", func(n int) string {
		return `{"messages":[{"role":"assistant","content":` + quoteText(joinTexts(n, func(i int) string {
			return fmt.Sprintf(`<invoke name="cancel_order"><parameter name="id">W-%d</parameter></invoke>`, i)
		})) + `}]}`
	}},
	{"read: elements that are open", "score", func(n int) string {
		return `{"messages":[{"role":"assistant","content":` + quoteText(strings.Repeat(`<invoke name="cancel_order"><parameter name="id">`, n)) + `}]}`
	}},
	{"read: calls as text", "score", func(n int) string {
		return `{"messages":[{"role":"assistant","content":` + quoteText(joinTexts(n, func(i int) string {
			return fmt.Sprintf("Thought: so\nAction: cancel_order\nAction Input: {\"id\":%d}\nObservation: ok\n", i)
		})) + `}]}`
	}},
	{"read: fences that are open", "score", func(n int) string {
		return `{"messages":[{"role":"assistant","content":` + quoteText(strings.Repeat("```json\n{\"tool\":\"a\",\n", n)) + `}]}`
	}},
	{"read: calls of Python", "reference", func(n int) string {
		return quoteText("[" + joinEach(n, func(i int) string { return fmt.Sprintf("cancel_order(id='W-%d', of=[1, {'a': (2)}])", i) }) + "]")
	}},
	{"read: brackets that are open", "score", func(n int) string {
		return `{"messages":[{"role":"assistant","content":` + quoteText(strings.Repeat("cancel_order(id=[{", 3*n)) + `}]}`
	}},
	{"read: a log of a console", "read", func(n int) string {
		return joinTexts(n, func(i int) string {
			return fmt.Sprintf("2026-01-01 10:00:%02d INFO calling cancel_order {\"id\":%d}\nresult: ok\n", i%60, i)
		})
	}},
	{"read: YAML", "read", func(n int) string {
		return "runs:\n" + joinTexts(n, func(i int) string {
			return fmt.Sprintf("  - id: r%d\n    tool: cancel_order\n    arguments: {id: %d}\n", i, i)
		})
	}},
	{"read: spans", "read", func(n int) string {
		return `{"spans":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"trace_id":"t","span_id":"s%d","parent_id":"s%d","name":"execute_tool cancel_order","attributes":{"gen_ai.tool.name":"cancel_order","gen_ai.tool.call.arguments":"{\"id\":%d}"}}`, i, i+1, i)
		}) + `]}`
	}},
	{"read: results without calls", "score", func(n int) string {
		return `{"messages":[` + joinEach(n, func(i int) string { return fmt.Sprintf(`{"role":"tool","tool_call_id":"x%d","content":"ok"}`, i) }) + `]}`
	}},
	{"read: one id again and again", "score", func(n int) string {
		return `{"messages":[` + joinEach(n, func(i int) string {
			return fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"cancel_order","arguments":"{\"id\":%d}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}`, i)
		}) + `]}`
	}},
	{"read: a talk that grows", "score", func(n int) string {
		k := 1
		for k*k < n {
			k++
		}
		return joinTexts(k, func(i int) string {
			return `{"messages":[{"role":"user","content":"Go."}` + joinTexts(i, func(j int) string {
				return fmt.Sprintf(`,{"role":"assistant","tool_calls":[{"id":"c%d","function":{"name":"cancel_order","arguments":"{}"}}]}`, j)
			}) + "]}\n"
		})
	}},
	{"read: runs of one task", "score", func(n int) string { return shortRuns(n, n+1) }},
	{"read: steps by numbers of runs", "read", func(n int) string {
		return joinTexts(n, func(i int) string {
			return fmt.Sprintf(`{"run_id":"r%d","step":%d,"tool":"cancel_order","args":{"id":%d}}`, i%50, i, i) + "\n"
		})
	}},
	{"read: a text of words", "read", func(n int) string { return strings.Repeat("call the tool cancel_order with id 7, then stop. ", n) }},
	{"reference: steps as lines", "reference", func(n int) string {
		return joinTexts(n, func(i int) string { return fmt.Sprintf("%d. cancel_order(id=\"W-%d\")\n", i+1, i) })
	}},
	{"reference: nested", "reference", func(n int) string {
		return `{"steps":[` + joinEach(n/20+1, func(i int) string {
			return strings.Repeat(`{"sequence":[`, 10) + fmt.Sprintf(`{"name":"cancel_order","arguments":{"id":%d}}`, i) + strings.Repeat(`]}`, 10)
		}) + `]}`
	}},
	{"consensus: one task", "consensus", func(n int) string { return shortRuns(n/4+2, n+2) }},
	{"consensus: two runs of each task", "consensus", func(n int) string { return shortRuns(n/4+2, 2) }},
	{"compare: two files", "compare", func(n int) string { return shortRuns(n/8+2, 2) + shortRuns(n/8+2, 2) }},
	{"policy: rules", "score", func(n int) string {
		policy := joinTexts(n, func(i int) string {
			return fmt.Sprintf("You must call get_order%d before cancel_order%d. Never refund more than $%d. ", i, i, i)
		})
		return lintTalk([]talkStep{{role: "system", text: policy}, {role: "user", text: "Go.", calls: repeatStep(n, func(i int) step { return step{name: fmt.Sprintf("cancel_order%d", i), args: `{"id":1}`} })}})
	}},
	{"policy: one sentence", "score", func(n int) string {
		return lintTalk([]talkStep{{role: "system", text: strings.Repeat("never cancel it unless the user agrees or ", n)}, {role: "user", text: "Go.", calls: repeatStep(50, cancelCall)}})
	}},
	{"map: unknown objects", "map", func(n int) string {
		return `[` + joinEach(n, func(i int) string { return fmt.Sprintf(`{"what":"cancel_order","with":{"id":%d},"n%d":1}`, i, i) }) + `]`
	}},
	{"repair: commas and quotes", "repair", func(n int) string { return "[" + strings.Repeat("{'a': 1,}, ", n) + "]" }},
	{"order: parts of one step", "score", func(n int) string {
		return writeScored(repeatStep(n, orderStep("add_item", `{"cart":"C-1","item":"I-%d"}`, 0)), writeSteps(repeatStep(n/4+1, func(i int) step {
			return step{name: "add_items", args: fmt.Sprintf(`{"cart":"C-1","items":["I-%d","I-%d","I-%d","I-%d"]}`, 4*i, 4*i+1, 4*i+2, 4*i+3)}
		})))
	}},
	{"order: one call with the values of several steps", "score", func(n int) string {
		values := func(of, n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `,"a%d_%d":"value %d %d"`, of, i, of, i)
			}
			return "{" + strings.TrimPrefix(b.String(), ",") + "}"
		}
		return writeScored([]step{{name: "renew_all_things", args: values(0, n)}}, writeSteps(repeatStep(3, func(i int) step {
			return step{name: fmt.Sprintf("step_%d", i), args: values(i+1, n/3+1)}
		})))
	}},
	{"order: work that was opened is closed", "score", func(n int) string {
		both := append(repeatStep(n, orderStep("open_ticket", `{"ticket_id":"T-%d"}`, 0)), repeatStep(n, orderStep("close_ticket", `{"ticket_id":"T-%d"}`, 0))...)
		return writeScored(both[:n], writeSteps(both))
	}},
	{"order: dependent steps in another order", "score", func(n int) string {
		both := repeatStep(2*n, func(i int) step {
			if i%2 == 0 {
				return step{name: "create_order", args: fmt.Sprintf(`{"order_id":"W-%d"}`, i/2)}
			}
			return step{name: "pay_order", args: fmt.Sprintf(`{"order_id":"W-%d","of":"W-%d"}`, i/2, i/2+1)}
		})
		return writeScored(shuffleSteps(both), writeSteps(both))
	}},
	{"order: what was seen before changes", "score", func(n int) string {
		both := repeatStep(2*n, func(i int) step {
			if i%2 == 0 {
				return step{name: "get_order", args: `{"order_id":"W-1"}`, result: fmt.Sprintf(`{"status":"s%d"}`, i)}
			}
			return step{name: "update_order", args: fmt.Sprintf(`{"order_id":"W-1","status":"t%d"}`, i)}
		})
		return writeScored(both, writeSteps(shuffleSteps(both)))
	}},
	{"story: many causes", "score", func(n int) string {
		return writeScored(repeatStep(n, func(i int) step {
			s := step{name: relatedName(i), args: fmt.Sprintf(`{"id":"X%d","email":"p%d@example.com"}`, i, i)}
			if i%3 == 0 {
				s.result = fmt.Sprintf("Error: X%d is locked", i)
			}
			return s
		}), writeSteps(repeatStep(n, func(i int) step {
			return step{name: relatedName(i + 1), args: fmt.Sprintf(`{"id":"Y%d","email":"p%d@example.com"}`, i, i)}
		})))
	}},
}
