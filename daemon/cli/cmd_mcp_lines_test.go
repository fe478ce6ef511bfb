package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const initialized = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// reply is what a line of the server's output says.
type reply struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// brokenLines are lines that are no request which a server can serve, with the answer that each gets: its id and its code. Those
// without a code get none.
var brokenLines = map[string]struct {
	line string
	id   any
	code int
}{
	"no JSON":                    {"hello", nil, -32700},
	"half an object":             {`{"jsonrpc":"2.0","id":1,"method":"pi`, nil, -32700},
	"two objects":                {`{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, nil, -32700},
	"something after the object": {`{"jsonrpc":"2.0","id":1,"method":"ping"} x`, nil, -32700},
	"single quotes":              {`{'jsonrpc':'2.0','id':1,'method':'ping'}`, nil, -32700},
	"a header":                   {"Content-Length: 40", nil, -32700},
	"no UTF-8":                   {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\xff\"}", nil, -32700},
	"a zero byte":                {"\x00", nil, -32700},
	"deep":                       {strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), nil, -32700},
	"too long":                   {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 2<<20) + `"}}`, nil, -32700},
	"a number":                   {"7", nil, -32600},
	"null":                       {"null", nil, -32600},
	"a string":                   {`"ping"`, nil, -32600},
	"an empty object":            {"{}", nil, -32600},
	"no version":                 {`{"id":1,"method":"ping"}`, 1.0, -32600},
	"another version":            {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, 1.0, -32600},
	"a version that is a number": {`{"jsonrpc":2.0,"id":1,"method":"ping"}`, 1.0, -32600},
	"no method":                  {`{"jsonrpc":"2.0","id":1}`, 1.0, -32600},
	"a method that is a number":  {`{"jsonrpc":"2.0","id":"a","method":7}`, "a", -32600},
	"another case":               {`{"jsonrpc":"2.0","ID":1,"Method":"ping"}`, nil, -32600},
	"an id of null":              {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, -32600},
	"an id that is an object":    {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, -32600},
	"an id that is true":         {`{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, -32600},
	"an id with a fraction":      {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, 1.5, -32600},
	"an id that is too large":    {`{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, 1e300, -32600},
	"an empty batch":             {"[]", nil, -32600},
	"a batch":                    {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, nil, -32600},
	"an unknown method":          {`{"jsonrpc":"2.0","id":1,"method":"tools/forget"}`, 1.0, -32601},
	"an empty method":            {`{"jsonrpc":"2.0","id":1,"method":""}`, 1.0, -32601},
	"an unknown tool":            {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forget"}}`, 1.0, -32602},
	"parameters in a list":       {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["search"]}`, 1.0, -32602},
	"parameters in a string":     {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"search"}`, 1.0, -32602},
	"an unknown notification":    {`{"jsonrpc":"2.0","method":"notifications/nothing"}`, nil, 0},
	"a cancel of nothing":        {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, nil, 0},
	"an answer to nothing":       {`{"jsonrpc":"2.0","id":99,"result":{}}`, nil, 0},
	"an error without an id":     {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`, nil, 0},
	"an empty line":              {"", nil, 0},
	"blanks":                     {" \t\r", nil, 0},
}

// TestMCPBrokenLines writes broken lines of every kind to one server: each gets the answer that JSON-RPC has for it, and the request
// after it is answered as ever.
func TestMCPBrokenLines(t *testing.T) {
	cmd := exec.Command("nightjar", "mcp", "--data", foundFolder(t)) // see TestMain
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	say := func(text string) {
		if _, err := io.WriteString(in, text); err != nil {
			t.Fatalf("the server reads no more: %v", err)
		}
	}
	next := func() reply {
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatalf("the server answers no more: %v", err)
		}
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%.200q: %v", line, err)
		}
		return r
	}
	say(fmt.Sprintf(initialized, "2025-06-18"))
	if r := next(); r.ID != "hello" || r.Error != nil {
		t.Fatalf("initialize: %+v", r)
	}
	for name, broken := range brokenLines {
		say(broken.line + "\n")
		if broken.code != 0 {
			if r := next(); r.ID != broken.id || r.Error == nil || r.Error.Code != broken.code || r.Error.Message == "" {
				t.Errorf("%s: %+v %+v, want id %v and code %d", name, r, r.Error, broken.id, broken.code)
			}
		}
		after, err := json.Marshal("after " + name)
		if err != nil {
			t.Fatal(err)
		}
		say(`{"jsonrpc":"2.0","id":` + string(after) + `,"method":"tools/call","params":{"name":"search","arguments":{"text":"barrage"}}}` + "\n")
		if r := next(); r.ID != "after "+name || r.Error != nil || !strings.Contains(string(r.Result), "b.test") {
			t.Errorf("after %s: %+v %s", name, r, r.Result)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 {
		t.Errorf("at the end of input: %q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("end: %v", err)
	}
}

// mcpOnce gives the server its whole input at once, and returns the lines that it answers until it ends.
func mcpOnce(t *testing.T, dir, input string) []string {
	t.Helper()
	cmd := exec.Command("nightjar", "mcp", "--data", dir) // see TestMain
	cmd.Stdin = strings.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Errorf("%v, %s", err, errs.String())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

// TestMCPEndOfInput: what was asked before the input ended is answered, also when the last line has no end.
func TestMCPEndOfInput(t *testing.T) {
	dir := foundFolder(t)
	for range 5 {
		input := fmt.Sprintf(initialized, "2025-06-18")
		want := map[any]bool{"hello": true}
		for i := range 20 {
			input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"text":"barrage"}}}`+"\nbroken\n", i)
			want[float64(i)] = true
		}
		input += `{"jsonrpc":"2.0","id":"last","method":"tools/list"}`
		want["last"] = true
		broken := 0
		for _, line := range mcpOnce(t, dir, input) {
			var r reply
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			switch {
			case r.ID == nil && r.Error.Code == -32700:
				broken++
			case !want[r.ID] || r.Error != nil:
				t.Errorf("%s", line)
			}
			delete(want, r.ID)
		}
		if len(want) > 0 || broken != 20 {
			t.Fatalf("%d errors, not answered: %v", broken, want)
		}
	}
}

// TestMCPBatches: the versions of the protocol that have batches get an array of answers for one, and one error for each of its
// parts that is no request.
func TestMCPBatches(t *testing.T) {
	dir := foundFolder(t)
	batches := `[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/nothing"},{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
[{"jsonrpc":"2.0","method":"notifications/nothing"}]
[1,2]
[]
`
	lines := mcpOnce(t, dir, fmt.Sprintf(initialized, "2025-03-26")+batches)
	if len(lines) != 4 {
		t.Fatalf("%d lines: %.300q", len(lines), lines)
	}
	said := map[string]bool{}
	for _, line := range lines[1:] {
		var many []reply
		if err := json.Unmarshal([]byte(line), &many); err != nil {
			many = make([]reply, 1)
			if err := json.Unmarshal([]byte(line), &many[0]); err != nil || many[0].Error == nil || many[0].Error.Code != -32600 {
				t.Errorf("%s: %v", line, err)
			}
			said["one"] = true
			continue
		}
		count := map[string]int{}
		for _, r := range many {
			code := 0
			if r.Error != nil {
				code = r.Error.Code
			}
			count[fmt.Sprint(r.ID, " ", code)]++
		}
		said[fmt.Sprint(count)] = true
	}
	for _, want := range []string{"one", "map[1 0:1 2 -32600:1 2 0:1 <nil> -32600:1]", "map[<nil> -32600:2]"} {
		if !said[want] {
			t.Errorf("no %s in %v", want, said)
		}
	}
	if lines := mcpOnce(t, dir, batches); len(lines) != 4 || strings.Count(strings.Join(lines, ""), "-32600") != 4 {
		t.Errorf("before the version is known: %q", lines)
	}
}
