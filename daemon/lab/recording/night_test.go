package recording

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

func answer(purpose fetch.Purpose, url string, status int, body string, header ...string) fetch.Exchange {
	h := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return fetch.Exchange{URL: url, Purpose: purpose, At: time.Now(), Status: status, Header: h, Body: []byte(body)}
}

// TestReplayNights opens an archive of crawls: two nights, revisit records, requests that were not for pages, a file that
// is still being written.
func TestReplayNights(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(archive.Options{Dir: dir, MaxFile: 2000})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	write := func(e ...fetch.Exchange) {
		t.Helper()
		if _, err := a.Write(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	var words strings.Builder
	for i := range 2000 {
		fmt.Fprint(&words, i*i, " ")
	}
	same := "<p>the same " + words.String()
	write(answer(fetch.ForRobots, "http://a.test/robots.txt", 200, "User-agent: *"), answer(fetch.ForPage, "http://a.test/", 200, same))
	write(answer(fetch.ForProbe, "http://a.test/nowhere", 200, "<p>sorry"), answer(fetch.ForSubresource, "http://a.test/part", 200, "<p>part"))
	write(answer(fetch.ForPage, "http://a.test/old", 301, "", "Location", "/copy"), answer(fetch.ForRedirect, "http://a.test/copy", 200, same))
	write(answer(fetch.ForPage, "http://a.test/was", 200, "<p>as before"))
	if err := a.Begin(archive.About{}); err != nil {
		t.Fatal(err)
	}
	write(answer(fetch.ForPage, "http://a.test/was", 304, ""), answer(fetch.ForPage, "http://a.test/lost", 304, ""))
	write(answer(fetch.ForPage, "http://a.test/new", 200, "<p>new"))

	r, report, err := Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if want := []string{"http://a.test/", "http://a.test/copy", "http://a.test/was", "http://a.test/new"}; !slices.Equal(r.Pages(), want) {
		t.Errorf("pages %v", r.Pages())
	}
	if report.Redirects != 1 || report.Revisits != 3 || report.MissingOriginals != 1 || len(report.Problems) != 0 || !strings.Contains(report.String(), "1 pages missing because they repeat") {
		t.Errorf("%+v", report)
	}
	for path, want := range map[string]string{"": same, "copy": same, "old": same, "was": "<p>as before", "new": "<p>new"} {
		if got := r.Fetch(t.Context(), "http://a.test/"+path); got.Outcome != fetch.OK || string(got.Body) != want {
			t.Errorf("%s: %s %s %.40q", path, got.Outcome, got.Reason, got.Body)
		}
	}
	for _, path := range []string{"nowhere", "part", "robots.txt", "lost"} {
		if got := r.Fetch(t.Context(), "http://a.test/"+path); got.Outcome != fetch.Missing {
			t.Errorf("%s: %s", path, got.Outcome)
		}
	}
}

// TestReplayOthersRevisits resolves revisits written by other programs: with a URL but no ID, and before the record they
// refer to.
func TestReplayOthersRevisits(t *testing.T) {
	var b bytes.Buffer
	put := func(kind, url, block string, more ...warc.Field) {
		t.Helper()
		if err := warc.Append(&b, append([]warc.Field{{Name: "WARC-Type", Value: kind}, {Name: "WARC-Target-URI", Value: url}}, more...), []byte(block)); err != nil {
			t.Fatal(err)
		}
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	of := func(url string) warc.Field { return warc.Field{Name: "WARC-Refers-To-Target-URI", Value: url} }
	put("revisit", "http://a.test/early", head, of("http://a.test/"))
	put("response", "http://a.test/", head+"body")
	put("revisit", "http://a.test/late", head, of("http://a.test/"))
	put("revisit", "http://a.test/none", head, of("http://b.test/"))
	put("revisit", "http://a.test/id", head, of("http://a.test/"), warc.Field{Name: "WARC-Refers-To", Value: "<urn:uuid:0>"})
	put("revisit", "http://a.test/self", head)
	name := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	r, report, err := Open([]string{name})
	if err != nil || report.MissingOriginals != 3 {
		t.Fatalf("%+v, %v", report, err)
	}
	defer r.Close()
	for path, want := range map[string]fetch.Outcome{"early": fetch.OK, "late": fetch.OK, "none": fetch.Missing, "id": fetch.Missing, "self": fetch.Missing} {
		got := r.Fetch(t.Context(), "http://a.test/"+path)
		if got.Outcome != want || want == fetch.OK && string(got.Body) != "body" {
			t.Errorf("%s: %s %q", path, got.Outcome, got.Body)
		}
	}
}

// TestReplayErased: after a site is erased, even if that is interrupted between two files, all other pages are replayed, and
// none of the site.
func TestReplayErased(t *testing.T) {
	onSecret := func(url string) bool { return weburl.Host(url) == "secret.test" }
	stop := errors.New("stopped")
	same := "<p>the same " + strings.Repeat("canary ", 600)
	for after := range 4 {
		dir := t.TempDir()
		a, err := archive.Open(archive.Options{Dir: dir, MaxFile: 300})
		if err != nil {
			t.Fatal(err)
		}
		urls := []string{"http://secret.test/0", "http://a.test/1", "http://b.test/2", "http://secret.test/3", "http://c.test/4"}
		for _, url := range urls {
			if _, err := a.Write(t.Context(), []fetch.Exchange{answer(fetch.ForPage, url, 200, same)}); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		_, err = a.Erase(onSecret, func(string, map[int64]int64) error {
			if n++; n > after {
				return stop
			}
			return nil
		})
		if err != nil && !errors.Is(err, stop) {
			t.Fatal(err)
		}
		for round := range 2 {
			r, report, err := Open([]string{dir})
			if err != nil || report.MissingOriginals > 0 {
				t.Fatalf("after %d files: %+v, %v", after, report, err)
			}
			for _, url := range urls {
				got := r.Fetch(t.Context(), url)
				if !onSecret(url) && string(got.Body) != same || onSecret(url) && round > 0 && got.Outcome != fetch.Missing {
					t.Errorf("after %d files, round %d: %s is replayed as %s %s", after, round, url, got.Outcome, got.Reason)
				}
			}
			r.Close()
			if _, err := a.Erase(onSecret, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
