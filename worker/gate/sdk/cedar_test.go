package sdk

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
)

// cedarEngine decides with Cedar. The language has neither a history nor people, so the
// host counts and compares, and asks with 0, 1 and 2 approvals.
type cedarEngine struct{ set *cedar.PolicySet }

func newCedar(t testing.TB, name string) engine {
	t.Helper()
	file := "cedar/" + name + ".cedar"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The gate's own rule for all policies: who changes something needs a person.
	text = append(text, "permit (principal, action, resource) when { !context.changes || context.approvals >= 1 };\n"...)
	set, err := cedar.NewPolicySetFromBytes(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return &cedarEngine{set}
}

func (e *cedarEngine) decideCall(c *call, history []*call) answer {
	context := cedarContext(c, history)
	for people := range 3 {
		context["approvals"] = cedar.Long(people)
		if ok, _ := e.set.IsAuthorized(cedar.EntityMap{}, cedar.Request{Context: cedar.NewRecord(context)}); ok == cedar.Allow {
			return answer{people: people}
		}
	}
	return answer{deny: true}
}

// cedarContext returns the finished facts about a call.
func cedarContext(c *call, history []*call) cedar.RecordMap {
	berlin, _ := time.LoadLocation("Europe/Berlin")
	local := c.At.In(berlin)
	out := cedar.RecordMap{
		"tool": cedar.String(c.Tool), "agent": cedar.String(c.Agent), "changes": cedar.Boolean(c.mayChange()),
		"weekday": cedar.Long(local.Weekday()), "localTime": types.NewDuration(time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute),
	}
	for _, name := range []string{"env", "path", "query"} {
		if s, ok := c.Arguments[name].(string); ok {
			out[types.String(name)] = cedar.String(s)
		}
	}
	if u, err := url.Parse(fmt.Sprint(c.Arguments["url"])); err == nil && u.User == nil && strings.HasPrefix(u.Scheme, "http") {
		out["host"] = cedar.String(strings.ToLower(u.Hostname()))
	}
	if n, ok := c.Arguments["amount"].(float64); ok {
		out["amount"] = decimalOf(n)
	}
	text, _ := json.Marshal(c.Arguments)
	out["text"] = cedar.String(strings.ToLower(string(text)))
	other := false
	for name := range c.Arguments {
		other = other || !slices.Contains([]string{"order_id", "customer_id", "amount"}, name)
	}
	out["hasOther"] = cedar.Boolean(other)
	addCounts(out, c, history)
	return out
}

func decimalOf(n float64) types.Decimal {
	d, err := types.ParseDecimal(fmt.Sprintf("%.4f", n))
	if err != nil {
		panic(err)
	}
	return d
}

// addCounts adds what the host has counted.
func addCounts(out cedar.RecordMap, c *call, history []*call) {
	minute, hour, order, looked, sum := 0, 0, 0, false, 0.0
	for _, h := range history {
		age := c.At.Sub(h.At)
		same := fmt.Sprint(h.Arguments["order_id"]) == fmt.Sprint(c.Arguments["order_id"])
		if h.Tool == "get_order" && h.Agent == c.Agent && h.Outcome == "executed" && same && age < 24*time.Hour {
			var result struct{ Customer struct{ ID string } }
			json.Unmarshal([]byte(h.Detail), &result)
			looked = looked || c.Tool != "refund" || result.Customer.ID == c.Arguments["customer_id"]
		}
		if h.Outcome == "failed" || h.Tool != c.Tool {
			continue
		}
		if h.Agent == c.Agent && age < time.Minute {
			minute++
		}
		if h.Agent == c.Agent && age < time.Hour {
			hour++
		}
		if same && age < 30*24*time.Hour {
			order++
		}
		if n, ok := h.Arguments["amount"].(float64); ok && n >= 0 && h.Arguments["currency"] == "EUR" && age < 24*time.Hour {
			sum += n
		}
	}
	out["inLastMinute"], out["inLastHour"], out["sameOrder"], out["looked"] = cedar.Long(minute), cedar.Long(hour), cedar.Long(order), cedar.Boolean(looked)
	if n, ok := c.Arguments["amount"].(float64); ok && n >= 0 && c.Arguments["currency"] == "EUR" {
		out["sum"] = decimalOf(sum + n)
	}
}
