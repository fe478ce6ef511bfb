package strategy

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/model"
)

// benchPage is a page as it is fetched.
type benchPage struct {
	url  string
	html []byte
}

// BenchmarkJudge is what a fetched page costs beside the fetching: with parsing, and without. The model is of 200 pages,
// 30 of them useful. Pages are encyclopedia articles of $NIGHTJAR_CORPORA when that is set, made-up ones of some 500 words
// otherwise.
func BenchmarkJudge(b *testing.B) {
	pages := madeUpPages(400)
	if corpora := os.Getenv("NIGHTJAR_CORPORA"); corpora != "" {
		pages = recordedPages(b, filepath.Join(corpora, "wikispeedia", "articles.warc.gz"), 400)
	}
	trained := trainOn(b, pages[:200])
	fresh := pages[200:]
	for _, k := range Kinds() {
		name := k.Name
		if k.Needs != Ontology && k.Needs.lacks(trained) != "" {
			continue // the pages were not visited by a person
		}
		s, err := NewWith(b.Context(), name, trained, themesFor(name))
		if err != nil {
			b.Fatal(err)
		}
		parsed := make([]*page.Page, len(fresh))
		for i, f := range fresh {
			parsed[i] = mustParse(b, f)
		}
		b.Run(name, func(b *testing.B) {
			var path []byte
			for i := 0; b.Loop(); i++ {
				path = mustRead(s, Visit{Page: parsed[i%len(parsed)], Parent: path}).Path
			}
		})
		b.Run(name+"/parse", func(b *testing.B) {
			var path []byte
			for i := 0; b.Loop(); i++ {
				path = mustRead(s, Visit{Page: mustParse(b, fresh[i%len(fresh)]), Parent: path}).Path
			}
		})
	}
}

func mustParse(tb testing.TB, p benchPage) *page.Page {
	tb.Helper()
	parsed, err := page.Parse(p.url, page.ContentUTF8, p.html)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed
}

// trainOn makes a model of pages of which every seventh is useful.
func trainOn(tb testing.TB, pages []benchPage) *model.Bundle {
	tb.Helper()
	set := model.TrainingSet{Topic: "Benchmark"}
	index := map[string]int{}
	for i, p := range pages {
		index[p.url] = i
		set.Pages = append(set.Pages, model.Page{URL: p.url, Text: mustParse(tb, p).Text, Target: i%7 == 0})
	}
	for from, p := range pages {
		done := map[int]bool{from: true}
		for _, l := range mustParse(tb, p).Links {
			if to, ok := index[l.URL]; ok && !done[to] {
				done[to] = true
				set.Edges = append(set.Edges, [2]int{from, to})
			}
		}
	}
	b, err := model.Train(context.Background(), set, model.DefaultSettings(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// recordedPages are pages spread over a recording.
func recordedPages(tb testing.TB, file string, count int) []benchPage {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var pages []benchPage
	for rec, err := range warc.NewReader(bytes.NewReader(data), int64(len(data))).All() {
		if err != nil {
			tb.Fatal(err)
		}
		if a, err := rec.Answer(); err == nil {
			r := fetch.Exchange{URL: rec.Target(), Status: a.Status, Header: a.Header, Body: a.Body}.Response()
			if r.Outcome == fetch.OK {
				pages = append(pages, benchPage{r.FinalURL, r.Body})
			}
		}
	}
	rand.New(rand.NewPCG(7, 8)).Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	return pages[:min(count, len(pages))]
}

// madeUpPages draw their words by Zipf's law, some of them from the words of the page's own subject, and have 60 links.
func madeUpPages(count int) []benchPage {
	rng := rand.New(rand.NewPCG(7, 8))
	var pages []benchPage
	for i := range count {
		var b strings.Builder
		for w := range 500 {
			subject := 0
			if rng.IntN(3) == 0 {
				subject = 1 + i%7
			}
			fmt.Fprintf(&b, "%s ", madeUpWord(subject, int(math.Exp(rng.Float64()*9))))
			if w%8 == 0 {
				fmt.Fprintf(&b, `<a href="/%d">%s</a> `, rng.IntN(count), madeUpWord(subject, w))
			}
		}
		pages = append(pages, benchPage{fmt.Sprintf("http://bench.test/%d", i), []byte("<title>Page</title><p>" + b.String())})
	}
	return pages
}

// madeUpWord is the n-th word of a subject, a few letters long.
func madeUpWord(subject, n int) string {
	word := []byte{byte('a' + subject)}
	for ; n > 0; n /= 20 {
		word = append(word, "bcdfghjklmnpqrstvwxz"[n%20], "aeiou"[n%5])
	}
	return string(word)
}

// BenchmarkLearner is what a page of 100 links costs a strategy in a crawl of 1,000 pages that it learns from: the median
// and the slowest page, which is one after which it fitted its models anew, a snapshot at the end, and the memory that it
// holds then.
func BenchmarkLearner(b *testing.B) {
	pages := madeUpPages(1200)
	trained := trainOn(b, pages[:200])
	for _, name := range Names() {
		if !learner(mustNew(b, name)) {
			continue
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				learnerCosts(b, name, trained, pages[200:])
			}
		})
	}
}

func learnerCosts(b *testing.B, name string, trained *model.Bundle, pages []benchPage) {
	rng := rand.New(rand.NewPCG(9, 9))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := New(b.Context(), name, trained)
	if err != nil {
		b.Fatal(err)
	}
	var took []float64
	var queued []Visit
	for _, f := range pages {
		v := Visit{Start: true}
		if len(queued) > 0 {
			v = queued[rng.IntN(len(queued))]
		}
		v.Page = mustParse(b, f)
		for i := len(v.Page.Links); i < 100; i++ {
			v.Page.Links = append(v.Page.Links, page.Link{URL: fmt.Sprintf("http://bench.test/more/%d", rng.IntN(5000)), Anchor: madeUpWord(i%8, i)})
		}
		v.Page.Links = v.Page.Links[:100]
		began := time.Now()
		j := mustRead(s, v)
		took = append(took, time.Since(began).Seconds()*1000)
		queued = queued[:0]
		for i, l := range v.Page.Links {
			queued = append(queued, Visit{URL: l.URL, Note: j.Notes[i], Parent: j.Path})
		}
	}
	slices.Sort(took)
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(took[len(took)/2], "median-ms/page")
	b.ReportMetric(took[len(took)-1], "slowest-ms/page")
	began := time.Now()
	snapshot := s.(Learner).Snapshot()
	b.ReportMetric(time.Since(began).Seconds()*1000, "snapshot-ms")
	b.ReportMetric(float64(len(snapshot))/(1<<10), "snapshot-KiB")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/(1<<20), "MiB")
	runtime.KeepAlive(s)
}
