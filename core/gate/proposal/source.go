package proposal

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Source is the origin of one value of a call. It is found in the conversation, without a
// model.
type Source struct {
	Path string `json:"path"` // in the form of Confirmation's paths
	// Kind is user, tool, policy, schema, computed, nowhere or chosen, as in package
	// provenance.
	Kind string `json:"kind"`
	Text string `json:"text"` // a description, with characters that do not print escaped
	// Ungrounded marks a value that must come from somewhere, but that nobody named
	// before the agent did. It occurs nowhere else, or a tool returned it only after the
	// agent had named it.
	Ungrounded bool `json:"ungrounded,omitempty"`
}

// traceSources returns the origins of the arguments' values. It returns nil if the
// conversation is missing or too long. It returns an empty list if no value can be
// traced.
func (p *Proposal) traceSources(arguments jsonval.Value) []Source {
	c := p.Conversation
	if c == nil || c.size > mostSaid {
		return nil
	}
	texts := c.texts
	if strings.TrimSpace(p.Policy) != "" {
		texts = append(texts[:len(texts):len(texts)], provenance.Text{From: provenance.FromPolicy, Message: -1, Call: -1, Text: p.Policy})
	}
	for i := range p.Tools {
		if t := &p.Tools[i]; t.Name == p.Tool && t.Trusted {
			texts = append(texts[:len(texts):len(texts)], provenance.Text{From: provenance.FromSchema, Message: -1, Call: -1, Text: t.Description + "\n" + t.Parameters.Raw()})
		}
	}
	var queries []provenance.Query
	appendLeaves(&queries, "", "", arguments, 1)
	for i := range queries {
		queries[i].Before = len(texts)
	}
	out := []Source{}
	for i, o := range provenance.Trace(texts, queries) {
		if o.Kind == provenance.Untraced {
			continue
		}
		s := Source{Path: o.Path, Kind: o.Kind.String(), Ungrounded: o.Kind == provenance.Nowhere || isEchoed(&o)}
		s.Text = c.describeOrigin(texts, &queries[i], &o)
		out = append(out, s)
	}
	return out
}

// isEchoed reports whether the agent had named a value before a tool's answer contained
// the value. Such an answer may only repeat the agent's words, so the answer is not a
// source. Only values that must have an origin count (see Class.Exact).
func isEchoed(o *provenance.Origin) bool {
	return o.Kind == provenance.Tool && o.Class.Exact() && o.Agent >= 0 && o.Agent < o.Text
}

// appendLeaves appends the scalars in v to out, with their paths. It leaves out scalars
// beyond the limits of a prompt.
func appendLeaves(out *[]provenance.Query, path, key string, v jsonval.Value, depth int) {
	if len(*out) >= maxFields || len(path) > maxText || depth > maxDepth {
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			appendLeaves(out, Step(path, name), name, m, depth+1)
			return len(*out) < maxFields
		})
	case jsonval.Array:
		for i, m := range v.Elements() {
			appendLeaves(out, path+"["+strconv.Itoa(i)+"]", key, m, depth+1)
		}
	default:
		*out = append(*out, provenance.Query{Path: path, Key: key, Value: v})
	}
}

// describeOrigin describes the origin of a value in words, for example "the user, message
// 3" or "nowhere: the model made it up". Names and values that others wrote are escaped.
// If they are not plain, they are also quoted.
func (c *Conversation) describeOrigin(texts []provenance.Text, q *provenance.Query, o *provenance.Origin) string {
	switch o.Kind {
	case provenance.Chosen:
		return "the model, which chose this word itself"
	case provenance.Computed:
		if o.Text < 0 {
			return "other values: " + o.Formula
		}
		return "the word " + o.Formula + ": " + c.describeWriter(&texts[o.Text])
	case provenance.Nowhere:
		s := "nowhere: the model made it up"
		if c.blind {
			s = "nowhere in words; some parts of the conversation are not text"
		}
		if o.Agent >= 0 {
			s += "; first in " + c.describeWriter(&texts[o.Agent])
		}
		if o.Near != nil {
			s += "; alike: " + safeName(o.Near.Value) + ", " + c.describeWriter(&texts[o.Near.Text])
		}
		return s
	}
	s := c.describeWriter(&texts[o.Text])
	if o.Kind == provenance.Tool {
		if at := placeOf(q, texts[o.Text].Text); at != "" {
			s += ", " + at
		}
		if isEchoed(o) {
			s += "; the model named this value first, in message " + strconv.Itoa(texts[o.Agent].Message+1)
		}
	}
	return s
}

// describeWriter names the author and the place of a text. The numbers of messages and
// calls begin at 1.
func (c *Conversation) describeWriter(x *provenance.Text) string {
	message := ", message " + strconv.Itoa(x.Message+1)
	switch x.From {
	case provenance.FromUser:
		return "the user" + message
	case provenance.FromAgent:
		return "the model" + message
	case provenance.FromTool:
		if x.Call >= 0 && c.tools[x.Call] != "" {
			return safeName(c.tools[x.Call]) + ", call " + strconv.Itoa(x.Call+1)
		}
		return "a tool" + message
	case provenance.FromSchema:
		return "the tool's definition"
	}
	return "the instructions"
}

// longestName is the number of bytes that are shown of a name from others.
const longestName = 80

// safeName returns a name or value in a form that cannot be mistaken for Boundcheck's own
// words. It shortens a long name, and it quotes and escapes a name that is not plain.
func safeName(name string) string {
	more := ""
	if len(name) > longestName {
		name, more = strings.ToValidUTF8(name[:longestName], ""), "…"
	}
	if isPlainKey(name) {
		return name + more
	}
	return `"` + EscapeAlso(name, `\"`) + `"` + more
}

// longestAnswer is the largest tool answer that is parsed again to find a value's place.
const longestAnswer = 256 << 10

// placeOf returns the path of the first scalar in a tool's JSON answer that contains the
// value of q. It returns "" if no scalar does, or if the answer is not JSON. It also
// returns "" if the answer or the path is too long.
func placeOf(q *provenance.Query, answer string) string {
	if len(answer) > longestAnswer {
		return ""
	}
	v, err := jsonval.Parse(answer)
	if err != nil || v.Kind() != jsonval.Object && v.Kind() != jsonval.Array {
		return ""
	}
	var found []provenance.Query
	appendPlaces(&found, "", v, 1)
	texts := make([]string, len(found))
	for i := range found {
		texts[i] = found[i].Value.Text()
	}
	at := provenance.First(*q, texts)
	if at < 0 || len(found[at].Path) > longestName {
		return ""
	}
	return found[at].Path
}

// appendPlaces appends to out the scalars of a tool's answer, with their paths.
func appendPlaces(out *[]provenance.Query, path string, v jsonval.Value, depth int) {
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			appendPlaces(out, Step(path, name), m, depth+1)
			return true
		})
	case jsonval.Array:
		for i, m := range v.Elements() {
			appendPlaces(out, path+"["+strconv.Itoa(i)+"]", m, depth+1)
		}
	default:
		*out = append(*out, provenance.Query{Path: path, Value: v})
	}
}

// bySource returns a map from the path of each source to the source. It returns nil if
// there are no sources.
func bySource(all []Source) map[string]*Source {
	if len(all) == 0 {
		return nil
	}
	out := make(map[string]*Source, len(all))
	for i := range all {
		out[all[i].Path] = &all[i]
	}
	return out
}

// Ungrounded returns a text for the model that lists the ungrounded values of the call.
// These are values that occur only in the model's own words. It returns "" if there are
// no such values.
func Ungrounded(sources []Source) string {
	const enough = 8
	var b strings.Builder
	n := 0
	for i := range sources {
		s := &sources[i]
		if !s.Ungrounded {
			continue
		}
		if n++; n == 1 {
			b.WriteString("\nThese values occur only in your own words:\n")
		}
		if n <= enough {
			writeTexts(&b, "- ", cutPath(s.Path), ": ", s.Text, "\n")
		}
	}
	if n > enough {
		writeTexts(&b, "- and ", strconv.Itoa(n-enough), " more\n")
	}
	return b.String()
}

func cutPath(path string) string {
	if len(path) > longestName {
		return strings.ToValidUTF8(path[:longestName], "") + "…"
	}
	return path
}
