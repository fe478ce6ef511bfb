package crawler_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/model/arms"
)

// taste is a strategy that likes some numbers of pages better than others. It carries along a path the sum of its tastes, and
// the value of a link is that sum plus the taste of its address.
type taste struct{ factor int }

func (s taste) Name() string { return fmt.Sprint("taste", s.factor) }

func (s taste) of(url string) int { return pageNumber(url) * s.factor % 31 }

func (s taste) worth(sum int, url string) int32 { return int32(sum + s.of(url)) }

func (s taste) Read(_ context.Context, v strategy.Visit) (j strategy.Judgement, err error) {
	sum := s.of(v.URL)
	if !v.Start {
		sum = (sum + int(v.Parent[0])) % 40
		if want := fmt.Sprintf("%s to %s", s.Name(), v.URL); string(v.Note) != want {
			err = fmt.Errorf("note %q, want %q", v.Note, want)
		}
	}
	j.Path = []byte{byte(sum)}
	for _, l := range v.Page.Links {
		j.Priorities = append(j.Priorities, strategy.Priority{s.worth(sum, l.URL)})
		j.Notes = append(j.Notes, fmt.Appendf(nil, "%s to %s", s.Name(), l.URL))
	}
	return j, err
}

const tastePages = 60

// tasteLinks are the links of each page of a made-up web.
func tasteLinks(seed uint64) (links [tastePages][]int) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range links {
		for range 1 + r.IntN(5) {
			if to := r.IntN(tastePages); to != i && !slices.Contains(links[i], to) {
				links[i] = append(links[i], to)
			}
		}
		if i+1 < tastePages && !slices.Contains(links[i], i+1) {
			links[i] = append(links[i], i+1)
		}
	}
	return links
}

// hidden reports whether robots.txt forbids a page of the web, so that asking for it costs nothing.
func hidden(i int) bool { return i%7 == 3 }

func tasteURL(i int) string {
	if hidden(i) {
		return fmt.Sprint("http://taste.test/private/", i)
	}
	return fmt.Sprint("http://taste.test/", i)
}

func tasteWeb(links [tastePages][]int) *web {
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	for i, to := range links {
		text := fmt.Sprintf("<p>page %d of its own</p>", i)
		for _, t := range to {
			text += fmt.Sprintf(`<a href="%s">x</a>`, tasteURL(t))
		}
		w.pages[strings.TrimPrefix(tasteURL(i), "http://")] = text
	}
	return w
}

// tasteOracle crawls the web on paper: of all links that wait it takes the one that is worth most to the strategy whose pick it
// is, the earlier found of equal ones. After a hidden page, the same pick is made again. Each line says the page, the pick, and the
// page that holds the link and is best for the first strategy.
func tasteOracle(links [tastePages][]int, design arms.Design) (lines []string) {
	type waiting struct{ worth, parent, sum, seq int }
	kinds := [2]taste{{7}, {11}}
	queue, done := [2]map[int]waiting{{}, {}}, map[int]bool{}
	var sums [2]int
	page, parent, pick, seq, second := 0, -1, 0, 0, false
	for {
		lines = append(lines, tasteLine(page, pick, second, parent))
		done[page] = true
		for k, s := range kinds {
			sums[k] = (sums[k] + s.of(tasteURL(page))) % 40
		}
		again := hidden(page)
		for _, to := range links[page] {
			if done[to] || again {
				continue
			}
			seq++
			for k, s := range kinds {
				w := waiting{int(s.worth(sums[k], tasteURL(to))), page, sums[k], seq}
				if old, known := queue[k][to]; known {
					w.seq = old.seq
					if w.worth <= old.worth {
						continue
					}
				}
				queue[k][to] = w
			}
		}
		if len(queue[0]) == 0 {
			return lines
		}
		if !again {
			pick++
		}
		second = design.Second(pick)
		order := queue[0]
		if second {
			order = queue[1]
		}
		page = slices.MaxFunc(slices.Collect(maps.Keys(order)), func(a, b int) int {
			if d := order[a].worth - order[b].worth; d != 0 {
				return d
			}
			return order[b].seq - order[a].seq
		})
		parent = queue[0][page].parent
		for k := range queue {
			sums[k] = queue[k][page].sum
			delete(queue[k], page)
		}
	}
}

func tasteLine(page, pick int, second bool, parent int) string {
	if second {
		pick = -pick
	}
	return fmt.Sprintf("page %d, pick %d, from %d", page, pick, parent)
}

// tasteCrawl crawls the web with both strategies.
func tasteCrawl(t *testing.T, links [tastePages][]int, design arms.Design, o crawler.Options) (lines []string) {
	t.Helper()
	if o.Resume == nil {
		o.Starts = []string{tasteURL(0)}
	}
	o.OnFetch = func(f *crawler.Fetch) {
		parent := -1
		if f.Parent != "" {
			parent = pageNumber(f.Parent)
		}
		if f.StrategyError != nil {
			t.Errorf("%s: %v", f.URL, f.StrategyError)
		}
		lines = append(lines, tasteLine(pageNumber(f.URL), f.Pick, false, parent))
	}
	if _, err := crawler.Run(t.Context(), mustClient(t, tasteWeb(links)), strategy.NewPair(taste{7}, taste{11}, design), o); err != nil {
		t.Fatal(err)
	}
	return lines
}

func pageNumber(url string) (n int) {
	fmt.Sscanf(url[strings.LastIndex(url, "/")+1:], "%d", &n)
	return n
}

// TestTwoStrategiesAgainstOracle: a crawl with two strategies fetches the pages that a crawl on paper does, in the same order,
// by the same picks and from the same pages; each strategy reads every page with its own note and path.
func TestTwoStrategiesAgainstOracle(t *testing.T) {
	for seed := range uint64(6) {
		links, design := tasteLinks(seed), arms.Design{Share: 10 + 8*int(seed), Seed: seed}
		got, want := tasteCrawl(t, links, design, crawler.Options{Explain: true}), tasteOracle(links, design)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// picked is a journal in memory that keeps what a crawl with two strategies needs to go on.
type picked struct {
	shelf
	begun map[string]int
	picks map[string]int
}

func (p *picked) Commit(ctx context.Context, b *crawler.Batch) error {
	if err := p.shelf.Commit(ctx, b); err != nil {
		return err
	}
	for _, f := range b.Fetches {
		delete(p.picks, f.URL)
		if f.Pick != 0 {
			p.resume.Picked = append(p.resume.Picked, strategy.PickCost{N: f.Pick, Cost: f.Cost})
		}
	}
	for _, u := range b.Begun {
		p.begun[u]++
	}
	for u, pick := range b.Picks {
		p.picks[u] = pick
	}
	return nil
}

// TestTwoStrategiesResume: an interrupted crawl continues with the same picks. The fetch that was under way
// is made again and counts for the strategy that chose it.
func TestTwoStrategiesResume(t *testing.T) {
	links, design := tasteLinks(3), arms.Design{Share: 30, Seed: 9}
	want := tasteOracle(links, design)
	for pages := 1; pages < len(want); pages += 5 {
		s := &picked{shelf{queued: map[string]frontier.Entry{}}, map[string]int{}, map[string]int{}}
		before := tasteCrawl(t, links, design, crawler.Options{Journal: &cutOff{s, pages + 1}})[:pages]
		r := s.resume
		r.Steps = nil
		for i, line := range before {
			var page int
			fmt.Sscanf(line, "page %d", &page)
			r.Steps = append(r.Steps, crawler.PastStep{N: i + 1, URL: tasteURL(page)})
		}
		for _, e := range s.queued {
			e.Attempts = s.begun[e.URL]
			r.Queued = append(r.Queued, e)
			r.LastSeq = max(r.LastSeq, e.Seq)
		}
		r.Picks = s.picks
		got := append(before, tasteCrawl(t, links, design, crawler.Options{Resume: &r})...)
		if !slices.Equal(got, want) {
			t.Fatalf("after %d attempts:\n%s\nwant\n%s", pages, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// cutOff keeps what is committed before the n-th attempt ends; that this began is kept.
type cutOff struct {
	*picked
	n int
}

func (c *cutOff) Commit(ctx context.Context, b *crawler.Batch) error {
	if len(b.Fetches) > 0 && b.Fetches[len(b.Fetches)-1].N >= c.n {
		return nil // killed before
	}
	return c.picked.Commit(ctx, b)
}

// TestPicksNeedAShare: without a share the second strategy chooses nothing, and no pick is counted.
func TestPicksNeedAShare(t *testing.T) {
	links := tasteLinks(1)
	for _, share := range []int{-1, 0, arms.MostShare + 1} {
		for _, line := range tasteCrawl(t, links, arms.Design{Share: share}, crawler.Options{}) {
			if !strings.Contains(line, "pick 0,") {
				t.Errorf("share %d: %s", share, line)
			}
		}
	}
}
