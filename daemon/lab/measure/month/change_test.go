package month

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/corpus"
)

const (
	home      = "http://made.test/"
	madeLists = 10
	madeItems = 12 // of each list
	madeDays  = 6
)

// madeWeb records a start page, lists and their items, with links of every form; each seventh item is linked by an address that
// redirects to it. Every fourth item is useful.
func madeWeb(t *testing.T) (*fetch.Replay, *corpus.Web, map[string]bool) {
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
	replay, _, err := fetch.OpenReplay([]string{file})
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
	return replay, graph, useful
}

func drawn(replay *fetch.Replay, graph *corpus.Web, useful map[string]bool, seed uint64) *changing {
	c := unchanging(replay, graph)
	c.draw(graph, useful, madeDays, rand.New(rand.NewPCG(seed, 1)))
	return c
}

// linked is the pages that an answer links to, without the second addresses.
func (c *changing) linked(r fetch.Response) map[string]bool {
	all := map[string]bool{}
	for _, url := range crawler.Follows(r) {
		if to := c.addresses[c.original(url)]; to != "" {
			all[to] = true
		}
	}
	return all
}

func TestDrawnWeb(t *testing.T) {
	replay, graph, useful := madeWeb(t)
	var before *changing
	for seed := range uint64(20) {
		c, again := drawn(replay, graph, useful, seed), drawn(replay, graph, useful, seed)
		if !reflect.DeepEqual(c, again) {
			t.Fatalf("seed %d: not the same web again", seed)
		}
		if before != nil && reflect.DeepEqual(c.appears, before.appears) {
			t.Errorf("seeds %d and %d: the same pages appear", seed-1, seed)
		}
		before = c
		n := len(graph.Pages()) - 2
		moved := 0
		for page, to := range c.copies {
			if to.moves {
				moved++
			}
			if c.originals[to.url] != page || c.addresses[to.url] != "" {
				t.Errorf("seed %d: %s is a second address of %s", seed, to.url, page)
			}
		}
		for _, size := range [][2]int{{len(c.appears), n / 3}, {len(c.goes), n * 3 / 100}, {len(c.copies) - moved, n * 3 / 100}, {moved, n / 100}, {len(c.rewritten), 1}, {len(c.restless), 1}} {
			if size[0] < size[1] || size[0] > size[1]+1 {
				t.Errorf("seed %d: %d changes of a kind, want %d or one more", seed, size[0], size[1])
			}
		}
		seen := map[string]int{}
		for _, url := range slices.Concat(slices.Collect(maps.Keys(c.appears)), slices.Collect(maps.Keys(c.goes)), slices.Collect(maps.Keys(c.copies)), slices.Collect(maps.Keys(c.rewritten))) {
			if seen[url]++; seen[url] > 1 || url == home || url == home+"list0/" {
				t.Errorf("seed %d: %s changes %d times", seed, url, seen[url])
			}
		}
		for _, night := range slices.Concat(slices.Collect(maps.Values(c.appears)), slices.Collect(maps.Values(c.goes))) {
			if night < 2 || night >= madeDays {
				t.Errorf("seed %d: something changes in night %d", seed, night)
			}
		}
	}
}

// TestChangingWeb: in each night, a page links to what it links to on the recording, pages excepted that have not appeared; these
// and those that went answer 404. A page's text changes when its turn says so, or every night if it is restless.
func TestChangingWeb(t *testing.T) {
	replay, graph, useful := madeWeb(t)
	for seed := range uint64(4) {
		c := drawn(replay, graph, useful, seed)
		for _, page := range graph.Pages() {
			recorded := c.linked(replay.Fetch(t.Context(), page))
			var last fetch.Response
			for night := 1; night <= madeDays; night++ {
				r := c.Fetch(t.Context(), page, night)
				at := fmt.Sprintf("seed %d, night %d, %s", seed, night, page)
				if there := c.isThere(page, night); there != (r.Outcome == fetch.OK) || !there && (r.Status != http.StatusNotFound || r.Body != nil) {
					t.Fatalf("%s: it is there: %t, and %s, %d", at, there, r.Outcome, r.Status)
				}
				if r.Outcome != fetch.OK {
					continue
				}
				want := maps.Clone(recorded)
				maps.DeleteFunc(want, func(to string, _ bool) bool { return c.appears[to] > night })
				if night == madeDays && len(want) != len(recorded) {
					t.Errorf("%s: not all links are there", at)
				}
				if got := c.linked(r); !maps.Equal(got, want) {
					t.Errorf("%s: it links to %v, want %v", at, got, want)
				}
				c.checkSecond(t, at, r, night)
				if last.Outcome == fetch.OK {
					changed, turned := !bytes.Equal(r.Body, last.Body), c.turn(page, night) != c.turn(page, night-1)
					if changed != (turned || c.restless[page]) {
						t.Errorf("%s: its text changed: %t; turned: %t, restless: %t", at, changed, turned, c.restless[page])
					}
					if changed && r.ETag != "" {
						t.Errorf("%s: it changed under the ETag %s", at, r.ETag)
					}
				}
				last = r
			}
		}
	}
}

// checkSecond checks the addresses of a page that is there, and that each page that links to it links to the right ones.
func (c *changing) checkSecond(t *testing.T, at string, r fetch.Response, night int) {
	t.Helper()
	page := r.URL
	to, ok := c.copies[page]
	if !ok {
		if r.FinalURL != page {
			t.Errorf("%s: it leads to %s", at, r.FinalURL)
		}
		return
	}
	second := c.Fetch(t.Context(), to.url, night)
	if night < to.night {
		if second.Status != http.StatusNotFound || r.FinalURL != page {
			t.Errorf("%s: status %d of its second address, leads to %s", at, second.Status, r.FinalURL)
		}
		return
	}
	if second.FinalURL != to.url || !bytes.Equal(second.Body, r.Body) || (r.FinalURL == to.url) != to.moves {
		t.Errorf("%s: it leads to %s and its second address to %s", at, r.FinalURL, second.FinalURL)
	}
	for _, holder := range c.holders[page] {
		all := crawler.Follows(c.Fetch(t.Context(), holder, night))
		is := func(url string) bool { return c.addresses[weburl.Document(url)] == page }
		if c.isThere(holder, night) && slices.Contains(all, to.url) == (to.moves && slices.ContainsFunc(all, is)) {
			t.Errorf("%s: %s links to %v", at, holder, all)
		}
	}
}

// TestRestless: a list that changes daily links to the same pages, in another order now and then.
func TestRestless(t *testing.T) {
	replay, graph, _ := madeWeb(t)
	c := unchanging(replay, graph)
	list := home + "list3/"
	c.restless[list] = true
	before, orders := c.Fetch(t.Context(), list, 1), 0
	for night := 2; night < 9; night++ {
		r := c.Fetch(t.Context(), list, night)
		was, is := crawler.Follows(before), crawler.Follows(r)
		if !slices.Equal(was, is) {
			orders++
		}
		slices.Sort(was)
		slices.Sort(is)
		if bytes.Equal(r.Body, before.Body) || !slices.Equal(was, is) || c.turn(list, night) != 0 {
			t.Errorf("night %d: text equal: %t, links %v, before %v, turn %d", night, bytes.Equal(r.Body, before.Body), is, was, c.turn(list, night))
		}
		before = r
	}
	if orders == 0 {
		t.Error("the order of links never changes")
	}
}

// TestRewritten: a rewritten page keeps its links and the first half of its words.
func TestRewritten(t *testing.T) {
	replay, graph, _ := madeWeb(t)
	c := unchanging(replay, graph)
	page := home + "list1/2.html"
	c.rewritten[page] = rewrite{3, home + "list1/9.html"}
	c.noteTurns()
	old, now := string(c.Fetch(t.Context(), page, 2).Body), string(c.Fetch(t.Context(), page, 3).Body)
	for word, want := range map[string][2]int{"word2 ": {30, 13}, "word9": {0, 13}, "<a href": {2, 2}} {
		if a, b := strings.Count(old, word), strings.Count(now, word); a != want[0] || b != want[1] {
			t.Errorf("%q is there %d times and then %d times, want %v", word, a, b, want)
		}
	}
}
