package assistant

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/orders"
)

// TestHostileAnswers asks each tool for an answer whose every text is hostile: it is data in a well-formed answer, after the
// sentence that says so.
func TestHostileAnswers(t *testing.T) {
	effort.Long(t)
	var text string
	read := func(_ context.Context, _ string, _ url.Values, into any) error {
		fill(reflect.ValueOf(into).Elem(), text)
		return nil
	}
	here, there := mcp.NewInMemoryTransports()
	made, err := New(read, func(_ context.Context, _ orders.Ask, into any) error { return read(t.Context(), "", nil, into) }, "test")
	if err != nil {
		t.Fatal(err)
	}
	server, err := made.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close() // it ends with the test
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close() // it ends with the test
	tools, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range hostile.Texts(t) {
		text = strings.ToValidUTF8(one, "?") // the store has no other
		for _, tool := range tools.Tools {
			asked := map[string]any{}
			switch tool.Name {
			case "search":
				asked["text"] = text
			case "why":
				asked["find"] = 1
			case "mark":
				asked["find"], asked["mark"] = 1, text
			case "crawl_for":
				asked["topic"] = 1
			case "crawl_result":
				asked["task"] = 1
			}
			res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: asked})
			if err != nil || res.IsError || len(res.Content) != 2 {
				t.Fatalf("%s with %.60q: %+v %v", tool.Name, text, res, err)
			}
			if first := res.Content[0].(*mcp.TextContent).Text; first != strangers {
				t.Errorf("%s with %.60q begins with %q", tool.Name, text, first)
			}
			var answer map[string]any
			if err := json.Unmarshal([]byte(res.Content[1].(*mcp.TextContent).Text), &answer); err != nil {
				t.Errorf("%s with %.60q: %v", tool.Name, text, err)
			}
			if !reflect.DeepEqual(answer, res.StructuredContent) {
				t.Errorf("%s with %.60q: text and structure differ", tool.Name, text)
			}
			if encoded, err := json.Marshal(text); err != nil || !strings.Contains(res.Content[1].(*mcp.TextContent).Text, string(encoded)) {
				t.Errorf("%s: %.60q is not in the answer (%v)", tool.Name, text, err)
			}
		}
	}
}

// fill puts a text into each string of a value, with one element in each list.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	}
}
