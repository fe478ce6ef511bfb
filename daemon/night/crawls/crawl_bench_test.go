package crawls_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// BenchmarkCrawl does everything that a night does (fetch, parse, judge, choose, store, archive) with made-up pages of 25 kB on 64
// hosts of this machine, without delays. One operation is a page. The hosts are served by the same process.
//
//	go test ./daemon/night/crawls -run x -bench Crawl -benchtime 2000x
func BenchmarkCrawl(b *testing.B) {
	const hosts = 64
	w := &benchWeb{b.N + 200, paragraphs(300, "tide turbine estuary barrage current ebb flood lagoon generator sluice marine energy"), paragraphs(3000, "")}
	var rules []fetch.Resolve
	var starts []string
	for i := range hosts {
		l := storetest.Must(net.Listen("tcp4", fmt.Sprintf("127.2.0.%d:0", i+1)))(b)
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: w}}
		s.Start()
		b.Cleanup(s.Close)
		rules = append(rules, fetch.Resolve{Pattern: w.host(i), Addr: l.Addr().String()})
		starts = append(starts, w.url(i))
	}
	ctx := context.Background()
	bundle := storetest.Must(model.Train(ctx, w.session(b), model.DefaultSettings(), nil))(b)
	st := storetest.Must(store.Open(ctx, storetest.Path(b)))(b)
	b.Cleanup(func() { _ = st.Close() }) // the measured crawl is over
	topic := storetest.Must(st.CreateTopic(ctx, "Tides"))(b)
	m := storetest.Must(models.Save(ctx, st.DB, st.Erasures(), topic.ID, bundle, models.Facts{Facts: bundle.Facts}))(b)
	id := storetest.Must(crawls.Create(ctx, st.DB, crawls.Crawl{TopicID: topic.ID, ModelID: m.ID, Strategy: strategy.Best, Options: crawls.Options{Starts: starts}}))(b)
	if err := crawls.Start(ctx, st.DB, id); err != nil {
		b.Fatal(err)
	}
	crawl := storetest.Must(crawls.Get(ctx, st.DB, id))(b)
	resume := storetest.Must(crawls.Resume(ctx, st.DB, id))(b)
	s := storetest.Must(strategy.New(ctx, strategy.Best, bundle))(b)
	live := fetch.NewLive(fetch.LiveOptions{UserAgent: "Nightjar/bench", Resolve: rules, Keep: true})
	b.Cleanup(func() { _ = live.Close() })
	kept := storetest.Must(archive.Open(archive.Options{Dir: filepath.Join(b.TempDir(), "archive"), Software: "Nightjar/bench"}))(b)
	pages := 0
	b.ResetTimer()
	spent := devtool.CPUTime()
	_, err := crawler.Run(ctx, live, s, crawler.Options{
		Budget: crawler.Budget{Pages: b.N}, Workers: 16, Journal: crawls.NewJournal(st.DB, crawl), Resume: resume, Archive: kept,
		Trap: trap.New(trap.Options{Pages: b.N, Starts: starts}), Live: true,
		OnFetch: func(f *crawler.Fetch) {
			if f.Page != nil {
				pages++
			}
		},
	})
	if err == nil {
		err = kept.Close()
	}
	if err != nil || pages < b.N*9/10 {
		b.Fatalf("%d pages of %d, %v", pages, b.N, err)
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(devtool.CPUTime()-spent)/float64(pages)/1e6, "cpu-ms/page")
	b.ReportMetric(float64(devtool.PeakMemory()>>20), "peak-MiB")
}

// benchWeb is a made-up web of numbered pages. Every eighth one is about tides.
type benchWeb struct {
	pages         int
	tides, others []string // paragraphs
}

func (w *benchWeb) host(n int) string { return benchWord(n%64, 3) + ".test" }

func (w *benchWeb) url(n int) string {
	return fmt.Sprintf("http://%s/%s/%s?page=%d", w.host(n), benchWord(n%17, 2), benchWord(n, 5), n)
}

// benchWord is a made-up word with a number, of so many syllables. The trap guard takes numbers in addresses for traps.
func benchWord(n, syllables int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	n = n*104_729 + 7
	var word []byte
	for range syllables {
		word = append(word, consonants[n%14], vowels[n/14%5])
		n /= 70
	}
	return string(word)
}

func (w *benchWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Query().Get("page"), "%d", &n); err != nil {
		http.NotFound(rw, r)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = rw.Write([]byte(w.html(n))) // the crawl may have ended
}

func (w *benchWeb) html(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 11))
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><title>%s %s</title>", benchWord(n, 4), benchWord(n/7, 3))
	for b.Len() < 25_000 {
		to, about := r.IntN(w.pages), w.others
		if n%8 == 0 && r.IntN(2) == 0 {
			about = w.tides
		}
		fmt.Fprintf(&b, "<p>%s <a href=%q>%s</a></p>\n", about[r.IntN(len(about))], w.url(to), benchWord(to, 4))
	}
	return b.String()
}

// paragraphs makes up n texts of 200 words, about a fifth of them of a topic.
func paragraphs(n int, topic string) []string {
	r := rand.New(rand.NewPCG(uint64(n), 12))
	rare := rand.NewZipf(r, 1.1, 8, 20_000)
	words, all := strings.Fields(topic), make([]string, n)
	for i := range all {
		var text []string
		for range 200 {
			text = append(text, benchWord(int(rare.Uint64()), 3))
			if len(words) > 0 && r.IntN(4) == 0 {
				text = append(text, words[r.IntN(len(words))])
			}
		}
		all[i] = strings.Join(text, " ")
	}
	return all
}

// session is a person's session among the pages.
func (w *benchWeb) session(tb testing.TB) model.TrainingSet {
	var loads []webgraph.Load
	for n := range 160 {
		url := w.url(n)
		p := storetest.Must(page.Parse(url, page.ContentUTF8, []byte(w.html(n))))(tb)
		l := webgraph.Load{ID: url, URL: url, Site: weburl.Site(url), Title: p.Title, Text: p.Text, Target: n%8 == 0}
		for _, link := range p.Links {
			l.Links = append(l.Links, session.LinkOf(link))
		}
		loads = append(loads, l)
	}
	return model.FromGraph("Tides", webgraph.Build(loads), time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC))
}
