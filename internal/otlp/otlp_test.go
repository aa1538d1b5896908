package otlp

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// putBytes writes a field with bytes.
func putBytes(n int, data string) string {
	b := binary.AppendUvarint(nil, uint64(n<<3|2))
	b = binary.AppendUvarint(b, uint64(len(data)))
	return string(b) + data
}

func putNumber(n int, v uint64) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(n<<3)), v))
}

func putFixed(n int, v uint64) string {
	return string(binary.LittleEndian.AppendUint64(binary.AppendUvarint(nil, uint64(n<<3|1)), v))
}

func drawRequest() string {
	attribute := func(key, value string) string { return putBytes(9, putBytes(1, key)+putBytes(2, value)) }
	span := putBytes(1, "\x01\xab") + putBytes(2, "\x02") + putBytes(5, "execute_tool cancel_order") + putNumber(6, 3) + putFixed(7, 1700000000000000001) +
		attribute("gen_ai.tool.name", putBytes(1, "cancel_order")) + attribute("n", putNumber(3, math.MaxUint64)) + attribute("d", putFixed(4, math.Float64bits(0.5))) +
		attribute("yes", putNumber(2, 1)) + attribute("list", putBytes(5, putBytes(1, putBytes(1, "a"))+putBytes(1, putBytes(1, "b")))) + attribute("map", putBytes(6, putBytes(1, putBytes(1, "k")+putBytes(2, putBytes(1, "v"))))) +
		putBytes(15, putBytes(2, "bad")+putNumber(3, 2)) + putBytes(99, "unknown")
	return putBytes(1, putBytes(1, putBytes(1, putBytes(1, "service.name")+putBytes(2, putBytes(1, "agent"))))+putBytes(2, putBytes(1, putBytes(1, "sdk"))+putBytes(2, span)))
}

func TestProtobuf(t *testing.T) {
	got, err := JSON([]byte(drawRequest()), TypeProtobuf)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"agent"}}]},"scopeSpans":[{"scope":{"name":"sdk"},"spans":[{"attributes":[` +
		`{"key":"gen_ai.tool.name","value":{"stringValue":"cancel_order"}},{"key":"n","value":{"intValue":"-1"}},{"key":"d","value":{"doubleValue":0.5}},{"key":"yes","value":{"boolValue":true}},` +
		`{"key":"list","value":{"arrayValue":{"values":[{"stringValue":"a"},{"stringValue":"b"}]}}},{"key":"map","value":{"kvlistValue":{"values":[{"key":"k","value":{"stringValue":"v"}}]}}}],` +
		`"kind":3,"name":"execute_tool cancel_order","spanId":"02","startTimeUnixNano":"1700000000000000001","status":{"code":2,"message":"bad"},"traceId":"01ab"}]}]}]}`
	if string(got) != want {
		t.Errorf("%s", got)
	}
}

// TestHostile checks that cut and changed messages neither panic nor take long.
func TestHostile(t *testing.T) {
	whole := drawRequest()
	for i := range whole {
		if _, err := JSON([]byte(whole[:i]), TypeProtobuf); err == nil && i > 0 {
			t.Errorf("%d of %d bytes were read", i, len(whole))
		}
	}
	r := rand.New(rand.NewPCG(48, 1))
	for range 2000 {
		b := []byte(whole)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		JSON(b, TypeProtobuf)
	}
	deep := putBytes(1, "x")
	for range 200 {
		deep = putBytes(5, putBytes(1, deep))
	}
	if _, err := JSON([]byte(putBytes(1, putBytes(2, putBytes(2, putBytes(9, putBytes(2, deep)))))), TypeProtobuf); err == nil || !strings.Contains(err.Error(), "deeply") {
		t.Error(err)
	}
	for body, kind := range map[string]string{`{}`: TypeJSON, `{"resourceSpans":`: TypeJSON, `x`: "text/plain"} {
		if _, err := JSON([]byte(body), kind); err == nil {
			t.Errorf("%s was read as %s", body, kind)
		}
	}
	if got, err := JSON([]byte("{\n \"resourceSpans\": []}"), TypeJSON); err != nil || string(got) != `{"resourceSpans":[]}` {
		t.Errorf("%s %v", got, err)
	}
}
