package month

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

const (
	home      = "http://made.test/"
	madeLists = 10
	madeItems = 12 // of each list
	madeDays  = 6
)

// madeWeb records a start page, lists and their items, with links of every form; each seventh item is linked by an address that
// redirects to it. Every fourth item is useful. Nothing changes yet.
func madeWeb(t *testing.T) *web {
	t.Helper()
	var out bytes.Buffer
	w := warc.NewWriter(&out)
	add := func(path string, status int, header http.Header, body string) {
		if err := w.Response(home+path, begin, status, header, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	page := func(path, body string) {
		add(path, http.StatusOK, http.Header{"Content-Type": {"text/html"}, "ETag": {`"1"`}}, body)
	}
	useful := map[string]bool{}
	about := [...]string{"engines in factories", "roses in gardens", "horses in stables", "ships in harbours"}
	start := "<title>Home</title><ul>"
	for l := range madeLists {
		start += fmt.Sprintf("<li><a href=list%d/>list %d</a>", l, l)
		list := fmt.Sprintf("<base href='/list%d/'><title>List %d</title><p>Some items<ul>", l, l)
		for i := range madeItems {
			forms := []string{
				"<li><a href='%[1]s.html'>item <b>%[1]s</b></a>, the item", "<li><a href=http://made.test/list%[2]d/%[1]s.html#top>item", "<li><A HREF=' %[1]s.html '><img src=x></A>",
				"<map><area href=%[1]s.html alt=item></map>", "<table><tr><a href=%[1]s.html>item</a><td>moves out of the table</table>", "<iframe src=%[1]s.html></iframe>",
			}
			form := forms[i%len(forms)]
			if i%7 == 6 {
				form = "<li><a href=old%[1]s>item</a>"
				add(fmt.Sprintf("list%d/old%d", l, i), http.StatusMovedPermanently, http.Header{"Location": {fmt.Sprintf("%d.html", i)}}, "")
			}
			list += fmt.Sprintf(form, fmt.Sprint(i), l)
			path := fmt.Sprintf("list%d/%d.html", l, i)
			page(path, fmt.Sprintf("<title>Item</title><p>Item %d of list %d is about %s.<a href=%d.html>next</a> <a href=/>home</a>", i, l, strings.Repeat(fmt.Sprintf("word%d ", i), 30)+about[i%4], (i+1)%madeItems))
			useful[home+path] = i%4 == 1
		}
		page(fmt.Sprintf("list%d/", l), list)
	}
	page("", start)
	file := filepath.Join(t.TempDir(), "made.warc.gz")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	replay, _, err := recording.Open([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { replay.Close() })
	graph, err := corpus.ReadWeb(t.Context(), replay, []string{home, home + "list0/"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(graph.Pages()); n != 1+madeLists*(1+madeItems) {
		t.Fatalf("%d pages", n)
	}
	return &web{Task: bench.Task{Starts: []string{home, home + "list0/"}}, change: newChanging(replay), graph: graph, useful: useful}
}
