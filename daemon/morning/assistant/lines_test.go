package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
)

func ready(_ context.Context, _ string, _ url.Values, _ any) error { return nil }

// serve gives the whole input to a server, and returns the answers by their ids as JSON, those in batches too.
func serve(t *testing.T, input string) (answers map[string]int) {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), ready, nil, "test", iotest.OneByteReader(strings.NewReader(input)), &out); err != nil {
		t.Fatalf("it ended with %v", err)
	}
	answers = map[string]int{}
	for line := range strings.Lines(out.String()) {
		one := json.RawMessage(line)
		many := []json.RawMessage{one}
		if line[0] == '[' {
			if err := json.Unmarshal(one, &many); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		for _, one := range many {
			var said struct {
				ID     json.RawMessage
				Method string
			}
			if err := json.Unmarshal(one, &said); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if said.Method == "" { // it is no notification
				answers[string(said.ID)]++
			}
		}
	}
	return answers
}

// expected says how many answers each id is to get, by the rules of JSON-RPC 2.0 and of the protocol's line of text, told once more: a
// request with an id gets one under it, a notification and a response none, and everything else one under null.
func expected(input string, batches bool) map[string]int {
	want := map[string]int{}
	for line := range strings.Lines(strings.TrimPrefix(input, "\ufeff")) {
		text := strings.Trim(line, " \t\r\n\v\f\u0085\u00a0")
		var many []any
		var one any
		switch {
		case text == "":
		case len(line) > MaxLine || strings.ToValidUTF8(text, "") != text || json.Unmarshal([]byte(text), &one) != nil:
			want["null"]++
		case json.Unmarshal([]byte(text), &many) != nil || many == nil || len(many) == 0 || !batches:
			expectOne(want, one)
		default:
			for _, one := range many {
				expectOne(want, one)
			}
		}
	}
	return want
}

func expectOne(want map[string]int, one any) {
	object, _ := one.(map[string]any)
	id, hasID := object["id"]
	_, hasMethod := object["method"]
	_, named := object["method"].(string)
	_, hasResult := object["result"]
	_, hasError := object["error"]
	switch n, number := id.(float64); {
	case !hasMethod && (hasResult || hasError): // a response
	case object["jsonrpc"] == "2.0" && named && !hasID: // a notification
	case number && n == 0:
		want["0"]++ // also for -0
	default:
		switch id.(type) {
		case string, float64:
			text, _ := json.Marshal(id) // it was JSON
			want[string(text)]++
		default:
			want["null"]++
		}
	}
}

// TestEveryRequestIsAnswered puts lines of every kind in one input, in many orders.
func TestEveryRequestIsAnswered(t *testing.T) {
	input := strings.Join(seeds, "\n")
	for i := range seeds {
		cut := strings.Index(input, seeds[i])
		checkAnswers(t, "2025-11-25", input[cut:]+"\n"+input[:cut])
		checkAnswers(t, "2025-03-26", input[cut:]+"\n"+input[:cut])
	}
}

func checkAnswers(t *testing.T, version, input string) {
	t.Helper()
	input = fmt.Sprintf(`{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+
		"\n%s\n"+`{"jsonrpc":"2.0","id":"the end","method":"ping"}`, version, input)
	want, got := expected(input, version == "2025-03-26"), serve(t, input)
	for id := range want {
		if got[id] != want[id] {
			t.Errorf("%s: %d answers with the id %s, want %d, to %q", version, got[id], id, want[id], input)
		}
	}
	for id := range got {
		if want[id] == 0 {
			t.Errorf("%s: %d answers with the id %s, want none, to %q", version, got[id], id, input)
		}
	}
}

var seeds = []string{
	`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`,
	`{"jsonrpc":"2.0","id":"1","method":"tools/list"}`,
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"topics"}}`,
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"why","arguments":{"find":"x"}}}`,
	`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
	`{"jsonrpc":"2.0","id":4,"method":"notifications/cancelled","params":{"requestId":4}}`,
	`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`,
	`{"jsonrpc":"2.0","id":6,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}},"notifications":{"toolsListChanged":true}}}`,
	`{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	`{"jsonrpc":"2.0","id":8,"result":{}}`,
	`{"jsonrpc":"2.0","id":null,"error":{}}`,
	`[{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"ping"},3,[]]`,
	`[]`, `[1`, `{}`, `null`, `1.5`, "\xff", "\ufeff{}", "x", "",
	`{"jsonrpc":"2.0","id":1e0,"id":2e0,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":-0,"method":"ping","params":[]}`,
	`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":false,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":10,"method":"completion/complete"}`,
	`{"jsonrpc":"2.0","id":11,"method":"logging/setLevel","params":{"level":"debug"}}`,
	`{"jsonrpc":"2.0","id":12,"method":"resources/subscribe","params":{"uri":"x"}}`,
	`{"jsonrpc":"2.0","id":13,"method":"prompts/get"}`,
	`{"jsonrpc":"2.0","id":14,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`,
}

// FuzzLines: whatever lines come, in whatever order, every request with an id gets exactly one answer, and the server ends only at the end
// of its input.
func FuzzLines(f *testing.F) {
	for _, seed := range seeds {
		f.Add(false, seed)
		f.Add(true, seed+"\r\n"+seed)
	}
	f.Fuzz(func(t *testing.T, batches bool, input string) {
		version := "2025-11-25"
		if batches {
			version = "2025-03-26"
		}
		checkAnswers(t, version, input)
	})
}
