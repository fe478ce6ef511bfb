package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nightjar/daemon/app"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

// writing is a daemon whose topic can be crawled, in a made-up web that counts requests.
type writing struct {
	*app.App
	webtest.Demo
	dir   string
	asked atomic.Int64 // requests to the web
}

func newWriting(t *testing.T) *writing {
	t.Helper()
	w := &writing{}
	var file string
	file, w.Demo = webtest.Seed(t)
	web := w.Demo.Web.Handler()
	sites := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.asked.Add(1)
		web.ServeHTTP(out, r)
	}))
	t.Cleanup(sites.Close)
	w.dir = t.TempDir()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(w.dir, "nightjar.db"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.App = serveApp(t, app.Config{Data: w.dir, Resolve: []string{"*.test=" + sites.Listener.Addr().String()}})
	s, err := w.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Delay, s.Archive.Enabled = 0, false
	if err := w.Store.SaveSettings(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return w
}

// token makes a token that may do something.
func (w *writing) token(t *testing.T, name, may string, pages int) string {
	t.Helper()
	text, err := token.NewKeeper(w.Store, time.Now).Make(t.Context(), name, token.ScopeRead, 0)
	all, err2 := token.All(t.Context(), w.Store.DB)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if err := token.Allow(t.Context(), w.Store.DB, all[len(all)-1].ID, may, pages); err != nil {
		t.Fatal(err)
	}
	return text
}

// connect starts "nightjar mcp" with a token.
func (w *writing) connect(t *testing.T, text string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command("nightjar", "mcp", "--data", w.dir) // see TestMain
	cmd.Env = append(os.Environ(), tokenVariable+"="+text)
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the program ends with its input
	return s
}

// refused calls a tool that must answer with an error, and returns it.
func refused(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || !res.IsError {
		t.Fatalf("%s %v: %+v, %v", tool, args, res, err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// TestMCPSearches asks for a search as an assistant does: nothing is fetched before the person's yes, and what was found is there
// later.
func TestMCPSearches(t *testing.T) {
	w := newWriting(t)
	s := w.connect(t, w.token(t, "Claude", token.MayAsk, 100))
	_, made := ask(t, s, "crawl_for", map[string]any{"topic": w.Topic, "pages": 60})
	if made["state"] != orders.Waiting || !strings.Contains(made["says"].(string), "yes") || w.asked.Load() != 0 {
		t.Fatalf("%v, %d requests", made, w.asked.Load())
	}
	task := map[string]any{"task": made["task"]}
	if says := refused(t, s, "crawl_for", map[string]any{"topic": w.Topic, "pages": 41}); !strings.Contains(says, "40 are left") {
		t.Errorf("over the pages of a day: %s", says)
	}
	if err := w.Desk.Decide(t.Context(), int64(made["task"].(float64)), true); err != nil {
		t.Fatal(err)
	}
	var done map[string]any
	texts := []string{}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if texts, done = ask(t, s, "crawl_result", task); done["state"] == "done" {
			break
		}
		if done["state"] != "running" || time.Now().After(deadline) {
			t.Fatalf("%v", done)
		}
	}
	if n := done["fetched"].(float64); n < 1 || n > 60 || w.asked.Load() == 0 || !strings.Contains(texts[0], "written by strangers") {
		t.Errorf("%v fetched; %q", n, texts[0])
	}
	for _, one := range done["finds"].([]any) {
		if one.(map[string]any)["from_the_web"].(map[string]any)["url"] == "" {
			t.Errorf("%v", one)
		}
	}
	_, second := ask(t, s, "crawl_for", map[string]any{"topic": w.Topic, "pages": 5})
	if err := w.Desk.Decide(t.Context(), int64(second["task"].(float64)), false); err != nil {
		t.Fatal(err)
	}
	if _, said := ask(t, s, "crawl_result", map[string]any{"task": second["task"]}); said["state"] != orders.Declined || !strings.Contains(said["says"].(string), "declined") {
		t.Errorf("%v", said)
	}
	other := w.connect(t, w.token(t, "Other", token.MayAsk, 100))
	if says := refused(t, other, "crawl_result", task); !strings.Contains(says, "no search") {
		t.Errorf("another program reads it: %s", says)
	}
	act := w.connect(t, w.token(t, "Trusted", token.MayAct, 100))
	if _, got := ask(t, act, "crawl_for", map[string]any{"topic": w.Topic, "pages": 5}); got["state"] != "running" && got["state"] != "done" {
		t.Errorf("without asking: %v", got)
	}
	if says := refused(t, act, "crawl_for", map[string]any{"topic": 999}); !strings.Contains(says, "no topic 999") && !strings.Contains(says, "left") {
		t.Errorf("%s", says)
	}
}

// TestMCPWritesAreAllowed: without a token there are no tools that write, and a token alone allows none.
func TestMCPWritesAreAllowed(t *testing.T) {
	w := newWriting(t)
	names := func(s *mcp.ClientSession) (all []string) {
		tools, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range tools.Tools {
			all = append(all, one.Name)
		}
		return all
	}
	if all := names(w.connect(t, "")); slices.Contains(all, "crawl_for") || slices.Contains(all, "mark") {
		t.Errorf("without a token: %v", all)
	}
	first, err := finds.Before(t.Context(), w.Store.DB, finds.Page{})
	if err != nil || len(first) == 0 {
		t.Fatal(err)
	}
	for text, want := range map[string]string{w.token(t, "script", token.MayNothing, 100): "Settings", "nightjar_x": "no such token"} {
		s := w.connect(t, text)
		for tool, args := range map[string]map[string]any{"crawl_for": {"topic": w.Topic}, "crawl_result": {"task": 1}, "mark": {"find": first[0].ID, "mark": "useful"}} {
			if says := refused(t, s, tool, args); !strings.Contains(says, want) {
				t.Errorf("%s: %s", tool, says)
			}
		}
	}
	s := w.connect(t, w.token(t, "Claude", token.MayAsk, 100))
	mark := func() string {
		states, err := finds.States(t.Context(), w.Store.DB, []int64{first[0].ID})
		if err != nil || len(states) != 1 {
			t.Fatal(states, err)
		}
		return states[0].Mark
	}
	before := mark()
	for _, step := range [][2]string{{"useful", store.MarkUseful}, {"not-useful", store.MarkNotUseful}, {"undo", store.MarkUseful}, {"undo", before}} {
		if ask(t, s, "mark", map[string]any{"find": first[0].ID, "mark": step[0]}); mark() != step[1] {
			t.Errorf("%s: %s, want %s", step[0], mark(), step[1])
		}
	}
	if says := refused(t, s, "mark", map[string]any{"find": first[0].ID, "mark": "undo"}); !strings.Contains(says, "has not marked") {
		t.Errorf("%s", says)
	}
	if says := refused(t, s, "mark", map[string]any{"find": first[0].ID, "mark": "later"}); !strings.Contains(says, "useful") {
		t.Errorf("%s", says)
	}
	all, err := orders.List(t.Context(), w.Store.DB, 10)
	if err != nil || len(all) != 2 || all[0].Program != "Claude" || all[0].ActionID != 0 || w.asked.Load() != 0 {
		t.Errorf("the person sees %+v, %v; %d requests", all, err, w.asked.Load())
	}
}

// TestMCPTasks speaks the revision 2026-07-28 with the extension for tasks in lines: no request depends on an earlier one.
func TestMCPTasks(t *testing.T) {
	w := newWriting(t)
	cmd := exec.Command("nightjar", "mcp", "--data", w.dir) // see TestMain
	cmd.Env = append(os.Environ(), tokenVariable+"="+w.token(t, "Claude", token.MayAsk, 100))
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		t.Fatal(err1, err2)
	}
	answers := bufio.NewReader(out)
	id := 0
	call := func(method, params string, knows bool) (result map[string]any, code int) {
		t.Helper()
		id++
		extensions := ""
		if knows {
			extensions = `"extensions":{"io.modelcontextprotocol/tasks":{}}`
		}
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{%s},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}`, id, method, params, extensions)
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := answers.ReadBytes('\n')
		var r reply
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil || r.ID != float64(id) {
			t.Fatalf("%s: %s %v", method, text, err)
		}
		if r.Error != nil {
			return nil, r.Error.Code
		}
		if err := json.Unmarshal(r.Result, &result); err != nil {
			t.Fatal(err)
		}
		return result, 0
	}
	crawl := fmt.Sprintf(`"name":"crawl_for","arguments":{"topic":%d,"pages":10}`, w.Topic)
	found, _ := call("server/discover", `"x":1`, true)
	if text, _ := json.Marshal(found["capabilities"]); !strings.Contains(string(text), "io.modelcontextprotocol/tasks") {
		t.Errorf("discover: %s", text)
	}
	made, _ := call("tools/call", crawl, true)
	if made["resultType"] != "task" || made["status"] != "working" || made["ttlMs"] != float64(orders.Kept.Milliseconds()) || made["taskId"] == "" {
		t.Fatalf("%v", made)
	}
	task := fmt.Sprintf(`"taskId":%q`, made["taskId"])
	if got, _ := call("tasks/get", task, true); got["resultType"] != "complete" || got["status"] != "working" || got["result"] != nil || got["createdAt"] != made["createdAt"] {
		t.Errorf("%v", got)
	}
	for _, method := range []string{"tasks/get", "tasks/cancel", "tasks/update"} {
		if _, code := call(method, task, false); code != -32021 {
			t.Errorf("%s without the extension: %d", method, code)
		}
		if _, code := call(method, `"taskId":"999"`, true); code != -32602 {
			t.Errorf("%s of nothing: %d", method, code)
		}
	}
	if got, _ := call("tools/call", crawl, false); got["resultType"] != "complete" || got["structuredContent"].(map[string]any)["state"] != "waiting" {
		t.Errorf("for a client that knows no tasks: %v", got)
	}
	if got, _ := call("tasks/cancel", task, true); got["resultType"] != "complete" || got["taskId"] != nil {
		t.Errorf("%v", got)
	}
	if got, _ := call("tasks/get", task, true); got["status"] != "cancelled" {
		t.Errorf("%v", got)
	}
	second, _ := call("tools/call", crawl, true)
	all, err := orders.List(t.Context(), w.Store.DB, 1)
	if err != nil || len(all) != 2 || w.Desk.Decide(t.Context(), all[0].ID, false) != nil {
		t.Fatal(all, err)
	}
	got, _ := call("tasks/get", fmt.Sprintf(`"taskId":%q`, second["taskId"]), true)
	if result, _ := got["result"].(map[string]any); got["status"] != "completed" || result["isError"] != true {
		t.Errorf("declined: %v", got)
	}
	if err := in.Close(); err != nil || cmd.Wait() != nil {
		t.Error("it did not end well")
	}
}
