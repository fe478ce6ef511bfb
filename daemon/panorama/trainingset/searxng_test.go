package trainingset

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func TestSearXNG(t *testing.T) {
	in := newInstance(t, text(`{"results": [
		{"url": "HTTP://A.test:80/x?utm_source=y#z", "title": "One\u202e\n two\u0000", "content": "  some   text "},
		{"url": "http://a.test/x", "title": "again"}, {"url": "javascript:alert(1)"}, {"url": "file:///etc/passwd"}, {"url": 7}, 8, null, {},
		{"url": "http://user:pw@b.test/"}, {"url": "http://b.test/?token=Zk3fJ29fjK3kfj3Kf93kfjf93kfjF"},
		{"url": "http://127.0.0.1/", "title": null, "content": ["x"]}, {"url": "https://c.test/`+strings.Repeat("x", 3000)+`"},
		{"url": "http://3.test/"}, {"url": "http://4.test/"}, {"url": "http://5.test/"}, {"url": "http://6.test/"}, {"url": "http://7.test/"},
		{"url": "http://8.test/"}, {"url": "http://9.test/"}, {"url": "http://10.test/"}, {"url": "http://11.test/"}]}`))
	path := storetest.Path(t)
	s := open(t, path)
	p := in.provider(t, s, newDocument(t, s, "a"))
	hits, err := p.Search(t.Context(), `Focused: "crawling" !images (site:x)`, 10)
	if err != nil || len(hits) != 10 || hits[0] != (Hit{"http://a.test/x", "One two", "some text", StageSearXNG}) ||
		hits[1] != (Hit{"http://127.0.0.1/", "", "", StageSearXNG}) || hits[9].URL != "http://10.test/" {
		t.Fatalf("%+v, %v", hits, err)
	}
	r := in.requests[0]
	if got := r.URL.RequestURI(); got != "/search?q=%22focused+crawling+images+site+x%22&format=json&pageno=1" || r.Method != http.MethodGet {
		t.Errorf("%s %s", r.Method, got)
	}
	for _, name := range []string{"Cookie", "Referer", "Authorization"} {
		if v := r.Header.Get(name); v != "" {
			t.Errorf("%s: %s was sent", name, v)
		}
	}

	// The answer is kept: for fewer pages, another document, and after a start.
	again := func(s *store.Store, key string, n int) {
		t.Helper()
		kept, err := in.provider(t, s, newDocument(t, s, key)).Search(t.Context(), "Focused crawling images site x", n)
		if err != nil || !reflect.DeepEqual(kept, hits[:n]) {
			t.Errorf("%+v, %v", kept, err)
		}
	}
	again(s, "a", 3)
	again(s, "b", 10)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again(open(t, path), "a", 10)
	if hits, err := p.Search(t.Context(), " !? ", 10); hits != nil || err != nil {
		t.Errorf("without words: %+v, %v", hits, err)
	}
	if got := in.queries(); len(got) != 1 {
		t.Errorf("asked %q", got)
	}
}

// TestAnyOrder: words in any order are sent without quotes, and their answers are kept apart from those of phrases.
func TestAnyOrder(t *testing.T) {
	in := newInstance(t, onePage)
	s := open(t, storetest.Path(t))
	doc := newDocument(t, s, "a")
	words, phrase := in.provider(t, s, doc).AnyOrder(), in.provider(t, s, doc)
	titles := []string{"Music +instrument !guitar", "music"}
	plan, err := PlanOf(t.Context(), words, titles)
	if err != nil || !slices.Equal(plan.Sends(), []string{"music instrument guitar", "music"}) {
		t.Errorf("%+v, %v", plan, err)
	}
	for range 2 { // the second time, the answers are kept
		for _, p := range []*SearXNG{words, phrase} {
			if hits, err := p.Search(t.Context(), titles[0], 5); err != nil || len(hits) != 2 || hits[0].URL != "http://a.test/music-instrument-guitar" {
				t.Errorf("%+v, %v", hits, err)
			}
		}
	}
	if got := in.queries(); !slices.Equal(got, []string{"music instrument guitar", `"music instrument guitar"`}) {
		t.Errorf("asked %q", got)
	}
	if plan, err = PlanOf(t.Context(), words, titles); err != nil || plan.Queries[0].Fate != WillReuse || plan.Queries[1].Fate != WillSend {
		t.Errorf("%+v, %v", plan, err)
	}
	if hits, err := words.Search(t.Context(), "!?", 5); hits != nil || err != nil {
		t.Errorf("without words: %+v, %v", hits, err)
	}
}

// Whatever goes wrong ends the asking with a reason, and what was answered before still counts.
func TestSearXNGRefuses(t *testing.T) {
	elsewhere := newInstance(t, onePage)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		status int
		want   string
	}{
		"403":           {status(403), 403, `add "json" to "search: formats:" in its settings.yml, or use local search`},
		"429":           {status(429), 429, "answers 429 Too Many Requests, and is not asked further; use local search"},
		"500":           {status(500), 500, "answers 500 Internal Server Error, and is not asked further"},
		"503":           {status(503), 503, "answers 503"},
		"404":           {status(404), 404, "check that it is the address of a SearXNG instance"},
		"HTML":          {text("\n<!doctype html><title>SearXNG</title>"), 200, "a web page in place of JSON"},
		"nonsense":      {text("\x00\xff{]"), 200, "something else than search results"},
		"empty":         {text(""), 200, "something else than search results"},
		"other JSON":    {text(`{"result": []}`), 200, "something else than search results"},
		"no list":       {text(`{"results": {"url": "http://a.test/"}}`), 200, "something else than search results"},
		"two values":    {text(`{"results": []} {}`), 200, "something else than search results"},
		"huge":          {text(`{"results": [], "x": "` + strings.Repeat("x", maxAnswer) + `"}`), 200, "more than 1 MiB"},
		"slow":          {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, "does not answer"},
		"slow body":     {func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() }, 200, "broke off its answer"},
		"broken off":    {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "does not answer"},
		"huge header":   {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) }, 0, "does not answer"},
		"to a stranger": {http.RedirectHandler(strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)+"/search", http.StatusFound).ServeHTTP, 0, "it sends on to localhost"},
		"other port":    {http.RedirectHandler(elsewhere.URL+"/search", http.StatusFound).ServeHTTP, 0, "it sends on to 127.0.0.1"},
		"in circles":    {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, 0, "in circles"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bad atomic.Bool
			in := newInstance(t, func(w http.ResponseWriter, r *http.Request) {
				if bad.Load() {
					c.answer(w, r)
				} else {
					onePage(w, r)
				}
			})
			s := newStore(t)
			doc := newDocument(t, s, "a")
			if _, err := in.provider(t, s, doc).Search(t.Context(), "kept", 10); err != nil {
				t.Fatal(err)
			}
			bad.Store(true)
			p := in.provider(t, s, doc)
			if strings.HasPrefix(name, "slow") {
				p.client.Timeout = 50 * time.Millisecond
			}
			got, err := Run(t.Context(), p, []string{"first", "second", "kept"}, nil)
			var refusal *Refusal
			if err != nil || !errors.As(got.Ended, &refusal) || refusal.Status != c.status || refusal.To != in.URL+"/" ||
				!strings.Contains(refusal.Error(), c.want) || strings.Contains(refusal.Error(), "first") {
				t.Fatalf("%v, %v; want one with %q", got.Ended, err, c.want)
			}
			if !reflect.DeepEqual(got.NotAsked, []string{"first", "second"}) || len(got.Pages) != 2 || got.Pages[0].URL != "http://a.test/kept" {
				t.Errorf("%+v", got)
			}
			for _, q := range in.queries()[1:] {
				if q != `"first"` {
					t.Errorf("after the refusal it was asked %s", q)
				}
			}
			// Another run may ask again.
			bad.Store(false)
			if got, err := Run(t.Context(), in.provider(t, s, doc), []string{"first", "second"}, nil); err != nil || len(got.Pages) != 3 || got.Ended != nil {
				t.Errorf("later: %+v, %v", got, err)
			}
		})
	}
	t.Cleanup(func() {
		if got := elsewhere.queries(); len(got) > 0 {
			t.Errorf("a stranger was asked %q", got)
		}
	})
}

func TestSearXNGIsGone(t *testing.T) {
	in := newInstance(t, onePage)
	s := newStore(t)
	p := in.provider(t, s, newDocument(t, s, "a"))
	in.Close()
	var refusal *Refusal
	if _, err := p.Search(t.Context(), "ice", 10); !errors.As(err, &refusal) || refusal.Status != 0 {
		t.Errorf("%v", err)
	}
}

func TestSearXNGRedirectsToItself(t *testing.T) {
	in := newInstance(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/search" {
			http.Redirect(w, r, "/find?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		if r.Header.Get("Referer") != "" {
			t.Error("a Referer was sent")
		}
		onePage(w, r)
	})
	s := newStore(t)
	if hits, err := in.provider(t, s, newDocument(t, s, "a")).Search(t.Context(), "ice", 10); err != nil || len(hits) != 2 {
		t.Errorf("%+v, %v", hits, err)
	}
}

// A title about which the engines of an instance said nothing can be asked again, others not.
func TestEnginesThatFailed(t *testing.T) {
	var well atomic.Bool
	in := newInstance(t, func(w http.ResponseWriter, r *http.Request) {
		if well.Load() {
			text(`{"results": []}`)(w, r)
		} else {
			text(`{"results": [], "unresponsive_engines": [["x", "CAPTCHA"]]}`)(w, r)
		}
	})
	s := newStore(t)
	doc := newDocument(t, s, "a")
	for i, want := range []int{1, 2, 2} {
		if hits, err := in.provider(t, s, doc).Search(t.Context(), "ice", 10); err != nil || len(hits) != 0 {
			t.Errorf("%+v, %v", hits, err)
		}
		if got := in.queries(); len(got) != want {
			t.Errorf("run %d: asked %q", i, got)
		}
		well.Store(true)
	}
}

// A program that was killed while a query was on its way does not send it again.
func TestLostAnswer(t *testing.T) {
	in := newInstance(t, onePage)
	path := storetest.Path(t)
	s := open(t, path)
	doc := newDocument(t, s, "a")
	if _, err := BeginQuery(t.Context(), s.DB, TitleQuery{Document: doc, Provider: in.URL + "/", Text: "lost"}, 0, MaxQueries); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	p := in.provider(t, s, doc)
	got, err := Run(t.Context(), p, []string{"Lost!", "Ice"}, nil)
	if err != nil || !reflect.DeepEqual(got.Lost, []string{"Lost!"}) || len(got.Pages) != 2 || got.Ended != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if got := in.queries(); !reflect.DeepEqual(got, []string{`"ice"`}) {
		t.Errorf("asked %q", got)
	}
}

// A run that is cancelled while it waits sends nothing more; one that is cancelled while a query is on its way keeps the
// answer. The next run goes on.
func TestCancelAndResume(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := newInstance(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("q") == `"two"` {
			cancel()
		}
		onePage(w, r)
	})
	s := newStore(t)
	doc := newDocument(t, s, "a")
	titles := []string{"one", "two", "three", "four"}
	got, err := Run(ctx, in.provider(t, s, doc), titles, nil)
	if !errors.Is(err, context.Canceled) || len(got.Pages) != 3 || len(in.queries()) != 2 {
		t.Fatalf("%+v, %v; asked %q", got, err, in.queries())
	}
	waiting := in.provider(t, s, doc)
	waiting.gap = time.Hour
	ctx, stop := context.WithCancel(t.Context())
	_, err = Run(ctx, waiting, titles, func(p Progress) {
		if p.Done == 2 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || len(in.queries()) != 2 {
		t.Fatalf("%v; asked %q", err, in.queries())
	}
	ctx, stop = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := waiting.Search(ctx, "three", 10); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("while it waits: %v", err)
	}
	got, err = Run(t.Context(), in.provider(t, s, doc), titles, nil)
	if err != nil || len(got.Pages) != 5 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := in.queries(); !reflect.DeepEqual(got, []string{`"one"`, `"two"`, `"three"`, `"four"`}) {
		t.Errorf("asked %q", got)
	}
}

// A title of more words than engines read is asked for by its first words, and the plan shows them.
func TestLongTitle(t *testing.T) {
	in := newInstance(t, onePage)
	s := newStore(t)
	title := strings.TrimSpace(strings.Repeat("owls over mills ", 15))
	first := strings.Join(strings.Fields(title)[:maxQueryWords], " ")
	for want, p := range map[string]*SearXNG{
		`"` + first + `"`: in.provider(t, s, newDocument(t, s, "a")), first: in.provider(t, s, newDocument(t, s, "b")).AnyOrder(),
	} {
		plan, err := PlanOf(t.Context(), p, []string{title})
		if err != nil || len(plan.Queries) != 1 || plan.Queries[0].Title != title || plan.Queries[0].Query != want {
			t.Errorf("%v: %+v, want %q", err, plan, want)
		}
		if _, err := p.Search(t.Context(), title, 10); err != nil || in.queries()[len(in.queries())-1] != want {
			t.Errorf("%v: asked %q, want %q", err, in.queries(), want)
		}
	}
}

func TestQueryLimitAndPlan(t *testing.T) {
	in := newInstance(t, onePage)
	s := newStore(t)
	p := in.provider(t, s, newDocument(t, s, "a"))
	var titles []string
	for i := range MaxQueries + 2 {
		titles = append(titles, fmt.Sprintf("Title: %d", i))
	}
	if _, err := p.Search(t.Context(), titles[0], 10); err != nil {
		t.Fatal(err)
	}
	asked := append([]string{"", "?!", "TITLE 0"}, titles...) // no words, none, and one of the same words
	plan, err := PlanOf(t.Context(), p, asked)
	if err != nil || plan.To != in.URL+"/" || len(plan.Queries) != MaxQueries+2 || len(in.queries()) != 1 {
		t.Fatalf("%+v, %v; asked %q", plan, err, in.queries())
	}
	sends := plan.Sends()
	if len(sends) != MaxQueries-1 || plan.Queries[0].Fate != WillReuse || sends[0] != `"title 1"` {
		t.Errorf("would send %d: %q", len(sends), sends)
	}
	if q := plan.Queries[MaxQueries+1]; q.Fate != OverLimit {
		t.Errorf("%+v", q)
	}
	got, err := Run(t.Context(), p, asked, nil)
	if err != nil || !errors.Is(got.Ended, ErrQueryLimit) || len(got.NotAsked) != 2 {
		t.Errorf("%v, %v, not asked %q", got.Ended, err, got.NotAsked)
	}
	if sent := in.queries()[1:]; !reflect.DeepEqual(sent, sends) {
		t.Errorf("sent %q, said %q", sent, sends)
	}
	if plan, err := PlanOf(t.Context(), p, titles[1:2]); err != nil || plan.Queries[0].Fate != WillReuse {
		t.Errorf("%+v, %v", plan, err)
	}
	if _, err := BeginQuery(t.Context(), s.DB, TitleQuery{Document: newDocument(t, s, "b"), Provider: p.To(), Text: "lost"}, 0, 60); err != nil {
		t.Fatal(err)
	}
	if plan, err := PlanOf(t.Context(), p, []string{"lost"}); err != nil || plan.Queries[0].Fate != WillMiss {
		t.Errorf("%+v, %v", plan, err)
	}
	if plan, err := PlanOf(t.Context(), &Local{Store: s}, titles); err != nil || plan.To != "" || plan.Queries != nil {
		t.Errorf("local: %+v, %v", plan, err)
	}
}

func TestAddressOfInstance(t *testing.T) {
	s := newStore(t)
	for address, want := range map[string]string{
		"http://localhost:8888": "http://localhost:8888/", " https://Search.Test/searx/ ": "https://search.test/searx/",
		"http://[::1]:80": "http://[::1]:80/", "": "", "localhost:8888": "", "ftp://x.test": "", "http://": "", "http://u:p@x.test": "",
		"http://x.test/?q=1": "", "http://x.test/#a": "", "http://x.test:port": "",
	} {
		p, err := NewSearXNG(address, s, 1)
		if (err == nil) != (want != "") || err == nil && p.To() != want {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "http://localhost:8888") {
			t.Errorf("%q: %v does not say how", address, err)
		}
	}
}
