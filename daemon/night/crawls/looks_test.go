package crawls

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/trap"
	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store/storetest"
)

// livingWeb is a web whose pages change, by path. A page without text is missing, and one with an arrow has moved.
type livingWeb struct {
	text map[string]string
}

func (w *livingWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	text := w.text[r.URL.RequestURI()]
	if to, moved := strings.CutPrefix(text, "-> "); moved {
		http.Redirect(rw, r, "http://h.test"+to, http.StatusFound)
		return
	}
	if text != "" {
		io.WriteString(rw, text)
		return
	}
	http.NotFound(rw, r)
}

// list sets a page to a list of links.
func (w *livingWeb) list(path string, to ...string) {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s</title>List %s", path, path)
	for _, p := range to {
		fmt.Fprintf(&b, "<a href=%q>%s</a>", p, p)
	}
	w.text[path] = b.String()
}

// prose sets a page to words drawn from a seed, and so many words about it that one of another seed has no word in common.
func (w *livingWeb) prose(path, first string, seed uint64) {
	w.text[path] = fmt.Sprintf("<title>%s</title><p>%s %s", path, first, drawn(seed))
}

// drawn are words drawn from a seed.
func drawn(seed uint64) string {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 100 {
		fmt.Fprintf(&b, " w%x", rng.Uint32N(1<<24))
	}
	return b.String()
}

// lookers are nights a day apart on a living web.
type lookers struct {
	*nights
	web     *livingWeb
	now     time.Time
	live    bool
	workers int
	each    int // pages after which the crawl is loaded from the store again, 0 for never
	visited crawler.Visits
}

// newLookers makes a list of twelve pages, two of them useful, and an old list that nothing useful is on.
func newLookers(t *testing.T, strategy string) *lookers {
	t.Helper()
	w := &livingWeb{text: map[string]string{}}
	var all []string
	for i := range 12 {
		path, first := fmt.Sprintf("/p%d", i), "dull"
		if i%6 == 3 {
			first = "useful"
		}
		w.prose(path, first, uint64(i))
		all = append(all, path)
	}
	w.list("/p100", append(all, "/p101")...)
	w.list("/p101", append(all, "/p102", "/p103", "/p104")...)
	n := newNights(t, strategy)
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	n.url = server.URL
	n.c.Options.Starts = []string{"http://h.test/p100"}
	return &lookers{nights: n, web: w, now: time.Date(2026, 5, 3, 1, 0, 0, 0, time.UTC)}
}

// night lives one night, a day after the last one, and returns the paths that were asked for.
func (l *lookers) night(pages int) (asked []string) {
	l.Helper()
	l.now = l.now.Add(24 * time.Hour)
	c, before := l.open(), len(l.asked)
	l.crawl(c, crawler.Budget{Pages: pages})
	for _, url := range l.asked[before:] {
		asked = append(asked, strings.TrimPrefix(url, "http://h.test"))
	}
	return asked
}

func (l *lookers) crawl(c Crawl, b crawler.Budget) {
	l.Helper()
	for {
		now := b
		if l.each > 0 {
			now.Pages = min(b.Pages, l.resume(c.ID).Totals.Fetched+l.each)
		}
		o := crawler.Options{
			Budget: now, LookAgain: true, Workers: l.workers, Starts: c.Options.Starts, Visited: l.visited, Clock: clock.Func(func() time.Time { return l.now }),
			OnFetch: func(f *crawler.Fetch) { l.asked = append(l.asked, f.URL) },
		}
		if l.live {
			o.Trap = trap.New(trap.Options{Starts: c.Options.Starts})
		}
		r := mustRunCrawl(l, l.s, c.ID, crawler.Budget{Pages: 9}, crawlStrategies[c.Strategy](), crawlClient{l.url}, o)
		if l.each == 0 || r.End != crawler.Used || now.Pages == b.Pages {
			if err := End(l.Context(), l.s.DB, c.ID, r.StopReason); err != nil {
				l.Fatal(err)
			}
			return
		}
	}
}

// TestLooksFindNews: a page that appears on a list is found the night after; the list, and what was found before, is no find again.
func TestLooksFindNews(t *testing.T) {
	for _, strategy := range []string{"test", "learner"} {
		l := newLookers(t, strategy)
		l.night(100)
		finds := storetest.Count(t, l.s, "SELECT count(*) FROM finds")
		l.web.prose("/p50", "useful", 50)
		l.web.list("/p100", "/p0", "/p50", "/p101")
		asked := l.night(100)
		if i := slices.Index(asked, "/p50"); i < 0 || i > 3 {
			t.Errorf("%s: the next night asked for %v", strategy, asked)
		}
		if now := storetest.Count(t, l.s, "SELECT count(*) FROM finds"); finds != 2 || now != 3 {
			t.Errorf("%s: %d finds, then %d", strategy, finds, now)
		}
		if news := storetest.Count(t, l.s, "SELECT look FROM fetches WHERE url LIKE '%/p100' AND look IS NOT NULL"); news != 1 {
			t.Errorf("%s: %d new links on the list", strategy, news)
		}
	}
}

// TestNewsAreNew: of a page that is looked at again, the link that is new on it is followed first, not one that has waited and is worth more
// now.
func TestNewsAreNew(t *testing.T) {
	l := newLookers(t, "test")
	l.night(1)
	l.web.prose("/p200", "dull", 200)
	l.web.list("/p100", "/p0", "/p1", "/p2", "/p200")
	l.web.text["/p100"] += "useful"
	if asked := l.night(2); !slices.Equal(asked, []string{"/p100", "/p200"}) {
		t.Errorf("asked for %v", asked)
	}
	if news := storetest.Count(t, l.s, "SELECT look FROM fetches WHERE url LIKE '%/p100' AND look IS NOT NULL"); news != 1 {
		t.Errorf("%d new links on the list", news)
	}
}

// TestCopiesOfLooks: a second address of a find with the text that the find got later is no find, neither in the night in which the find
// was read again nor in the next one, and also if some words of it have changed since.
func TestCopiesOfLooks(t *testing.T) {
	const first, second = "/p100", "/p100?edition=2"
	links := []string{"/p0", "/p1", "/p2", "/p3", "/p4", "/p5", "/p6", "/p7", "/p8", "/p9"}
	for _, changed := range []int{0, 8} {
		for _, later := range []bool{false, true} {
			l := newLookers(t, "test")
			l.live = true
			l.web.list(first, links...)
			l.web.text[first] += "useful" + drawn(7)
			l.night(100)
			l.web.list(first, append(links, second)...)
			l.web.text[first] += "useful" + drawn(8)
			l.web.text[second] = strings.Replace(l.web.text[first], " w", " x", changed)
			if later {
				l.night(1)
				l.now = l.now.Add(-20 * time.Hour) // before the find is read again
			}
			if asked := l.night(100); slices.Contains(asked, first) == later || !slices.Contains(asked, second) {
				t.Fatalf("asked for %v", asked)
			}
			if n := storetest.Count(t, l.s, "SELECT count(*) FROM finds WHERE url LIKE '%/p100%'"); n != 1 {
				t.Errorf("%d words changed, a night later: %v: %d finds", changed, later, n)
			}
		}
	}
}

// TestLooksWait: lists that bring nothing are looked at more and more rarely, and one that does each night is looked at each night.
func TestLooksWait(t *testing.T) {
	l := newLookers(t, "test")
	l.night(100)
	times := map[string]int{}
	links := []string{"/p101"}
	for i := range 20 {
		path := fmt.Sprintf("/p%d", 200+i)
		l.web.prose(path, "useful", uint64(200+i))
		links = append(links, path)
		l.web.list("/p100", links...)
		for _, asked := range l.night(100) {
			times[asked]++
		}
		if times[path] != 1 {
			t.Errorf("night %d: the new page was asked for %d times", i, times[path])
		}
	}
	if times["/p100"] != 20 || times["/p101"] < 2 || times["/p101"] > 7 || times["/p0"] > 0 {
		t.Errorf("%d looks at the list that grows, %d at the one that does not, %d at a page of no use", times["/p100"], times["/p101"], times["/p0"])
	}
}

// TestLooksEnd: when no link is left, a night ends after few looks at pages that hardly change, and says so. A list that grows is still
// looked at each night.
func TestLooksEnd(t *testing.T) {
	l := newLookers(t, "test")
	still := []string{"/p3", "/p9"}
	for i := range 10 {
		path := fmt.Sprintf("/p%d", 500+i)
		l.web.list(path, "/p0", "/p1", "/p2", "/p3", "/p4", "/p5", "/p6", "/p7", "/p8", "/p9")
		l.web.text[path] += "useful" + drawn(uint64(500+i))
		still = append(still, path)
	}
	l.web.list("/p100", still...)
	l.night(100)
	const nights = 10
	looks, found := 0, 0
	for i := range nights {
		path := fmt.Sprintf("/p%d", 200+i)
		l.web.prose(path, "useful", uint64(200+i))
		still = append(still, path)
		l.web.list("/p100", still...)
		asked := l.night(100)
		if slices.Contains(asked, path) {
			found++
		}
		for _, path := range asked {
			if strings.HasPrefix(path, "/p5") {
				looks++
			}
		}
	}
	if looks < 4 || looks > 5*nights || found < nights-2 {
		t.Errorf("in %d nights %d looks at lists that do not change, %d new pages found", nights, looks, found)
	}
	if storetest.Count(t, l.s, "SELECT count(*) FROM crawls WHERE stop_reason LIKE 'no links left; % known pages may have new links, but too few are likely to'") == 0 {
		t.Error("no night says why it ends")
	}
}

// TestLooksAtFinds: a find that changed much, or that is gone, is told as such, and one that is back, too.
func TestLooksAtFinds(t *testing.T) {
	l := newLookers(t, "test")
	l.live = true
	l.night(100)
	state := func() string {
		t.Helper()
		s := storetest.Must(db.Query(t.Context(), l.s.Readers, db.ScanText, `SELECT substr(url, 14) || iif(changed_at IS NULL, '', ' changed') || iif(gone_at IS NULL, '', ' gone') FROM finds ORDER BY url`))(t)
		return strings.Join(s, ", ")
	}
	until := func(want string) {
		t.Helper()
		for range 12 {
			if l.night(100); state() == want {
				return
			}
		}
		t.Errorf("finds: %s; want %s", state(), want)
	}
	until("/p3, /p9")
	until("/p3, /p9")
	l.web.text["/p3"] += " and one word more"
	l.web.text["/p9"] = ""
	until("/p3, /p9 gone")
	l.web.prose("/p3", "useful", 1000)
	until("/p3 changed, /p9 gone")
}

// TestLooksShare: while links wait, looks are a small part of a night in which they bring nothing, also when several workers wait for
// one host.
func TestLooksShare(t *testing.T) {
	effort.Long(t)
	for _, workers := range []int{1, 6} {
		l := newLookers(t, "test")
		l.workers = workers
		for i := range 1200 { // all are lists
			var links []string
			for j := range 12 {
				links = append(links, fmt.Sprintf("/p%d", 1000+(12*i+j+1)%1200))
			}
			l.web.list(fmt.Sprintf("/p%d", 1000+i), links...)
		}
		l.web.list("/p100", "/p1000")
		l.night(80)
		for range 3 {
			l.night(40)
		}
		looks := storetest.Count(t, l.s, "SELECT count(*) FROM fetches WHERE look IS NOT NULL")
		if waits := storetest.Count(t, l.s, "SELECT count(*) FROM frontier WHERE status = 'queued'"); waits < 100 || looks < 3 || looks > 15 {
			t.Errorf("%d workers: %d looks among 120 pages, and %d links wait", workers, looks, waits)
		}
	}
}

// TestLooksLongAgo: pages that the person visited a year ago, on which much is new by now, and links that wait, however many, do not keep
// nights from reading a useful link that appears on a list that brings finds: each within two nights.
func TestLooksLongAgo(t *testing.T) {
	l := newLookers(t, "test")
	var visited []crawler.Visited
	copies := map[string]string{}
	for i := range 60 {
		path, links := fmt.Sprintf("/p%d", 2000+i), []string{}
		for j := range 12 {
			links = append(links, fmt.Sprintf("/p%d", 3000+12*i+j))
			l.web.prose(links[j], "dull", uint64(3000+12*i+j))
		}
		l.web.list(path, links...)
		url := "http://h.test" + path
		visited, copies[url] = append(visited, crawler.Visited{URL: url, At: l.now.AddDate(-1, 0, 0)}), l.web.text[path]
		if i%6 > 0 {
			l.web.list(path, append(links, fmt.Sprintf("/p%d", 5000+i))...)
		}
	}
	l.visited = crawler.Visits{
		List: func(_ context.Context, after, most int) ([]crawler.Visited, error) {
			return visited[after:min(after+most, len(visited))], nil
		},
		Copy: func(_ context.Context, url string) ([]byte, error) { return []byte(copies[url]), nil },
	}
	links, appeared, waited := []string{"/p3", "/p9"}, map[string]int{}, map[string]int{}
	l.web.list("/p100", links...)
	l.night(30)
	const nights = 12
	for night := range nights {
		if path := fmt.Sprintf("/p%d", 200+night); night < nights-1 {
			l.web.prose(path, "useful", uint64(200+night))
			links, appeared[path] = append(links, path), night
			l.web.list("/p100", links...)
		}
		asked := l.night(30)
		for path, first := range appeared {
			if waited[path] == 0 && slices.Contains(asked, path) {
				waited[path] = night - first + 1
			}
		}
	}
	if waits := storetest.Count(t, l.s, "SELECT count(*) FROM frontier WHERE status = 'queued'"); waits < 100 {
		t.Errorf("%d links wait", waits)
	}
	for path := range appeared {
		if waited[path] == 0 || waited[path] > 2 {
			t.Errorf("%s, which appeared in night %d, was read after %d nights", path, appeared[path], waited[path])
		}
	}
}

// TestLooksResume: a crawl that is loaded from the store after every few pages asks for no page twice in a night, and for each new page
// as soon as one that is not.
func TestLooksResume(t *testing.T) {
	effort.Long(t)
	for _, strategy := range []string{"test", "learner"} {
		for _, each := range []int{0, 1, 2, 3} {
			l := newLookers(t, strategy)
			l.each = each
			l.night(100)
			for i := range 6 {
				path := fmt.Sprintf("/p%d", 200+i)
				l.web.list(path, "/p300", fmt.Sprintf("/p%d", 400+i))
				l.web.list("/p100", "/p101", path, "/p103")
				asked := l.night(7)
				slices.Sort(asked)
				if once := slices.Compact(slices.Clone(asked)); len(once) < len(asked) || !slices.Contains(once, path) {
					t.Errorf("%s, loaded again after %d pages: night %d asked for %v", strategy, each, i, asked)
				}
			}
		}
	}
}

// TestLooksReread: another strategy reads the stored looks, too, and goes on as if it had made them.
func TestLooksReread(t *testing.T) {
	l := newLookers(t, "test")
	l.night(100)
	for i := range 3 {
		path := fmt.Sprintf("/p%d", 200+i)
		l.web.list(path, fmt.Sprintf("/p%d", 300+i))
		l.web.list("/p100", path, "/p101")
		l.night(2)
	}
	l.c.Strategy = "learner"
	c := l.open()
	before := l.waiting(c.ID)
	if !l.reread(c, 20) {
		t.Fatal("the pages are not read")
	}
	after := l.waiting(c.ID)
	if len(after) != len(before) || len(after) == 0 {
		t.Errorf("%d links wait, before %d", len(after), len(before))
	}
	for _, e := range after {
		if len(e.Note) == 0 {
			t.Errorf("%s has no note", e.URL)
		}
	}
}

// TestNewsReread: another strategy, which reads the stored looks, tries none of the links again that were new when a look was made: the
// best of them was followed then.
func TestNewsReread(t *testing.T) {
	l := newLookers(t, "test")
	l.night(100)
	links := []string{"/p101"}
	for i := range 8 {
		links = append(links, fmt.Sprintf("/p%d", 200+i))
		l.web.prose(links[i+1], "dull", uint64(200+i))
	}
	l.web.list("/p100", links...)
	if asked := l.night(2); asked[0] != "/p100" || len(asked) != 2 {
		t.Fatalf("asked for %v", asked)
	}
	l.c.Strategy = "learner"
	c := l.open()
	if !l.reread(c, 20) {
		t.Fatal("the pages are not read")
	}
	waits := l.waiting(c.ID)
	if len(waits) != 7 {
		t.Errorf("%d links wait", len(waits))
	}
	for _, e := range waits {
		if e.Priority[0] > 1000 {
			t.Errorf("%s comes before others: %v", e.URL, e.Priority)
		}
	}
}

// TestLooksMoved: a list that has moved is looked at where it is now, and not where it was; one that has moved to a page that is known, no
// more at all.
func TestLooksMoved(t *testing.T) {
	l := newLookers(t, "test")
	l.night(100)
	l.web.list("/p600", "/p0", "/p1", "/p601")
	l.web.prose("/p601", "useful", 601)
	l.web.text["/p100"], l.web.text["/p101"] = "-> /p600", "-> /p0"
	times := map[string]int{}
	for i := range 12 {
		path := fmt.Sprintf("/p%d", 700+i)
		l.web.prose(path, "useful", uint64(700+i))
		l.web.list("/p600", "/p0", "/p1", "/p601", path)
		for _, asked := range l.night(100) {
			times[asked]++
		}
	}
	for path, want := range map[string]int{"/p100": 1, "/p101": 1, "/p600": 11, "/p711": 1, "/p0": 0} {
		if times[path] != want {
			t.Errorf("%s was asked for %d times in 12 nights, want %d", path, times[path], want)
		}
	}
}

// TestLooksRedirect: a list is looked at in later nights although a link that was followed since only leads to it.
func TestLooksRedirect(t *testing.T) {
	l := newLookers(t, "test")
	l.web.text["/p200"] = "-> /p101"
	l.web.list("/p104", "/p200")
	looks := 0
	for range 8 {
		for _, path := range l.night(30) {
			if path == "/p101" {
				looks++
			}
		}
	}
	if looks < 3 {
		t.Errorf("the list was read %d times", looks)
	}
}
