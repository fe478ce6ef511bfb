package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
)

var oneTimeLink = regexp.MustCompile(`http://\S+/login\S+`)

// TestDemoRenewsItsLink presses Enter: each one-time link is another one, and each logs in.
func TestDemoRenewsItsLink(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("NIGHTJAR_DATA", filepath.Join(t.TempDir(), "none"))
	ctx, stop := context.WithCancel(t.Context())
	keys, press := io.Pipe()
	out, said := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- program().Run(ctx, &command.Env{Stdin: keys, Stdout: said, Stderr: io.Discard, Getenv: os.Getenv}, []string{"demo"})
		said.Close()
	}()
	lines := bufio.NewScanner(out)
	next := func() string {
		t.Helper()
		for lines.Scan() {
			if link := oneTimeLink.FindString(lines.Text()); link != "" {
				return link
			}
		}
		t.Fatal("the demonstration ended without a link")
		return ""
	}
	first := next()
	lines.Scan() // an empty line
	if !lines.Scan() || !strings.Contains(lines.Text(), "nightjar open --data ") {
		t.Errorf("after the link: %q", lines.Text())
	}
	dir := lines.Text()[strings.LastIndex(lines.Text(), " ")+1:]
	lines.Scan() // how to end it
	if _, err := press.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	second := next()
	if first == second {
		t.Error("Enter showed the same link again")
	}
	_, printed, _ := mustRun(t, "open", "--print", "--data", dir)
	third := strings.TrimSpace(printed)
	for _, link := range []string{first, second, third} {
		if !login(t, link) || login(t, link) {
			t.Errorf("%s does not log in exactly once", link)
		}
	}
	// Without a daemon of its own, open names the demonstration.
	if _, _, errs := mustRun(t, "open", "--print"); !strings.Contains(errs, "nightjar open --data "+dir) {
		t.Errorf("open without a daemon says %q", errs)
	}
	press.Close() // nobody can press Enter any more: the demonstration goes on
	stop()
	for lines.Scan() {
	}
	if got := <-code; got != 0 {
		t.Errorf("exit code %d", got)
	}
	if _, _, errs := mustRun(t, "open", "--print"); strings.Contains(errs, dir) || !strings.Contains(errs, "nightjar serve") {
		t.Errorf("after the demonstration, open says %q", errs)
	}
}

// login follows a one-time link and reports whether it logs in.
func login(t *testing.T, link string) bool {
	t.Helper()
	address, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Host = "127.0.0.1:" + address.Port() // the host's name may have no address here
	req.Host = address.Host
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return len(res.Cookies()) > 0
}
