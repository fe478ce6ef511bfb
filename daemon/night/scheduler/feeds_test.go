package scheduler

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store/settings"
)

// blog is a site over HTTP whose front page names a feed. It has no sitemap.
type blog struct {
	mu      sync.Mutex
	entries []int          // numbers of the pages in the feed
	asked   map[string]int // path, and " again" when the asker had the page already
	*httptest.Server
}

func mustBlog(t *testing.T, w *world) *blog {
	t.Helper()
	b := &blog{asked: map[string]int{}}
	b.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		var body, n = "", 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		switch {
		case r.URL.Path == "/rss":
			for _, n := range b.entries {
				body += fmt.Sprintf("<item><title>hockey league results %d</title><link>/%d</link></item>", n, n)
			}
			body = "<rss><channel>" + body + "</channel></rss>"
		case r.URL.Path == "/" || n >= 1 && n <= 60:
			body = `<link rel="alternate" type="application/rss+xml" href="/rss">` + string(w.Fetch(r.Context(), "http://"+r.Host+r.URL.Path).Body)
		default:
			b.asked[r.URL.Path]++
			http.NotFound(rw, r)
			return
		}
		tag := fmt.Sprintf(`"%d"`, len(body))
		if r.Header.Get("If-None-Match") == tag {
			b.asked[r.URL.Path+" again"]++
			rw.WriteHeader(http.StatusNotModified)
			return
		}
		b.asked[r.URL.Path]++
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("ETag", tag)
		_, _ = rw.Write([]byte(body))
	}))
	t.Cleanup(b.Close)
	return b
}

// publish sets the pages in the feed and returns the requests since its last call.
func (b *blog) publish(entries ...int) map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := b.asked
	b.entries, b.asked = entries, map[string]int{}
	return asked
}

// TestFeedsOverNights crawls over HTTP on three nights. On the second one, a page that only a feed names is fetched, and is a find that
// says so; nothing but the feed is requested in full a second time. The third night, on which nothing is new, fetches nothing in full.
// Each night goes on after the last one stopped with no link left.
func TestFeedsOverNights(t *testing.T) {
	w := mustWorld(t, evening)
	w.step, w.pages = 0, 3
	site := mustBlog(t, w)
	w.mustSettings(t, func(s *settings.Settings) {
		s.Delay, s.Sitemaps, s.Resolve = 0, true, []string{"*.test=" + strings.TrimPrefix(site.URL, "http://")}
	})
	topic := w.mustTopic(t, "hockey")
	s := w.mustRun(t, Options{})
	night := func(n int, after time.Duration, next ...int) (map[string]int, crawls.Crawl) {
		w.set(evening.Add(after))
		w.mustRunNow(t, s, topic)
		c := w.mustEnd(t, topic, n)
		return site.publish(next...), c
	}
	full := func(asked map[string]int) (all []string) {
		for path, n := range asked {
			if n != 1 {
				t.Errorf("%s was requested %d times in a night", path, n)
			}
			if !probe(strings.TrimPrefix(path, "/")) && !strings.HasSuffix(path, " again") && path != "/robots.txt" && path != "/sitemap.xml" {
				all = append(all, path)
			}
		}
		return all
	}
	site.publish(3, 30)
	asked, _ := night(1, 0, 3, 30, 33)
	if got := full(asked); len(got) != 6 || asked["/30"] != 1 || asked["/rss"] != 1 {
		t.Errorf("the first night requested %v", asked)
	}
	asked, second := night(2, 24*time.Hour, 3, 30, 33)
	if got := full(asked); len(got) != 2 || asked["/33"] != 1 || asked["/rss"] != 1 {
		t.Errorf("the second night requested %v", asked)
	}
	listed, err := finds.List(t.Context(), w.st.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range listed {
		trail, err := finds.Trail(t.Context(), w.st.DB, f.FetchID)
		if err != nil {
			t.Fatal(err)
		}
		if feed := strings.HasSuffix(f.URL, "/30") || strings.HasSuffix(f.URL, "/33"); feed {
			found++
			if !trail[0].Feed || trail[0].List != "http://hockey.test/rss" || !strings.HasPrefix(trail[0].Anchor, "hockey league results") {
				t.Errorf("the trail of %s begins with %+v", f.URL, trail[0])
			}
		} else if trail[0].Feed {
			t.Errorf("the trail of %s begins in a feed", f.URL)
		}
	}
	if looks, err := progress.LooksOf(t.Context(), w.st.DB, second.ID); err != nil || found != 2 || looks.Lists != 1 || looks.Listed != 3 {
		t.Errorf("%d finds from the feed, %+v, %v", found, looks, err)
	}
	if asked, _ = night(3, 48*time.Hour, 3, 30, 33); len(full(asked)) > 0 || asked["/rss again"] != 1 {
		t.Errorf("the third night requested %v", asked)
	}
	if asked, _ = night(4, 49*time.Hour); len(full(asked)) > 0 || asked["/rss again"] != 0 {
		t.Errorf("another crawl of the third night requested %v", asked)
	}
}
