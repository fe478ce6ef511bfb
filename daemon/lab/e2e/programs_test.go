package e2e

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPrograms makes a feed in Settings, reads it as a feed reader does, and revokes it. An assistant then asks the same
// daemon by the built program.
func TestPrograms(t *testing.T) {
	t.Parallel()
	b := startBoard(t)
	d := startDaemon(t, "127.0.0.1:1")
	u := &user{t: t, pictures: newPictures("programs")}
	u = u.open(b)
	u.address(d.login)
	u.sees("nav [aria-current]", "Finds")
	u.click("nav a", "Settings")
	u.click("nav.toc a", "Programs") // which opens their part
	u.write("#feed-name", "Reader")
	u.click("#programs form button", "Make a feed")
	u.sees("h1", "The feed of Reader")
	u.look("feed-made")
	var address string
	u.must(u.tab.Eval(`document.querySelector("input.secret").value`, &address), "read the address")
	if code, body := fetchFeed(t, address); code != http.StatusOK || !strings.Contains(body, "<feed") {
		t.Fatalf("%s: %d %s", address, code, body)
	}
	u.click("a.button", "Back to Settings")
	u.sees("#programs .lines", "last used")
	u.look("feed-used")
	u.click("#programs .lines button", "Revoke")
	u.sees(".banner", "was revoked")
	if code, body := fetchFeed(t, address); code != http.StatusUnauthorized || strings.Contains(body, "<feed") {
		t.Errorf("after it was revoked: %d %s", code, body)
	}
	u.address(d.origin(u) + "/settings#private-net")
	u.sees("details.advanced[open]", "Private networks") // the browser has opened it
	u.click("summary", "Advanced")
	u.eventually("see it closed", func() error { return u.holds("!document.querySelector('details.advanced').open") })
	askAsAssistant(t, d)
}

func fetchFeed(t *testing.T, address string) (code int, body string) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var text strings.Builder
	if err := res.Write(&text); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, text.String()
}

// askAsAssistant asks the running daemon through "nightjar mcp".
func askAsAssistant(t *testing.T, d *daemon) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(program, "nightjar"), "mcp", "--data", d.data)
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // the program ends with its input
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "status"})
	if err != nil || res.IsError {
		t.Fatalf("%+v, %v", res, err)
	}
	if status, _ := res.StructuredContent.(map[string]any); status["running"] != true {
		t.Errorf("%v", res.StructuredContent)
	}
}
