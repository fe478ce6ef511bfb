package assistant

import (
	"encoding/json"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// refusal is the answer to what is no message: an error of JSON-RPC. Its id is null where none can be known.
type refusal struct {
	Version string        `json:"jsonrpc"`
	ID      any           `json:"id"`
	Error   jsonrpc.Error `json:"error"`
}

func parseError(why string) *refusal {
	return &refusal{"2.0", nil, jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "parse error: " + why}}
}

func invalid(id any, why string) *refusal {
	return &refusal{"2.0", id, jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: " + why}}
}

func (r *refusal) encode() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic("assistant: an id that was read cannot be written")
	}
	return text
}

// parse reads a JSON value as a message. What is none is refused. A response that cannot be read is neither: nobody answers
// responses, and the server asks nothing.
func parse(text []byte) (jsonrpc.Message, *refusal) {
	var fields map[string]json.RawMessage // a struct would take names in any case
	if json.Unmarshal(text, &fields) != nil || fields == nil {
		return nil, invalid(nil, "it is not an object")
	}
	given, hasID := fields["id"]
	id, known := readID(given)
	var back any // the id, as far as it can be one
	if known || isNumber(given) {
		back = given
	}
	written, isRequest := fields["method"]
	if !isRequest && (fields["result"] != nil || fields["error"] != nil) {
		return readResponse(text), nil
	}
	var version, method string
	switch {
	case json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0":
		return nil, invalid(back, `"jsonrpc" is not "2.0"`)
	case !isRequest:
		return nil, invalid(back, "it has no method")
	case json.Unmarshal(written, &method) != nil || string(written) == "null":
		return nil, invalid(back, "the method is not a string")
	case hasID && !known:
		return nil, invalid(back, "the id is neither a string nor a whole number up to 2^53")
	}
	return &jsonrpc.Request{ID: id, Method: method, Params: fields["params"]}, nil
}

// readResponse returns nil for what is no response.
func readResponse(text []byte) jsonrpc.Message {
	if msg, err := jsonrpc.DecodeMessage(text); err == nil {
		return msg
	}
	return nil
}

// readID reads an id that can be given back as it is: the SDK holds numbers as int64, read as float64.
func readID(text json.RawMessage) (id jsonrpc.ID, ok bool) {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return id, false
	}
	if n, isNumber := value.(float64); value == nil || isNumber && (n != math.Trunc(n) || math.Abs(n) > 1<<53) {
		return id, false
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil
}

// isNumber tells a number from other JSON values.
func isNumber(text json.RawMessage) bool {
	return len(text) > 0 && (text[0] == '-' || '0' <= text[0] && text[0] <= '9')
}
