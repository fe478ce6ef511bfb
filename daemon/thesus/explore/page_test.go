package explore

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"nightjar/crawler/linktext"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// The text around a link is what a reader of the page sees there.
func TestAround(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	for _, c := range []struct{ html, want string }{
		{`<p>Hear the <b>best</b> &amp; loudest <a href=/x>flute&nbsp;player</a>, of all times.`, `Hear the best & loudest flute player, of all times.`},
		{`<ul><li>one<li>two <a href=/x><img src=a.png alt="a flute"> music</a><li>three</ul>`, `one two a flute music three`},
		{`<script>var a = "<b>no</b>";</script><style>p{}</style>see <a href=/x>it</a> <!-- not this -->now`, `see it now`},
		{`before <map><area shape=rect href=/x alt="a guitar"></map> after`, `before a guitar after`},
		{`<a href=/x>one</a><a href=/y>two</a>`, `onetwo`},
		{long + `<a href=/x>it</a> ` + long, `… ` + strings.Repeat("word ", 15) + `it ` + strings.TrimSpace(strings.Repeat("word ", 15)) + ` …`},
		{`<a href=/x><br>`, ``},
		{`<a href=/x`, ``},
		{"x \u202e\x00<a href=/x>a\u200bb</a>", "x a b"},
	} {
		pos := strings.Index(c.html, "href=/x")
		pos = strings.LastIndex(c.html[:pos], "<")
		if got := around([]byte(c.html), pos); got != c.want {
			t.Errorf("%.60q: got %q, want %q", c.html, got, c.want)
		}
	}
	for _, pos := range []int{-1, 5, 99} {
		if got := around([]byte("text <b>x</b>"), pos); got != "" {
			t.Errorf("at %d: %q", pos, got)
		}
	}
}

// The piece before a link may begin anywhere; what is hidden there stays hidden.
func TestAroundCut(t *testing.T) {
	t.Parallel()
	fill := strings.Repeat("x", sideSource-40)
	for _, c := range []struct{ before, want string }{
		{`<script>` + fill + `</script>seen `, `seen it`},
		{`<!-- ` + fill + ` --> seen `, `seen it`},
		{`<b title="` + fill + `">seen</b> `, `seen it`},
		{strings.Repeat("é", sideSource) + ` seen `, `… seen it`},
	} {
		html := strings.Repeat(" ", 100) + c.before + `<a href=/x>it</a>`
		if got := around([]byte(html), len(html)-len(`<a href=/x>it</a>`)); got != c.want {
			t.Errorf("%.30q: got %q, want %q", c.before, got, c.want)
		}
	}
}

// Any bytes give a short text, at any place.
func FuzzAround(f *testing.F) {
	f.Add([]byte(`a <a href=x>b<img alt="c">`), 2)
	f.Add([]byte("<a><script><a></script><!--\xff&#x1F600;"), 3)
	f.Fuzz(func(t *testing.T, page []byte, pos int) {
		if text := around(page, pos); len([]rune(text)) > mostAnchor+2*sideText+20 || strings.ContainsAny(text, "\n\x00") {
			t.Errorf("%q", text)
		}
	})
}

// store puts a page with its links into the world, as the indexer does.
func (w *world) store(t *testing.T, url, html string) {
	t.Helper()
	hash := sha256.Sum256([]byte(html))
	var zip strings.Builder
	z := gzip.NewWriter(&zip)
	if _, err := z.Write([]byte(html)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, w.path, `INSERT INTO contents (hash, gzip) VALUES (?, ?)`, hash[:], []byte(zip.String()))
	links, err := linktext.New(nil, nil).Extract(url, "text/html; charset=utf-8", []byte(html))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, w.path, `INSERT OR IGNORE INTO link_page (url, site) VALUES (?, 'x.test')`, url)
	storetest.Exec(t, w.path, `UPDATE link_page SET hash = ? WHERE url = ?`, hash[:], url)
	for _, l := range links {
		storetest.Exec(t, w.path, `INSERT OR IGNORE INTO link_page (url, site) VALUES (?, 'x.test')`, l.URL)
		storetest.Exec(t, w.path, `INSERT INTO link (src, dst, pos) SELECT s.id, d.id, ? FROM link_page s, link_page d WHERE s.url = ? AND d.url = ?`, l.Pos, url, l.URL)
		for _, word := range l.Words {
			storetest.Exec(t, w.path, `INSERT OR IGNORE INTO word (word) VALUES (?)`, word.Word)
			storetest.Exec(t, w.path, `INSERT INTO link_word (link, word, n) SELECT (SELECT max(id) FROM link), id, ? FROM word WHERE word = ?`, word.N, word.Word)
		}
	}
}

// A page is shown with what links say, in their contexts, in a grouping and without one.
func TestPageOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for i := range 3 {
		w.store(t, fmt.Sprintf("http://s%d.test/", i), fmt.Sprintf(`<title>S</title><p>Number %d plays the <a href="http://p.test/">silver flute</a> and the violin`, i))
	}
	w.store(t, "http://s3.test/", `<p>Only the <a href="http://p.test/">flute</a>. <hr><a href="http://q.test/">guitar</a>`)
	m, _ := w.maker(t)
	g := made(t, m, Request{Ontology: musicID})
	p := must(links.PageByURL(t.Context(), w.st.DB, "http://p.test/"))(t)
	v := must(m.PageOf(t.Context(), g.ID, p.ID))(t)
	if v.Page.URL != "http://p.test/" || v.Page.Sources != 4 || v.Links != 4 || len(v.Said) != 4 {
		t.Fatalf("%+v", v)
	}
	if len(v.Page.Concepts) != 2 || v.Names["flute"] != "flute" || v.Description.Words[0].Word != "flute" || v.Description.Words[0].N != 4 {
		t.Errorf("%+v", v)
	}
	for _, c := range v.Description.Concepts {
		for _, word := range c.Words {
			if v.Description.Words[word].Term != c.Key {
				t.Errorf("%+v is not behind %s", v.Description.Words[word], c.Key)
			}
		}
	}
	if last := v.Said[3]; last.SourceURL != "http://s3.test/" || last.Text != "Only the flute. guitar" {
		t.Errorf("%+v", last)
	}
	if one := v.Said[0]; one.Text != "Number 0 plays the silver flute and the violin" || !slices.Contains(one.Words, "violin") {
		t.Errorf("%+v", one)
	}
	plain := must(m.PageOf(t.Context(), 0, p.ID))(t)
	if len(plain.Description.Concepts) > 0 || plain.Description.Words[0] != (SaidWord{Word: "flute", N: 4}) || len(plain.Said) != 4 {
		t.Errorf("%+v", plain)
	}
	q := must(links.PageByURL(t.Context(), w.st.DB, "http://q.test/"))(t) // it has one source, and is not in the grouping
	if v := must(m.PageOf(t.Context(), g.ID, q.ID))(t); len(v.Page.Concepts) != 1 || v.Page.Concepts[0].Key != "guitar" {
		t.Errorf("%+v", v)
	}
	storetest.Exec(t, w.path, `DELETE FROM contents`)
	if v := must(m.PageOf(t.Context(), g.ID, p.ID))(t); v.Said[0].Text != "" || v.Links != 4 {
		t.Errorf("%+v", v.Said[0])
	}
	for _, ids := range [][2]int64{{g.ID, 999}, {999, p.ID}} {
		if _, err := m.PageOf(t.Context(), ids[0], ids[1]); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v: %v", ids, err)
		}
	}
}
