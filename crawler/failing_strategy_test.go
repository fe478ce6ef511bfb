package crawler_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
)

// clumsy is a counting strategy that fails on pages with "good" in them and returns too long a path state for the others.
type clumsy struct{ counting }

var errClumsy = errors.New("no minimum found")

func (c clumsy) Read(ctx context.Context, v strategy.Visit) (strategy.Judgement, error) {
	v.Start = true
	j, err := c.counting.Read(ctx, v)
	if strings.Contains(v.Page.Text, "good") {
		return j, errClumsy
	}
	j.Path = make([]byte, strategy.MaxPath+1)
	return j, err
}

// TestStrategyErrorsAreCounted: pages that a strategy fails on are judged and counted, a path state that is too long is
// dropped, and the crawl goes on. A resumed crawl goes on counting.
func TestStrategyErrorsAreCounted(t *testing.T) {
	w := &web{pages: map[string]string{
		"start.test/": `<a href="/a">a</a><a href="/b">b</a>`, "start.test/a": `good target <a href="/c">c</a>`, "start.test/b": "other",
	}, asked: map[string]int{}}
	before := crawler.Totals{StrategyErrors: 4, StrategyError: "an earlier error"}
	for _, resume := range []*crawler.Resume{nil, {Totals: before, Queued: crawler.StartEntries([]string{start})}} {
		var failed, long int
		result, err := crawler.Run(t.Context(), mustClient(t, w), clumsy{}, crawler.Options{
			Starts: []string{start}, Resume: resume, OnFetch: func(f *crawler.Fetch) {
				switch {
				case errors.Is(f.StrategyError, errClumsy):
					failed++
					if !f.Relevant || len(f.Queued) != 1 {
						t.Errorf("%s was not judged: %+v", f.URL, f.Judgement)
					}
				case f.StrategyError != nil:
					long++
					if f.Judgement.Path != nil {
						t.Errorf("%s hands on %d bytes", f.URL, len(f.Judgement.Path))
					}
				}
				for _, e := range f.Queued {
					if len(e.Path) > strategy.MaxPath {
						t.Errorf("%s was queued with %d bytes", e.URL, len(e.Path))
					}
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := "The strategy could not learn from 3 pages: "
		if resume != nil {
			want = "The strategy could not learn from 7 pages: "
		}
		if failed != 1 || long != 2 || !strings.HasPrefix(result.Unlearned, want) {
			t.Errorf("%d pages failed, %d paths were too long: %q", failed, long, result.Unlearned)
		}
	}
}
