package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/demoweb"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// dashboard reads the pages of a demonstration's dashboard as a logged-in person, without tags.
type dashboard struct {
	t      *testing.T
	origin string
	client *http.Client
}

func openDashboard(t *testing.T, d *demo) *dashboard {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	link, err := url.Parse(d.app.Web.LoginURL(""))
	if err != nil {
		t.Fatal(err)
	}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, d.app.Addr())
	}
	b := &dashboard{t, "http://" + link.Host, &http.Client{Jar: jar, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}}
	b.text(link.RequestURI())
	return b
}

// text returns the text of a page when all of it is there.
func (b *dashboard) text(path string) string {
	b.t.Helper()
	for html := b.html(path); ; html = b.html(path) {
		if !strings.Contains(html, "data-again") {
			return strings.Join(strings.Fields(tags.ReplaceAllString(html, " ")), " ")
		}
	}
}

func (b *dashboard) html(path string) string {
	b.t.Helper()
	res, err := b.client.Get(b.origin + path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	html, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %d, %v", path, res.StatusCode, err)
	}
	return string(html)
}

// Every place shows the same numbers of the demonstration, in the same words: the summary, the pages of the dashboard, and
// what the browser is told.
func TestDemoCountsAgree(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := &demo{o: demoOptions{seed: 1, listen: "127.0.0.1:0"}, env: &command.Env{Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(string) string { return "" }}, web: demoweb.Generate(1), say: io.Discard}
	if err := d.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer d.close()
	r, err := d.play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := sessions.List(t.Context(), d.app.Store.DB)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	one := all[0]
	if one.Pages != r.Session.Pages || one.Useful != r.Session.Targets {
		t.Errorf("the session has %d pages, %d useful; the summary says %d, %d", one.Pages, one.Useful, r.Session.Pages, r.Session.Targets)
	}
	told, err := sessions.Newest(t.Context(), d.app.Store.DB, one.Client) // what the bar and the popup show
	if err != nil || told.Pages != one.Pages || told.Useful != one.Useful {
		t.Errorf("the browser is told %d pages, %d useful, %v", told.Pages, told.Useful, err)
	}
	if r.Crawl.finds != len(r.Finds) || r.Crawl.judged < r.Crawl.finds {
		t.Errorf("%d finds of %d relevant pages, %d are listed", r.Crawl.finds, r.Crawl.judged, len(r.Finds))
	}
	var summary strings.Builder
	if err := r.print(&summary, d.web); err != nil {
		t.Fatal(err)
	}
	b := openDashboard(t, d)
	for _, c := range []struct {
		where, text string
		want        []string
	}{
		{"the summary", summary.String(), []string{
			fmt.Sprintf("%d pages, %d of them marked Useful", one.Pages, one.Useful),
			fmt.Sprintf("%d pages fetched, %d judged relevant, %d finds", r.Crawl.Fetched, r.Crawl.judged, r.Crawl.finds)}},
		{"the session", b.text("/sessions/" + one.UUID), []string{fmt.Sprintf("Pages %d ", one.Pages), fmt.Sprintf("Marked Useful %d ", one.Useful)}},
		{"Sessions", b.text("/sessions"), []string{fmt.Sprintf(" %d %d ", one.Pages, one.Useful)}},
		{"the model", b.text(fmt.Sprintf("/model/%d", one.TopicID)), []string{fmt.Sprintf("Pages %d Useful %d ", one.Pages, one.Useful)}},
		{"the crawl", b.text("/crawls/1"), []string{fmt.Sprintf("Fetched %d Relevant %d ", r.Crawl.Fetched, r.Crawl.judged), fmt.Sprintf("Finds %d ", r.Crawl.finds)}},
		{"Nights", b.text("/crawls"), []string{fmt.Sprintf(" %d %d %d ", r.Crawl.Fetched, r.Crawl.judged, r.Crawl.finds)}},
		{"Finds", b.text("/?state=all"), []string{fmt.Sprintf("All %d ", r.Crawl.finds)}},
		{"the topic's preview", b.text(fmt.Sprintf("/topics/%d/delete?count=1", one.TopicID)), []string{fmt.Sprintf(" %d finds", r.Crawl.finds), fmt.Sprintf(" %d pages fetched", r.Crawl.Fetched+r.Map.Fetched)}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.text+" ", want) {
				t.Errorf("%s does not say %q: %.1500s", c.where, want, c.text)
			}
		}
	}
}
