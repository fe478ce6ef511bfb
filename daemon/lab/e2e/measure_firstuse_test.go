//go:build measure

package e2e

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// TestMeasureFirstUse goes from an empty data folder to the first useful find on a recorded web, as a new person does: with bookmarks
// and with a session, in both browsers. It writes down what that took; daemon/lab/reports/FIRST_HOUR.md has the figures.
func TestMeasureFirstUse(t *testing.T) {
	web := openUniversity(t, "event")
	for _, b := range []struct {
		name  string
		start start
	}{{"chromium", startChromium}, {"firefox", startFirefox}} {
		for _, way := range []struct {
			name string
			do   func(*job, *university)
		}{{"bookmarks", (*job).beginWithBookmarks}, {"session", (*job).beginWithSession}} {
			t.Run(b.name+"-"+way.name, func(t *testing.T) {
				j := &job{t: t, b: b.start(t, web.addr), topic: "Events"}
				j.d = startDaemon(t, web.addr)
				j.reader = (&user{t: t, pictures: newPictures("first-use-" + t.Name()[len("TestMeasureFirstUse/"):])}).open(j.b)
				j.reader.work = &work{}
				j.reader.task("to the first useful find", func() {
					way.do(j, web)
					j.firstUseful(web)
				})
			})
		}
	}
}

// university is a recorded web of a university, whose hosts under .edu are served under .test.
type university struct {
	replay *recording.Replay
	useful map[string]bool // addresses under .test of the pages with the label
	kept   []string        // some of them, that a person kept
	others []string        // pages with other labels
	addr   string          // where it is served
}

// openUniversity serves the recording; label is that of the useful pages.
func openUniversity(t *testing.T, label string) *university {
	t.Helper()
	dir := filepath.Join(os.Getenv("NIGHTJAR_CORPORA"), "uic")
	replay, _, err := recording.Open([]string{filepath.Join(dir, "uic.warc.gz")})
	if err != nil {
		t.Skipf("left out: $NIGHTJAR_CORPORA has no recorded university: %v", err)
	}
	t.Cleanup(func() { _ = replay.Close() }) // it was only read
	labels, err := corpus.ReadLabels([]string{filepath.Join(dir, "uic.labels.tsv")})
	if err != nil {
		t.Fatal(err)
	}
	u := &university{replay: replay, useful: map[string]bool{}}
	for _, url := range replay.Pages() {
		switch here := strings.Replace(moved(url), "https://", "http://", 1); {
		case labels.With(label)[url]:
			u.useful[here] = true
			u.kept = append(u.kept, here)
		case labels.With("unit-news")[url]:
			u.others = append(u.others, here)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, list := range []*[]string{&u.kept, &u.others} {
		rng.Shuffle(len(*list), func(i, j int) { (*list)[i], (*list)[j] = (*list)[j], (*list)[i] })
		*list = (*list)[:20]
	}
	server := httptest.NewServer(u)
	t.Cleanup(server.Close)
	u.addr = server.Listener.Addr().String()
	return u
}

var academic = regexp.MustCompile(`(?:https?:)?//([\w.-]*uic)\.edu\b`)

// moved names the hosts as they are served.
func moved(text string) string { return academic.ReplaceAllString(text, "http://$1.test") }

func (u *university) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := strings.Replace(r.Host, ".test", ".edu", 1) + r.URL.RequestURI()
	for _, url := range []string{"https://" + at, "http://" + at} {
		res := u.replay.Fetch(r.Context(), url)
		if res.Outcome != fetch.OK {
			continue
		}
		if to := moved(res.FinalURL); to != moved(url) {
			http.Redirect(w, r, to, http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' data:") // what is elsewhere was not recorded
		_, _ = w.Write([]byte(moved(string(res.Body))))                                       // the browser may leave
		return
	}
	http.NotFound(w, r)
}

// bookmarkFile writes the bookmarks that the person's browser exports.
func (u *university) bookmarkFile(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL><p>\n")
	for folder, urls := range map[string][]string{"Events": u.kept, "News": u.others} {
		fmt.Fprintf(&b, "<DT><H3>%s</H3><DL><p>\n", folder)
		for _, url := range urls {
			words := strings.FieldsFunc(url[strings.Index(url, ".test/")+len(".test/"):], func(r rune) bool { return strings.ContainsRune("/-_.", r) })
			fmt.Fprintf(&b, "<DT><A HREF=\"%s\">%s</A>\n", html.EscapeString(url), html.EscapeString(strings.Join(words, " ")))
		}
		b.WriteString("</DL><p>\n")
	}
	b.WriteString("</DL><p>\n")
	name := filepath.Join(t.TempDir(), "bookmarks.html")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// beginWithBookmarks goes from the first page to the proposed start pages. No browser is connected.
func (j *job) beginWithBookmarks(web *university) {
	j.t.Helper()
	j.board = j.reader
	j.board.address(j.d.login)
	j.board.sees("h1", "Start here")
	j.board.look("start")
	j.board.reads(".page-head")
	j.board.click("a", "Begin with bookmarks")
	j.board.sees("h1", "Begin with bookmarks")
	j.board.reads(".page-head", "main section")
	j.board.look("bookmarks")
	j.board.choose("#bookmarks-file", web.bookmarkFile(j.t))
	j.board.sees(".folders", "Events")
	j.board.reads("main section")
	j.board.look("folders")
	j.board.click(".folders a", "Events")
	j.board.sees("#bookmarks-choose", "Events")
	j.board.reads("main section:last-of-type p")
	before := j.board.work.words
	j.board.reads("main section:last-of-type .ticks bdi:first-child")
	j.t.Logf("%d words of titles of bookmarks", j.board.work.words-before)
	j.board.look("chosen")
	j.board.click("button", "These are useful")
	j.board.sees("#bookmarks-state", "working")
	j.board.look("fetching")
	j.board.reads("#bookmarks-state")
	j.learned()
}

// learned waits until the topic has a model; that may be long.
func (j *job) learned() {
	j.t.Helper()
	defer j.reader.work.wait(time.Now())
	if err := poll(10*time.Minute, func() error {
		if n := j.d.number("SELECT count(*) FROM models"); n == 0 {
			return fmt.Errorf("there is no model; the page says %.300s", j.board.read("main"))
		}
		return nil
	}); err != nil {
		j.t.Fatal(err)
	}
}

// beginWithSession connects the browser and records a session of twelve pages, four of which are useful.
func (j *job) beginWithSession(web *university) {
	j.t.Helper()
	j.meet()
	j.reader.front().address("http://www.cs.uic.test/")
	j.board.front().sees("#step-session .tag", "done")
	before, browsing := *j.reader.work, time.Now()
	for i := range 4 {
		for _, url := range []string{web.others[2*i], web.others[2*i+1], web.kept[i]} {
			before := j.loads()
			j.reader.front().address(url)
			j.grows("the visit is recorded", before, j.loads)
		}
		j.mark()
	}
	before.began = before.began.Add(time.Since(browsing)) // browsing is the person's own time, and not counted
	*j.reader.work = before
	j.reader.front().bar("Submit")
	j.reader.question("Submit")
	j.learned()
}

// firstUseful runs the topic from the proposed start pages, reads the titles of the finds as they come until one is useful, why it is a
// find, and marks it.
func (j *job) firstUseful(web *university) {
	j.t.Helper()
	j.board.front().sees("#tonight", "Run ")
	j.board.look("tonight")
	j.board.reads("#tonight .lead", "#tonight .actions")
	j.board.click("#tonight button", "Run ")
	j.board.sees("#crawl .far", " of 200 pages")
	waited := time.Now()
	var shown []string
	row := 0
	if err := poll(10*time.Minute, func() error {
		if err := j.board.tab.Eval(`[...document.querySelectorAll("#crawl-finds h3 a")].map((a) => a.href)`, &shown); err != nil {
			return err
		}
		for i, url := range shown {
			if web.useful[url] {
				row = i + 1
				return nil
			}
		}
		return fmt.Errorf("no find is useful: %q; the page says %.500s", shown, j.board.read("main"))
	}); err != nil {
		j.t.Fatal(err)
	}
	j.board.work.wait(waited)
	j.board.look("first-useful")
	before := j.board.work.words
	j.board.reads(fmt.Sprintf("#crawl-finds > li:nth-child(-n+%d) h3", row), fmt.Sprintf("#crawl-finds > li:nth-child(%d) :is(.about, .snippet)", row))
	j.board.click(fmt.Sprintf("#crawl-finds > li:nth-child(%d) button", row), "Useful")
	j.d.holds("the find is marked", "1", "SELECT count(*) FROM finds WHERE mark = 'useful'")
	j.t.Logf("the first useful find is number %d of %d, after %d pages; %d words of finds", row, len(shown), j.d.number("SELECT max(fetched) FROM crawls"), j.board.work.words-before)
}
