package operators

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/store"
	"nightjar/model/wordnet"
)

// small is four pages in a row: p1 and p2 link to p3, p3 links to p4.
func small(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	f.put(web{pages: 4, links: []madeLink{
		{1, 3, map[string]int{"alpha": 3, "beta": 1}}, {2, 3, map[string]int{"alpha": 1}}, {3, 4, map[string]int{"gamma": 1, "delta": 1}},
	}})
	return f
}

func (f *fixture) run(text string) *Result {
	f.t.Helper()
	r, err := f.Run(f.t.Context(), text)
	if err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
	return r
}

// names are the pages of a result by their numbers in the web, and its words.
func names(r *Result) (all []string) {
	for _, row := range r.Rows {
		_, name, _ := strings.Cut(row.URL, ".test/")
		all = append(all, name+row.Word)
	}
	return all
}

// gives runs a program and compares the names of what it gives.
func (f *fixture) gives(text string, want ...string) *Result {
	f.t.Helper()
	r := f.run(text)
	if !slices.Equal(names(r), want) {
		f.t.Errorf("%s gives %v, want %v", text, names(r), want)
	}
	return r
}

// faulty runs a program that must fail at a character.
func (f *fixture) faulty(text string, at int, says string) {
	f.t.Helper()
	_, err := f.Run(f.t.Context(), text)
	if fault, ok := errors.AsType[*Fault](err); !ok || fault.At != at || !strings.Contains(fault.Text, says) {
		f.t.Errorf("%s: %v, want %q at %d", text, err, says, at)
	}
}

func TestResults(t *testing.T) {
	f := small(t)
	f.gives("[]", "p1", "p2", "p3", "p4")
	f.gives("{}", "alpha", "beta", "delta", "epsilon", "gamma")
	f.gives("[] | top 2", "p1", "p2")
	f.gives("{} | top 2", "alpha", "beta")
	f.gives("[https://s2.test/p2, https://s1.test/p1, https://s2.test/p2]", "p2", "p1")
	f.gives("groupMatch([https://s1, HTTPS://S0.test/p3])", "p1", "p4", "p3")
	f.gives("groupMatch(https://s1) | top 1", "p1")
	f.gives("groupMatch(https://s1.test/P)")
	f.gives("weightedGroupKeywords([], [https://s0.test/p3]); crawl(thematicCrawl([], {alpha}, 1) | top 1, 1); groupKeywords([], $2)", "alpha", "beta")
	f.gives("thematicCrawl([https://s1.test/p1], groupKeywords([https://s2.test/p2], []), 5)", "p1", "p3")
	f.gives("TAuthorities([], 0, weightedGroupKeywords([], []) | top 1)", "p3")
	r := f.gives("[crawl([https://s0.test/p3], -1)]", "p3", "p1", "p2")
	if want := []string{"page", "title", "links away"}; !slices.Equal(r.Columns, want) || r.Rows[2].N != 1 || r.Rows[2].Title != "https://s2.test/p2" || r.Total != 3 {
		t.Errorf("%+v", r)
	}
	f.faulty("[]; $2", 4, "no statement 2 before this one")
	f.faulty("{a}; crawl($1, 1)", 11, "this is a set of words")
	f.faulty("[]; [{alpha}]", 5, "this is a set of words")
	f.faulty("[]; {$1}", 5, "this is a set of pages")
	f.faulty("linkKeywords([], https://s1.test/p1)", 13, "takes one page here")
	f.faulty("linkKeywords(https://s1.test/*, https://s1.test/p1)", 13, "takes one page here")
	f.faulty("[http://%zz/]", 1, "not a valid address")
}

// An unknown address leaves a set empty, which is told; it never means all pages.
func TestEmptySetsAreNotAll(t *testing.T) {
	f := small(t)
	for _, text := range []string{
		"crawl([https://x.test/], 3)", "groupKeywords([https://x.test/], [])", "groupKeywords([], [https://x.test/])",
		"weightedTargetKeywords([https://x.test/*], [])", "TAuthorities([https://x.test/], 0, {})", "THubs([], 0, {unknown})",
		"TCouplings([], 0, groupKeywords([https://x.test/], []))", "thematicCrawl([https://x.test/], {}, 1)",
	} {
		if r := f.gives(text); r.Total != 0 || len(r.Notes) == 0 {
			t.Errorf("%s: %+v", text, r)
		}
	}
	f.gives("thematicCrawl([https://s1.test/p1], {unknown}, 1)", "p1")
}

func TestSetsOfWhatIsStored(t *testing.T) {
	f := small(t)
	f.exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Ice hockey', 1), (2, 'Sport', 1)`)
	f.exec(`INSERT INTO combined (topic_id, member_id) VALUES (2, 1)`)
	f.exec(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (7, '0192f0c1-2d3e-7abc-8def-0123456789ab', 1, 'c', 'submitted', 1)`)
	f.exec(`INSERT INTO pages (id, url, title) VALUES (1, ?, 'One')`, address0(1))
	f.exec(`INSERT INTO visits (load, session_id, page_id, requested, how, seq) VALUES ('l', 7, 1, 'https://old.test/', 'typed', 1)`)
	f.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1)`)
	f.exec(`INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (12, 1, 1, 'x', '{}', 'ended', 1)`)
	f.exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at) VALUES (12, 1, 'https://moved.test/', ?, 'h', 'ok', 1), (12, 2, ?, ?, 'h', 'missing', 1)`,
		address0(2), address0(3), address0(3))
	f.gives("[topic:\"ICE hockey\"]", "p1", "p2")
	f.gives("[topic:Sport, session:7]", "p1", "p2")
	f.gives("[session:7]", "p1")
	f.gives("[session:0192f0c1-2d3e-7abc-8def-0123456789ab]", "p1")
	f.gives("[crawl:12]", "p2")
	f.gives("[https://moved.test/, https://old.test/]", "p2", "p1")
	if r := f.run("[session:7]"); r.Rows[0].Title != "One" {
		t.Errorf("%+v", r.Rows)
	}
	f.faulty("[topic:Tides]", 1, `no topic "Tides"`)
	f.faulty("[crawl:13]", 1, "no crawl 13")
	f.faulty("[session:7x]", 1, `no session "7x"`)
}

func TestTerms(t *testing.T) {
	f := small(t)
	f.faulty("{term:wind}", 1, "there are no terms yet")
	f.exec(`INSERT INTO ontologies (id, name, terms, count, created_at, changed_at) VALUES (1, 'Music', ?, 4, 1, 1)`, `[
		{"key": "music", "labels": ["music"], "parent": -1}, {"key": "i", "labels": ["instrument", "Music tool"], "parent": 0},
		{"key": "w", "labels": ["wind"], "parent": 1}, {"key": "g", "labels": ["genre"], "parent": 0}]`)
	f.exec(`INSERT INTO groupings (id, scope, ontology_id, options, state, created_at, ended_at) VALUES (1, 'all', 1, '{}', 'done', 1, 1)`)
	f.exec(`INSERT INTO groupings (id, scope, scope_id, ontology_id, options, state, created_at) VALUES (2, 'topic', 1, 1, '{}', 'working', 2)`)
	f.exec(`INSERT INTO term_words (grouping_id, term, word, pages) VALUES (1, 'w', 1, 2), (1, 'w', 2, 9), (1, 'i', 1, 3), (1, 'g', 3, 1), (2, 'i', 4, 1)`)
	f.gives("{term:wind}", "beta", "alpha")
	if r := f.gives(`{term:"MUSIC tool"}`, "beta", "alpha"); r.Counted != "pages with the term" || r.Rows[1].N != 5 {
		t.Errorf("%+v", r)
	}
	f.gives("{term:music}", "beta", "alpha", "gamma")
	f.gives("{term:genre, term:w, gamma}", "gamma", "beta", "alpha")
	f.gives("TAuthorities([], 1, {term:wind})", "p3")
	f.faulty("{alpha, term:opera}", 8, `no term "opera"`)
}

// fakeWordNet is the small WordNet of package wordnet's tests, read from its files.
type fakeWordNet struct{ net *wordnet.Net }

func (w fakeWordNet) Net() *wordnet.Net { return w.net }

func tinyWordNet(t *testing.T) fakeWordNet {
	t.Helper()
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		text, err := os.ReadFile(filepath.Join("../../../model/wordnet/testdata/tiny", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = bytes.NewReader(text)
	}
	net, err := wordnet.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return fakeWordNet{net}
}

func TestBaseForms(t *testing.T) {
	f := small(t)
	f.exec(`UPDATE word SET word = 'guitar' WHERE word = 'alpha'`)
	f.gives("{Guitars}")
	f.opts.WordNet = tinyWordNet(t)
	f.gives("{GUITARS, guitar}", "guitar")
	f.exec(`UPDATE word SET word = 'guitars' WHERE word = 'beta'`)
	f.gives("{guitars}", "guitars") // as it is stored comes first
	if r := f.gives("{guitar, rhos, flutes}", "guitar"); !slices.Equal(r.Notes, []string{`no link has the word "rhos"`, `no link has the word "flutes"`}) {
		t.Errorf("%q", r.Notes)
	}
	f.opts.WordNet = fakeWordNet{} // WordNet was removed
	f.gives("{rhos}")
}

func TestFetch(t *testing.T) {
	f := small(t)
	f.faulty("fetch(https://s1.test/p1)", 6, "open it in the browser")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := fmt.Fprintf(z, "<title>T</title><p>Hello.</p><p>%s</p>", strings.Repeat("ö ", MaxBody/2)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	f.exec(`INSERT INTO contents (hash, gzip) VALUES (x'01', ?)`, packed.Bytes())
	f.exec(`INSERT INTO pages (id, url, title, content_hash) VALUES (1, 'https://s1.test/p1', 'T', x'01')`)
	r := f.run("fetch(HTTPS://s1.test/p1#part)")
	if r.Kind != Text || r.Page.URL != "https://s1.test/p1" || r.Page.Title != "T" || !strings.HasPrefix(r.Text, "T\nHello.\nö") || len(r.Text) > MaxBody || len(r.Notes) != 1 {
		t.Errorf("%+v", r.Page)
	}
	f.faulty("fetch(https://s1.test/p1); [$1]", 28, "this is a set of text")
}

func TestSavedSets(t *testing.T) {
	f := small(t)
	ctx := t.Context()
	for name, text := range map[string]string{"start": "[https://s1.test/p1]", "more": "[]; crawl(@START, 1)", "the words": "groupKeywords(@start, [])", "loop": "[@loop2]", "loop2": "@loop", "bad": "[topic:Gone]"} {
		if err := f.Save(ctx, name, text); err != nil {
			t.Fatal(err)
		}
	}
	f.gives("@more", "p1", "p3")
	f.gives("[@more, https://s2.test/p2]", "p1", "p3", "p2")
	f.gives(`{@"the words", gamma}`, "alpha", "beta", "gamma")
	f.faulty("[]; @loop", 4, `in the saved set "loop", character 2: in the saved set "loop2", character 1: the saved set "loop" is made of itself`)
	f.faulty("[@bad]", 1, `in the saved set "bad", character 2: there is no topic "Gone"`)
	f.faulty("@none", 0, `no saved set "none"`)
	if err := f.Save(ctx, "START", "[https://s2.test/p2]"); err != nil {
		t.Fatal(err)
	}
	f.gives("@start", "p2")
	all, err := f.SavedSets(ctx)
	if err != nil || len(all) != 6 || all[4].Name != "START" || all[4].CreatedAt.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	if err := errors.Join(f.Forget(ctx, "start"), f.Forget(ctx, "loop")); err != nil {
		t.Error(err)
	}
	if err := f.Forget(ctx, "start"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	for _, name := range []string{"", " ", strings.Repeat("x", MaxName+1), "a\nb", "\xff"} {
		if err := f.Save(ctx, name, "[]"); !errors.Is(err, ErrSetName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := f.Save(ctx, "x", "fetch(http://a.test/)"); !errors.Is(err, ErrNoSet) {
		t.Error(err)
	}
	if _, ok := errors.AsType[*Fault](f.Save(ctx, "x", "[")); !ok {
		t.Error("a broken text was saved")
	}
}

func TestHistory(t *testing.T) {
	f := small(t)
	ctx := t.Context()
	for i := range MaxOperations + 5 {
		if err := f.Note(ctx, fmt.Sprintf("[] | top %d", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Note(ctx, "[] | top 9"); err != nil {
		t.Fatal(err)
	}
	all, err := f.History(ctx, 1000)
	if err != nil || len(all) != MaxOperations || all[0].Text != "[] | top 9" || all[1].Text != "[] | top 205" || all[len(all)-1].Text != "[] | top 6" || all[0].At.IsZero() {
		t.Errorf("%d, %+v, %v", len(all), all[:2], err)
	}
	if two, err := f.History(ctx, 2); err != nil || len(two) != 2 {
		t.Errorf("%v, %v", two, err)
	}
	if _, ok := errors.AsType[*Fault](f.Note(ctx, "[")); !ok {
		t.Error("a broken text was noted")
	}
}

func TestLimits(t *testing.T) {
	f := small(t)
	f.exec(`WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO link_page (id, url, site) SELECT i, 'https://many.test/' || i, 's' FROM n`, MaxRows+5)
	if r := f.run("groupMatch([https://many.test/])"); len(r.Rows) != MaxRows || r.Total != MaxRows+1 {
		t.Errorf("%d rows of %d", len(r.Rows), r.Total)
	}
	if r := f.run("[]"); len(r.Rows) != MaxRows || r.Total != MaxRows+5 {
		t.Errorf("%d rows of %d", len(r.Rows), r.Total)
	}
	if f.most != MaxPages {
		t.Errorf("the limit is %d", f.most)
	}
	f.most = MaxRows
	f.faulty("crawl([https://many.test/*], 1)", 6, "this set has 10001 pages, and an operator takes at most 10000")
	if r := f.run("crawl([https://many.test/*] | top 10000, 1)"); r.Total != MaxRows {
		t.Errorf("%d", r.Total)
	}
}

func TestTimeLimitAndCancelling(t *testing.T) {
	f := small(t)
	slow := New(f.store, Options{Limit: time.Nanosecond})
	_, err := slow.Run(t.Context(), "[]; crawl([], 1)")
	if fault, ok := errors.AsType[*Fault](err); !ok || !strings.Contains(fault.Text, "took longer than 1ns and was stopped; ask about fewer pages") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Run(ctx, "[]"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A program that runs is stopped within its limit, in the middle of a statement.
func TestRunningStatementIsStopped(t *testing.T) {
	f := newFixture(t)
	f.exec(`INSERT INTO link_page (id, url, site) VALUES (1, 'https://a.test/', 's'), (2, 'https://b.test/', 's')`)
	f.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO link (id, src, dst, pos) SELECT i, 1, 2, i FROM n`)
	f.exec(`INSERT INTO word (id, word) VALUES (1, 'a')`)
	f.exec(`INSERT INTO link_word (link, word, n) SELECT id, 1, 1 FROM link`)
	quick := New(f.store, Options{Limit: 3 * time.Millisecond})
	program := "[];" + strings.Repeat("weightedTargetKeywords([], []);", 40)
	if _, err := quick.Run(t.Context(), program); err == nil || !strings.Contains(err.Error(), "took longer than 3ms") {
		t.Error(err)
	}
	if r := f.run("[]"); r.Total != 2 { // the connection works on
		t.Errorf("%+v", r)
	}
}

func TestDescribe(t *testing.T) {
	f := small(t)
	for _, one := range Describe() {
		if err := Check(one.Example); err != nil || one.Text == "" || !strings.HasPrefix(one.Example, one.Name+"(") {
			t.Errorf("%+v: %v", one, err)
		}
	}
	f.gives("[https://s1.test/p1] | top 5", "p1")
}
