package scheduler

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// browsing returns a session with private pages: a mailbox, pages of the crawled site to which no public page links, and
// addresses with secrets. The pages show links that only the person sees.
func browsing() []protocol.Event {
	m := sessiontest.NewMaker(5, evening)
	events := []protocol.Event{m.Start("hockey")}
	from := ""
	for i, url := range []string{
		"http://hockey.test/", "http://mail.test/inbox?folder=3", "http://mail.test/letter/77", "http://hockey.test/members/minutes",
		"http://hockey.test/draft/unpublished", "http://intranet.test/plan", "http://hockey.test/3", "http://hockey.test/reset/Zx81kPq02LmN4vT7rYs9",
		"http://hockey.test/league?access_token=abcdef", "http://hockey.test/6",
	} {
		how := protocol.HowLink
		if from == "" || i == 5 {
			how, from = protocol.HowTyped, ""
		}
		visit := m.Visit(url, fmt.Sprintf("Page %d", i), how, from)
		if i == 6 {
			visit.Requested = "http://go.test/r/4711"
		}
		useful := strings.HasSuffix(url, "/3") || strings.HasSuffix(url, "/6")
		text := []string{"gardening weather shopping cars ", "hockey league results season "}[map[bool]int{true: 1}[useful]]
		html := fmt.Sprintf(`<title>Page %d</title><p>%s</p><a href="/private/only-seen/%d">seen</a> <a href="http://mail.test/letter/%d">letter</a>
			<a href="/3">3</a> <a href="/6">6</a> <iframe src="/private/frame/%d"></iframe>`, i, strings.Repeat(text, i+4), i, i, i)
		events = append(events, visit, m.Snapshot(visit.Page, []byte(html)))
		if useful {
			events = append(events, m.Of(protocol.Useful, visit.Page, ""))
		}
		from = visit.Page
	}
	return append(events, m.Event(protocol.Submit))
}

// published is how many pages the site has besides its front page.
const published = 12

// public returns a page of the crawled site, with words that no other page has; 0 is the front page.
func public(n int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Hockey %d</title><p>", n)
	for range 60 {
		fmt.Fprintf(&b, "%s%s ", letters(rng.IntN(676)), letters(rng.IntN(676)))
	}
	if n%3 == 0 {
		b.WriteString(strings.Repeat("hockey league results season ", 5))
	}
	for i := 1; n == 0 && i <= published; i++ {
		fmt.Fprintf(&b, `<a href="/%d">%d</a> `, i, i)
	}
	return b.String()
}

// TestNothingOfThePersonsOwnIsFetched: a crawl fetches the ticked start pages and what public pages link to, and no other
// page that the person saw. Neither the model nor stored crawls and pages add an address, and no address with a secret is
// even proposed. Unless the person wants that not, it also fetches what pages that they saw on the site of a start page link to on that
// site, except where the address of the page has a secret.
func TestNothingOfThePersonsOwnIsFetched(t *testing.T) {
	for _, follow := range []bool{false, true} {
		t.Run(fmt.Sprint("follows visited pages ", follow), func(t *testing.T) { holdPrivate(t, follow) })
	}
}

func holdPrivate(t *testing.T, follow bool) {
	w := mustWorld(t, evening)
	w.step = 0
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		url := "http://" + r.Host + r.URL.RequestURI()
		mu.Lock()
		asked = append(asked, url)
		mu.Unlock()
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("ETag", `"1"`)
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if r.URL.Path != "/" && (err != nil || n < 1 || n > published) {
			rw.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(rw, public(n))
	}))
	defer server.Close()
	w.mustSettings(t, func(s *settings.Settings) {
		s.Delay, s.Sitemaps, s.Resolve = 0, true, []string{"*.test=" + server.Listener.Addr().String()}
	})

	w.mustIngest(t, browsing())
	topic, err := topics.ByName(t.Context(), w.st.DB, "hockey")
	if err != nil {
		t.Fatal(err)
	}
	tr := trainer.New(trainer.Deps{Store: w.st, Bus: &w.bus, Log: slog.New(slog.DiscardHandler)})
	if _, err := tr.Train(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	starts, err := startpages.All(t.Context(), w.st.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	var proposed []string
	for _, s := range starts {
		if s.Ticked {
			t.Errorf("%s is ticked by itself", s.URL)
		}
		proposed = append(proposed, s.URL)
	}
	if !slices.Equal(proposed, []string{"http://hockey.test/", "http://intranet.test/plan"}) {
		t.Errorf("proposed %v", proposed)
	}
	if err := startpages.Tick(t.Context(), w.st.DB, topic.ID, "http://hockey.test/", true); err != nil {
		t.Fatal(err)
	}

	if _, err := crawls.FollowVisited(t.Context(), w.st.DB, topic.ID, follow); err != nil {
		t.Fatal(err)
	}
	pages, own := published+1, map[string]int{} // the front page is fetched, and so are pages that the person saw and public ones link to
	if follow {
		pages -= 2 // /3 and /6 were visited
		for _, i := range []int{3, 4, 6, 9} {
			own[fmt.Sprint("private/only-seen/", i)], own[fmt.Sprint("private/frame/", i)] = 0, 0
		}
		pages += len(own)
	}

	s := w.mustRun(t, Options{})
	for crawl := 1; crawl <= 2; crawl++ {
		w.mustStartAnew(t, topic.ID)
		w.mustRunNow(t, s, topic.ID)
		c := w.mustEnd(t, topic.ID, crawl)
		if c.Totals.Fetched != pages {
			t.Errorf("crawl %d: %d pages, %s", crawl, c.Totals.Fetched, c.StopReason)
		}
		if crawl == 1 { // the second is by a model that has seen the first, and its marks
			views, err := finds.List(t.Context(), w.st.DB, finds.Filter{})
			if err != nil || len(views) == 0 {
				t.Fatalf("%d finds, %v", len(views), err)
			}
			for _, v := range views {
				if err := marks.Put(t.Context(), w.st.DB, v.ID, store.MarkUseful); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tr.Train(t.Context(), topic.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, url := range asked {
		path, ok := strings.CutPrefix(url, "http://hockey.test/")
		if _, mine := own[path]; mine && ok {
			own[path]++
			continue
		}
		if !ok || follow && (path == "3" || path == "6") || path != "robots.txt" && path != "sitemap.xml" && strings.Trim(path, "0123456789") != "" && !probe(path) {
			t.Errorf("%s was asked for", url)
		}
	}
	for path, times := range own {
		if times != 2 {
			t.Errorf("%s was asked for %d times in two crawls", path, times)
		}
	}
}

// probe reports whether a path is the one requested to see how a host answers for unknown pages.
func probe(path string) bool {
	return len(path) == 20 && strings.Trim(path, "abcdefghijklmnopqrstuvwxyz") == ""
}

// TestRenew: a night that runs follows no more links on visited pages once the person wants that not, and goes on with the others.
func TestRenew(t *testing.T) {
	for _, while := range []string{"http://hockey.test/", "http://hockey.test/private/only-seen/3"} { // begun, and among such links
		w := mustWorld(t, evening)
		w.mustIngest(t, browsing())
		topic := w.mustTopic(t, "hockey")
		at := w.hold(while)
		s, _ := w.start(t, Options{})
		w.mustRunNow(t, s, topic)
		<-at.reached
		if _, err := crawls.FollowVisited(t.Context(), w.st.DB, topic, false); err != nil {
			t.Fatal(err)
		}
		s.Renew(topic)
		close(at.open)
		c := w.mustEnd(t, topic, 1)
		asked := w.fetched()
		begun := slices.Index(asked, while)
		for _, url := range asked[begun+1:] {
			if strings.Contains(url, "/private/") && url != while {
				t.Errorf("%s was asked for after the change", url)
			}
		}
		if !slices.Contains(asked, "http://hockey.test/12") || !strings.HasPrefix(c.StopReason, "no links left") {
			t.Errorf("%q, %s", asked, c.StopReason)
		}
	}
}
