package trap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// rotten is a host whose front page links to pages of one pattern, most of which no longer exist.
type rotten struct{}

func (rotten) ReadyAt(string) time.Time { return time.Time{} }

func (rotten) Fetch(_ context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200}
	var n int
	fmt.Sscanf(strings.TrimPrefix(url, "http://rotten.test"), "/page-%d.html", &n)
	if n%5 != 0 {
		r.Outcome, r.Status = fetch.Status, 404
		return r
	}
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	for range 150 {
		fmt.Fprintf(&b, "%c%c%c%c ", 'a'+rng.IntN(26), 'a'+rng.IntN(26), 'a'+rng.IntN(26), 'a'+rng.IntN(26))
	}
	if n == 0 {
		for i := 1; i <= 50; i++ {
			fmt.Fprintf(&b, `<a href="/page-%d.html">page</a> `, i)
		}
	}
	r.Body = []byte("<title>page</title><p>" + b.String())
	return r
}

// TestDeadLinksAreNoTrap: a host that answers dead links with an error status is read to its end.
func TestDeadLinksAreNoTrap(t *testing.T) {
	start := "http://rotten.test/"
	got, err := crawler.Run(t.Context(), rotten{}, wide{}, crawler.Options{
		Starts: []string{start}, Budget: crawler.Budget{Pages: 60}, Trap: trap.New(trap.Options{Pages: 60, Starts: []string{start}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Outcomes[fetch.OK] != 11 || got.Outcomes[fetch.Status] != 40 {
		t.Errorf("%v for %s; want the front page, 10 pages and 40 dead links", got.Outcomes, weburl.Host(start))
	}
}

// wide follows every link in order and finds nothing relevant, so that the guard gets no credit from it.
type wide struct{}

func (wide) Name() string { return "wide" }

func (wide) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j := strategy.Judgement{Cluster: -1}
	for range v.Page.Links {
		j.Priorities = append(j.Priorities, strategy.Priority{0})
	}
	return j, nil
}
