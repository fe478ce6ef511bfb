package operators

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// web is links with their words, as the definitions of [THESUS] see them.
type web struct {
	pages int // numbered from 1
	links []madeLink
}

type madeLink struct {
	src, dst int
	words    map[string]int // occurrences
}

var vocabulary = []string{"alpha", "beta", "gamma", "delta", "epsilon"}

func address0(page int) string { return fmt.Sprintf("https://s%d.test/p%d", page%3, page) }

// draw makes a web with at most 12 pages and 40 links, some twice, some of a page to itself.
func draw(rng *rand.Rand) web {
	w := web{pages: 1 + rng.IntN(12)}
	for range rng.IntN(41) {
		l := madeLink{src: 1 + rng.IntN(w.pages), dst: 1 + rng.IntN(w.pages), words: map[string]int{}}
		for range rng.IntN(4) {
			l.words[vocabulary[rng.IntN(len(vocabulary))]]++
		}
		w.links = append(w.links, l)
	}
	return w
}

// fixture is a store whose links a test writes.
type fixture struct {
	*Engine
	t  *testing.T
	db *sql.DB
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	path := storetest.Path(t)
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	db, err := sql.Open("sqlite", store.FileURL(path)+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return &fixture{New(st, Options{}), t, db}
}

func (f *fixture) exec(text string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Exec(text, args...); err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
}

// put stores a web in the place of the one before.
func (f *fixture) put(w web) {
	f.t.Helper()
	f.exec("BEGIN")
	for _, table := range []string{"link_word", "link", "link_page", "word"} {
		f.exec("DELETE FROM " + table)
	}
	for i := range w.pages {
		f.exec("INSERT INTO link_page (id, url, site) VALUES (?, ?, 's.test')", i+1, address0(i+1))
	}
	for i, one := range vocabulary {
		f.exec("INSERT INTO word (id, word) VALUES (?, ?)", i+1, one)
	}
	for i, l := range w.links {
		f.exec("INSERT INTO link (id, src, dst, pos) VALUES (?, ?, ?, ?)", i+1, l.src, l.dst, i)
		for one, n := range l.words {
			f.exec("INSERT INTO link_word (link, word, n) VALUES (?, ?, ?)", i+1, slices.Index(vocabulary, one)+1, n)
		}
	}
	f.exec("COMMIT")
}

// set is a set of pages as a text and as the definitions see it.
type set struct {
	text string
	all  bool
	has  map[int]bool
}

func (s set) holds(page int) bool { return s.all || s.has[page] }

// drawSet makes a set of pages: all, addresses of which some are unknown, prefixes, a crawl, or several of these.
func (w web) drawSet(rng *rand.Rand, depth int) set {
	s := set{has: map[int]bool{}}
	if rng.IntN(4) == 0 {
		return set{text: "[]", all: true}
	}
	var items []string
	for range 1 + rng.IntN(4) {
		switch kind := rng.IntN(8); {
		case kind == 0:
			site := fmt.Sprintf("https://s%d.test/", rng.IntN(3))
			items = append(items, site+"*")
			for p := 1; p <= w.pages; p++ {
				if strings.HasPrefix(address0(p), site) {
					s.has[p] = true
				}
			}
		case kind == 1 && depth > 0:
			from, n := w.drawSet(rng, depth-1), rng.IntN(3)-1
			items = append(items, fmt.Sprintf("CRAWL(%s,%d)", from.text, n))
			for p := range w.within(from, n, nil) {
				s.has[p] = true
			}
		case kind == 2:
			items = append(items, "https://unknown.test/")
		default:
			p := 1 + rng.IntN(w.pages)
			items, s.has[p] = append(items, address0(p)), true
		}
	}
	s.text = "[" + strings.Join(items, ", ") + "]"
	return s
}

// drawWords makes a set of words: all, or some of which a few are unknown.
func drawWords(rng *rand.Rand) (text string, accepts func(madeLink) bool) {
	if rng.IntN(4) == 0 {
		return "{}", nil
	}
	var some []string
	for range 1 + rng.IntN(3) {
		some = append(some, append(vocabulary, "unknown")[rng.IntN(len(vocabulary)+1)])
	}
	return "{" + strings.Join(some, ", ") + "}", func(l madeLink) bool {
		return slices.ContainsFunc(some, func(one string) bool { return l.words[one] > 0 })
	}
}

// within is [THESUS] Defs. 7 and 10: a page counts if a way of at most n links that are accepted leads to it, or from it for
// n < 0.
func (w web) within(from set, n int, accepts func(madeLink) bool) map[int]int {
	away := map[int]int{}
	for p := 1; p <= w.pages; p++ {
		if from.holds(p) {
			away[p] = 0
		}
	}
	for level := 1; level <= max(n, -n); level++ {
		for _, l := range w.links {
			a, b := l.src, l.dst
			if n < 0 {
				a, b = b, a
			}
			at, ok := away[a]
			if _, there := away[b]; ok && at < level && !there && (accepts == nil || accepts(l)) {
				away[b] = level
			}
		}
	}
	return away
}

// words counts what key gives for each word of the links from one set to another one, each value of key once; key nil counts
// occurrences.
func (w web) words(from, to set, key func(madeLink) [2]int) map[string]int {
	counts := map[string]int{}
	seen := map[string]map[[2]int]bool{}
	for _, l := range w.links {
		if !from.holds(l.src) || !to.holds(l.dst) {
			continue
		}
		for one, n := range l.words {
			if key == nil {
				counts[one] += n
				continue
			}
			if seen[one] == nil {
				seen[one] = map[[2]int]bool{}
			}
			seen[one][key(l)] = true
			counts[one] = len(seen[one])
		}
	}
	return counts
}

// linked is [THESUS] appendix A: pages at one end of links with words that have more than n different pages at the other.
func (w web) linked(in set, n int, accepts func(madeLink) bool, group, other, member func(madeLink) int) map[int]int {
	ends := map[int]map[int]bool{}
	for _, l := range w.links {
		if in.holds(member(l)) && (accepts == nil || accepts(l)) {
			if ends[group(l)] == nil {
				ends[group(l)] = map[int]bool{}
			}
			ends[group(l)][other(l)] = true
		}
	}
	counts := map[int]int{}
	for p, all := range ends {
		if len(all) > n {
			counts[p] = len(all)
		}
	}
	return counts
}

func src(l madeLink) int     { return l.src }
func dst(l madeLink) int     { return l.dst }
func pair(l madeLink) [2]int { return [2]int{l.src, l.dst} }

// pageRows and wordRows are the rows of a result as a test compares them.
func pageRows(r *Result) (all []string) {
	for _, row := range r.Rows {
		all = append(all, fmt.Sprint(row.URL, " ", row.N))
	}
	return all
}

func wordRows(r *Result) (all []string) {
	for _, row := range r.Rows {
		all = append(all, fmt.Sprint(row.Word, " ", row.N))
	}
	return all
}

// largestFirst lists the keys of counts by falling number, then in their order.
func largestFirst[K cmp.Ordered](counts map[K]int, name func(K) string) (all []string) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, k := range keys {
		all = append(all, fmt.Sprint(name(k), " ", counts[k]))
	}
	return all
}

// TestOperatorsAreAsDefined compares each operator with its definition in 400 cases.
func TestOperatorsAreAsDefined(t *testing.T) {
	f := newFixture(t)
	rng := rand.New(rand.NewPCG(1, 2004))
	tried := map[string]int{}
	for range 80 {
		w := draw(rng)
		f.put(w)
		for range 5 {
			a, b, n := w.drawSet(rng, 1), w.drawSet(rng, 1), rng.IntN(5)-2
			words, accepts := drawWords(rng)
			for text, want := range w.expected(a, b, n, words, accepts) {
				r, err := f.Run(t.Context(), text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				got := wordRows(r)
				if r.Kind == Pages {
					got = pageRows(r)
				}
				if r.Total != len(want) || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s\ngot  %v\nwant %v\nlinks %v", text, got, want, w.links)
				}
				name, _, _ := strings.Cut(text, "(")
				tried[name]++
			}
		}
	}
	for _, op := range operators {
		if op.gives != Text && op.name != "groupMatch" && tried[op.name] < 400 {
			t.Errorf("%s was tried %d times", op.name, tried[op.name])
		}
	}
}

// expected is the rows of all operators by their definitions.
func (w web) expected(a, b set, n int, words string, accepts func(madeLink) bool) map[string][]string {
	plain := func(counts map[string]int) (all []string) {
		for _, one := range slices.Sorted(maps.Keys(counts)) {
			all = append(all, one+" 0")
		}
		return all
	}
	name := func(one string) string { return one }
	nearest := func(away map[int]int) (all []string) {
		for _, p := range slices.SortedFunc(maps.Keys(away), func(x, y int) int { return cmp.Or(cmp.Compare(away[x], away[y]), cmp.Compare(x, y)) }) {
			all = append(all, fmt.Sprint(address0(p), " ", away[p]))
		}
		return all
	}
	one, two := w.one(a), w.one(b)
	more := max(n, 0)
	sets := fmt.Sprintf("(%s, %s)", a.text, b.text)
	linked := fmt.Sprintf("(%s, %d, %s)", a.text, more, words)
	return map[string][]string{
		fmt.Sprintf("crawl(%s, %d)", a.text, n):                                    nearest(w.within(a, n, nil)),
		fmt.Sprintf("thematicCrawl(%s, %s, %d)", a.text, words, n):                 nearest(w.within(a, n, accepts)),
		fmt.Sprintf("linkKeywords(%s, %s)", one.text, two.text):                    plain(w.words(one, two, pair)),
		"groupKeywords" + sets:                                                     plain(w.words(a, b, pair)),
		"weightedGroupKeywords" + sets:                                             largestFirst(w.words(a, b, nil), name),
		"weightedGroupKeywords" + strings.TrimSuffix(sets, ")") + ", count=pairs)": largestFirst(w.words(a, b, pair), name),
		"weightedTargetKeywords" + sets:                                            largestFirst(w.words(a, b, func(l madeLink) [2]int { return [2]int{l.dst} }), name),
		"weightedSourceKeywords" + sets:                                            largestFirst(w.words(a, b, func(l madeLink) [2]int { return [2]int{l.src} }), name),
		"TAuthorities" + linked:                                                    largestFirst(w.linked(a, more, accepts, dst, src, dst), address0),
		"TCocitations" + linked:                                                    largestFirst(w.linked(a, more, accepts, dst, src, src), address0),
		"THubs" + linked:                                                           largestFirst(w.linked(a, more, accepts, src, dst, src), address0),
		"TCouplings" + linked:                                                      largestFirst(w.linked(a, more, accepts, src, dst, dst), address0),
	}
}

// one is a set with one page, the first of another set.
func (w web) one(of set) set {
	for p := 1; p <= w.pages; p++ {
		if of.holds(p) {
			return set{text: address0(p), has: map[int]bool{p: true}}
		}
	}
	return set{text: "[https://unknown.test/]"}
}
