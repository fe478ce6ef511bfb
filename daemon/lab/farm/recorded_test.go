package farm

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/warc"
)

// record writes an archive of n pages that link to each other, to pages that were not recorded, and to what is no page.
func record(t *testing.T, n int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "site.warc.gz")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := warc.NewWriter(file)
	for i := range n {
		html := fmt.Sprintf(`<!DOCTYPE html><html><head><title>Page %d</title><base href="http://docs.test/"><link rel="canonical" href="http://docs.test/x"></head>
<body><p>Words &amp; more.</p><a class=n href="/p/%d?q=1&amp;r=2">next</a> <a href="http://elsewhere.test/%d">away</a>
<a href="#top">top</a> <a href="mailto:a@b.test">mail</a><script>var a = '<a href="/in-a-script">';</script></body></html>`, i, (i+1)%n, i)
		url := fmt.Sprintf("http://docs.test/p/%d?q=1&r=2", i)
		if i == 0 {
			url = "http://docs.test/"
		}
		if err := w.Response(url, time.Unix(0, 0), 200, http.Header{"Content-Type": {"text/html"}}, []byte(html)); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRecordings(t *testing.T) {
	f := mustOpen(t, Options{Hosts: 4, Recordings: []string{record(t, 30)}})
	if len(f.Pages()) != 34 || len(f.Hosts()) != 4 {
		t.Fatalf("%d hosts with %d pages", len(f.Hosts()), len(f.Pages()))
	}
	want := slices.Sorted(slices.Values(f.Pages()))
	if got := crawled(t, f); !slices.Equal(got, want) {
		t.Errorf("crawled %v\nwant    %v", got, want)
	}
	for _, url := range f.Pages() {
		html := string(f.HTML(url))
		if strings.Contains(html, "elsewhere.test") || strings.Contains(html, "docs.test/x") || strings.Contains(html, "<base") {
			t.Errorf("%s leads out of the farm:\n%s", url, html)
		}
		front := strings.HasSuffix(url, ".test/")
		if front == strings.Contains(html, `'<a href="/in-a-script">'`) || !front && !strings.Contains(html, "<p>Words &amp; more.</p>") {
			t.Errorf("%s was changed beside its links:\n%s", url, html)
		}
		if f.Relevant(url) == front {
			t.Errorf("%s: relevant %v", url, f.Relevant(url))
		}
	}
	if f.Topic() != "docs.test" {
		t.Errorf("the topic is %q", f.Topic())
	}
}

// TestFewerPages takes some pages of a recording: each of its links still leads to one of them.
func TestFewerPages(t *testing.T) {
	f := mustOpen(t, Options{Hosts: 50, Pages: 7, Recordings: []string{record(t, 30)}})
	want := slices.Sorted(slices.Values(f.Pages()))
	if got := crawled(t, f); len(f.Hosts()) != 7 || len(want) != 14 || !slices.Equal(got, want) {
		t.Errorf("%d hosts, crawled %v\nwant %v", len(f.Hosts()), got, want)
	}
}

// TestCorpora serves real pages, when there are any. TestRecordings and TestFewerPages serve made-up ones.
func TestCorpora(t *testing.T) {
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name the folder of corpora")
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings in %s/docs, %v", len(files), root, err)
	}
	f := mustOpen(t, Options{Hosts: 20, Pages: 200, Recordings: files})
	want := slices.Sorted(slices.Values(f.Pages()))
	if got := crawled(t, f); !slices.Equal(got, want) || len(want) != 220 {
		t.Errorf("crawled %d pages of %d", len(got), len(want))
	}
}
