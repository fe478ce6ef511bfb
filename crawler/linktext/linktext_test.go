package linktext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/page"
)

const testURL = "http://a.test/dir/page.html"

func mustExtract(tb testing.TB, e *Extractor, html string) []Link {
	tb.Helper()
	links, err := e.Extract(testURL, page.ContentUTF8, []byte(html))
	if err != nil {
		tb.Fatal(err)
	}
	return links
}

// written writes words as "word 2, word 1".
func written(words []Word) string {
	var out []string
	for _, w := range words {
		out = append(out, fmt.Sprintf("%s %d", w.Word, w.N))
	}
	return strings.Join(out, ", ")
}

// northTexas is the example of [THESUS] §5.2.
const northTexas = `<p><a href="http://www.lib.unc.edu/music/">University of North Carolina, Chapel Hill - Music Library</a></p>` +
	`<p><a href="http://www.library.unt.edu/music/default.htm"> University of North Texas - Music Library</a> <br> ` +
	`&quot;...one of the largest university music collections in the United States, has over 250,000 volumes of books, periodicals, `

// TestPaperExample: the words that the paper lists, of the link in the middle of its fragment.
func TestPaperExample(t *testing.T) {
	singular := func(word string) string {
		if word == "collections" {
			return "collection"
		}
		return word
	}
	links := mustExtract(t, New(nil, singular), northTexas)
	if len(links) != 2 || links[1].URL != "http://www.library.unt.edu/music/default.htm" {
		t.Fatalf("links %v", links)
	}
	want := "university 2, north 1, texas 1, music 2, library 1, largest 1, collection 1, united 1, states 1"
	if got := written(links[1].Words); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	plain := mustExtract(t, New(nil, nil), northTexas)
	if got := written(plain[1].Words); got != strings.Replace(want, "collection ", "collections ", 1) {
		t.Errorf("without base forms: %s", got)
	}
	if got := written(plain[0].Words); got != "university 1, north 1, carolina 1, chapel 1, hill 1, music 1, library 1" {
		t.Errorf("the first link: %s", got)
	}
}

// TestWords has one link in each document.
func TestWords(t *testing.T) {
	far := strings.Repeat(".", 90)
	for _, tt := range []struct{ name, html, want string }{
		{"nothing", `<a href=x></a>`, ""},
		{"anchor and both sides", `flutes <a href=x>guitars</a> violins`, "flutes 1, guitars 1, violins 1"},
		{"occurrences", `guitars and Guitars <a href=x>GUITARS</a> guitars`, "guitars 4"},
		{"short words, numbers, stop words and navigation", `go 250,000 mp3 ox the <a href=x>click here: violins</a> home pages`, "violins 1"},
		{"alternative texts", `<a href=x><img src=p alt="grand &eacute;tude"> piano <img alt=organ></a>`, "grand 1, étude 1, piano 1, organ 1"},
		{"pictures around it", `<img alt=no><a href=x>yes</a><img alt=no>`, ""},
		{"no word of other attributes", `<a href=x title=tuba aria-label=horn>flute</a>`, "flute 1"},

		{"cut after the last tag before", `tuba<li>horn<b>flute</b><a href=x>oboe</a>`, "horn 1, flute 1, oboe 1"},
		{"cut at a closing tag before", `tuba</H3 class=x>horn <a href=x>oboe</a>`, "horn 1, oboe 1"},
		{"cut before the first tag after", `<a href=x>oboe</a>horn<br>flute<hr>tuba`, "oboe 1, horn 1, flute 1"},
		{"cut at a closing tag after", `<a href=x>oboe</a>horn</div>tuba`, "oboe 1, horn 1"},
		{"cut at a named anchor", `tuba<a name=y></a>horn <a href=x>oboe</a> flute <a name=z></a>tuba`, "horn 1, oboe 1, flute 1"},
		{"no cut in a link", `<a href=x><div>oboe</div><h2>horn</h2></a>flute`, "oboe 1, horn 1, flute 1"},
		{"tags that do not cut", `tuba</p><p><em>horn</em><br/> <a href=x>oboe</a></p><span>flute</span>`, "tuba 1, horn 1, oboe 1, flute 1"},
		{"a tag with a cutting name as its beginning", `tuba<hrx><a href=x>oboe</a>`, "tuba 1, oboe 1"},
		{"a link that nothing closes", `<a href=x>oboe<li>horn`, "oboe 1, horn 1"},

		{"a whole word at the ends", `flute ` + far + `oboe <a href=x></a> tuba.` + far + ` horn`, "oboe 1, tuba 1"},
		{"100 characters", `flute` + far + `.oboe<a href=x></a>oboe.` + far + `flute`, "flute 2, oboe 2"},
		{"words cut", `flute` + far + `..oboe<a href=x></a>oboe..` + far + `flute`, "oboe 2"},
		{"characters, not bytes", `fl&uuml;te` + strings.Repeat("→", 85) + `.oboe<a href=x></a>öboé.` + strings.Repeat("→", 90) + `flüte`, "flüte 2, oboe 1, öboé 1"},
		{"an entity cut", `fl&uuml;te` + strings.Repeat("→", 90) + `.oboe<a href=x></a>.....` + far + `fl&uuml;`, "oboe 1"},
		{"a tag cut", `<b title="oboe tuba">` + far + `<a href=x></a>` + far + `<b title="oboe tuba">flute</b>`, ""},
		{"tags count as characters", `flute<b title="` + far + `">oboe</b><a href=x></a>tuba<b title="` + far + `">horn</b>`, "oboe 1, tuba 1"},

		{"entities", `<a href=x>rock&nbsp;&amp;&#32;roll &#x63;ello caf&eacute</a>`, "rock 1, roll 1, cello 1, café 1"},
		{"composed", "<a href=x>cafe\u0301 caf\u00e9 cafe&#x301;</a>", "café 3"},
		{"a mark beyond the end cuts", `<a href=x></a>.....` + far + " cafe\u0301", ""},
		{"a word in pieces is several", `<a href=x>violin<b>cello</b></a>`, "violin 1, cello 1"},
		{"text that is not shown", `<script>tuba()</script><style>horn{}</style><!-- oboe --><a href=x>flute<script>"</a>tuba"</script></a><noscript>horn</noscript>`, "flute 1"},
		{"a tag in an attribute", `<b title="</li>">tuba</b><a href=x title="</a>">oboe</a>`, "tuba 1, oboe 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			links := mustExtract(t, New(nil, nil), tt.html)
			if len(links) != 1 {
				t.Fatalf("links %v", links)
			}
			if got := written(links[0].Words); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		name, html string
		want       []string
	}{
		{"none", `<p>text`, nil},
		{"not to other schemes or the page itself", `<a href=mailto:x@a.test>a</a><a href="#b">b</a><a href=javascript:c()>c</a><a href="">d</a><a>e</a><a href="/dir/page.html#f">f</a>`, nil},
		{"canonical", `<a href=" HTTP://B.test:80/x/../y?utm_source=z#w ">oboe</a>`, []string{"http://b.test/y: oboe 1"}},
		{"twice is two", `<a href=x>oboe</a><p><a href=x#y>tuba</a>`, []string{"http://a.test/dir/x: oboe 1", "http://a.test/dir/x: tuba 1"}},
		{"a base anywhere", `<a href=x>oboe</a><base target=t><base href=" /other/ "><base href=/third/>`, []string{"http://a.test/other/x: oboe 1"}},
		{"a base that is no URL", `<base href="http://"><a href=x>oboe</a>`, []string{"http://a.test/dir/x: oboe 1"}},
		{"areas", `<map>tuba<area href=x alt="oboe flute" title=no><area href=y alt="" title="horn"><area alt=no></map>`,
			[]string{"http://a.test/dir/x: oboe 1, flute 1", "http://a.test/dir/y: horn 1"}},
		{"an area in and after a link", `<a href=x>oboe<area href=y alt=tuba>horn</a><area href=z alt=organ>flute`,
			[]string{"http://a.test/dir/x: oboe 1, horn 1, flute 1", "http://a.test/dir/y: tuba 1", "http://a.test/dir/z: organ 1"}},
		{"a link in a link ends it", `<a href=x>oboe<a href=y>tuba</a>horn</a>flute`, []string{"http://a.test/dir/x: oboe 1", "http://a.test/dir/y: oboe 1, tuba 1, horn 1"}},
		{"not in scripts, comments and texts", `<script>"<a href=x>no</a>"</script><!--<a href=x>--><textarea><a href=x></textarea><noscript><a href=x></noscript>`, nil},
		{"no refresh", `<meta http-equiv=refresh content="0;url=x">`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range mustExtract(t, New(nil, nil), tt.html) {
				got = append(got, l.URL+": "+written(l.Words))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPositions: positions are those of the document in UTF-8, whatever its encoding was.
func TestPositions(t *testing.T) {
	links, err := New(nil, nil).Extract(testURL, "text/html; charset=iso-8859-1", []byte("caf\xe9 <a href=x>b\xe9ton</a> <a href=y>x</a>"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Link{
		{URL: "http://a.test/dir/x", Pos: 6, Words: []Word{{"café", 1}, {"béton", 1}}},
		{URL: "http://a.test/dir/y", Pos: 27, Words: nil},
	}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Error(diff)
	}
	if _, err := New(nil, nil).Extract("mailto:x", "", nil); err == nil {
		t.Error("no error for a document without an address of the web")
	}
}

// TestLinksAreThoseOfPage: the pages that a document links to are those of page.Parse.
func TestLinksAreThoseOfPage(t *testing.T) {
	html := `<base href="/b/"><a href=x>1</a><a href="?q=1&amp;sid=2">2</a><area href=//c.test/%7Ex><a href="ftp://x">3</a><a href="java	script:x">4</a>
		<a href="http://[">5</a><a href=x>6</a><div><a href=" y z ">7<a href=../w>8</div><a href=/dir/page.html>9</a><a href="http:/q">10</a>`
	p, err := page.Parse(testURL, page.ContentUTF8, []byte(html))
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]bool{}, map[string]bool{}
	for _, l := range p.Links {
		want[l.URL] = true
	}
	for _, l := range mustExtract(t, New(nil, nil), html) {
		got[l.URL] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 5 {
		t.Error(got, diff)
	}
}

func TestAnchor(t *testing.T) {
	e := New(map[string]bool{"organ": true}, func(word string) string { return strings.TrimSuffix(word, "s") })
	if got := written(e.Anchor("The organs, <b>violins</b> & a violin: home pages \xff12")); got != "violin 2, home 1, page 1" {
		t.Errorf("got %q", got)
	}
	if got := e.Anchor(""); got != nil {
		t.Errorf("no text gives %v", got)
	}
}

// TestBaseForms: each word is asked for once in a document, and a base form may be left out.
func TestBaseForms(t *testing.T) {
	var asked []string
	e := New(map[string]bool{"tuba": true}, func(word string) string {
		asked = append(asked, word)
		return map[string]string{"oboes": "oboe", "tubas": "tuba", "whiches": "which"}[word]
	})
	links := mustExtract(t, e, `<a href=x>oboes tubas oboes whiches</a><p><a href=y>oboes other the horn</a>`)
	if got := written(links[0].Words) + "; " + written(links[1].Words); got != "oboe 2; oboe 1" {
		t.Errorf("got %q", got)
	}
	if want := []string{"oboes", "tubas", "whiches", "horn"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
}

func TestNavigation(t *testing.T) {
	own, err := ParseNavigation("\ufeffmore # mine\r\nHome back # and\n\n  Élan\tnext")
	if diff := cmp.Diff(map[string]bool{"more": true, "home": true, "back": true, "élan": true, "next": true}, own); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if words, err := ParseNavigation(""); err != nil || words == nil || len(words) != 0 {
		t.Errorf("an empty text gives %v, %v", words, err)
	}
	for _, tt := range []struct{ text, want string }{
		{"home\nback-link", `line 2: "back-link"`},
		{"x1", "line 1"},
		{"\xff", "line 1"},
		{strings.Repeat("x", maxNavigationText+1), "65537 bytes"},
		{manyWords(maxNavigation + 1), "line 5001: more than 5000"},
	} {
		if _, err := ParseNavigation(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.20q: %v, want %q", tt.text, err, tt.want)
		}
	}
	words := Navigation()
	for _, w := range []string{"back", "next", "home", "click", "here", "link", "site", "page"} {
		if !words[w] {
			t.Errorf("%q is missing", w)
		}
	}
	if again, err := ParseNavigation(NavigationText()); err != nil || !cmp.Equal(again, words) {
		t.Errorf("the text that is written to a file differs: %v", err)
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%c%c%c\n", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
	}
	return b.String()
}
