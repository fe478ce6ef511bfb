package feature

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/page"
)

var update = flag.Bool("update", false, "rewrite the golden files of features")

// TestPages compares the features of a few pages and their links with golden files.
func TestPages(t *testing.T) {
	for name, url := range map[string]string{
		"department": "https://www.cs.test/",
		"staff":      "https://www.cs.test/people/staff.html",
		"course":     "https://www.cs.test/teaching/2024/cs-314/",
	} {
		t.Run(name, func(t *testing.T) {
			html, err := os.ReadFile(filepath.Join("testdata", "pages", name+".html"))
			if err != nil {
				t.Fatal(err)
			}
			got := describe(mustParse(t, url, html))
			golden := filepath.Join("testdata", "pages", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (write it anew with -update):\n%s", golden, diff)
			}
		})
	}
}

// describe writes the features of a page and of each of its links, a line for each kind.
func describe(p *page.Page) string {
	var b strings.Builder
	write := func(name string, features []string) {
		fmt.Fprint(&b, name)
		kind := "-"
		for _, f := range features {
			k, value, ok := strings.Cut(f, "=")
			switch {
			case ok && k == kind:
				fmt.Fprintf(&b, ", %s", value)
			case ok:
				fmt.Fprintf(&b, "\n    %s= %s", k, value)
			default:
				fmt.Fprintf(&b, "\n    %s", f)
			}
			kind = k
		}
		fmt.Fprint(&b, "\n\n")
	}
	write("page "+p.URL, Reader{}.Page(p, DefaultSets()))
	for i, l := range p.Links {
		write("link to "+l.URL, Reader{}.Link(p, i))
	}
	return b.String()
}

func mustParse(tb testing.TB, url string, html []byte) *page.Page {
	tb.Helper()
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// naughty are texts that break what reads them carelessly.
var naughty = []string{
	"", " ", "\x00", "a\x00b", "tab\there", "line\nbreak\r\n", "\u2028line\u2029paragraph", "\x1b[31mred\x07", "\x7f", "\u0085",
	"\xff\xfe", "cut \xc3", "\ufeffmark", "\ufffd", "soft\u00adhyphen zero\u200bwidth", "\u202eright to left", "שלום عالم", "İstanbul ıİ",
	"Z\u0301\u0323\u0301algo", "👩\u200d👧 🇳🇴", "五月的连休一到山上的小屋就开门了五月的连休一到山上", "ﬁ ß ſ K", "𝐛𝐨𝐥𝐝", "<script>alert(1)</script>",
	"'; DROP TABLE pages; --", "a=b=c", "w=word", "=", "~", "~~~", "%00%0a%09", "%", "null undefined NaN", "\"quoted\" 'text' `x`",
	strings.Repeat("a", 100000), strings.Repeat("𝐛", 5000), strings.Repeat("~/", 5000), strings.Repeat("ab c", 50000),
}

// TestNaughty gives each text to all that features are made of, cleaned by the parser and not.
func TestNaughty(t *testing.T) {
	for _, s := range naughty {
		checkFeatures(t, &page.Page{
			URL: "https://a.test/" + s, Title: s, Text: s, Headings: []string{s, s + " " + s},
			Links: []page.Link{{URL: s}, {URL: "https://a.test/" + s + "?" + s, Anchor: s, Before: s, After: s, Repeated: true}},
		})
		html := fmt.Sprintf(`<title>%[1]s</title><h1>%[1]s</h1><p>%[1]s<a href="/%[1]s?%[1]s">%[1]s</a><a href="x.%[1]s"><img alt="%[1]s"></a>%[1]s`, s)
		checkFeatures(t, mustParse(t, "https://a.test/", []byte(html)))
	}
}

// TestMany holds the limits on the number of features for a page that has too much of everything.
func TestMany(t *testing.T) {
	var words strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&words, "%s ", letters(i))
	}
	all := words.String()
	p := &page.Page{
		URL: "https://a.test/" + strings.ReplaceAll(all, " ", "/"), Title: all, Text: all, Headings: strings.SplitAfterN(all, " ", 5000),
		Repeats: page.Repeats{Most: 1000, Links: true},
		Links:   []page.Link{{URL: "https://a.test/" + strings.ReplaceAll(all, " ", "-"), Anchor: all, Before: all, After: all, Repeated: true}},
	}
	checkFeatures(t, p)
	if n := len(Reader{}.Page(p, DefaultSets())); n < maxTextWords {
		t.Errorf("%d features of the page: it does not test the limit", n)
	}
	if n := len(Reader{}.Link(p, 0)); n < MaxLink/2 {
		t.Errorf("%d features of the link: it does not test the limit", n)
	}
}

// letters is a number written in letters.
func letters(n int) string {
	s := "word"
	for ; n > 0; n /= 20 {
		s += string(rune('a' + n%20))
	}
	return s
}

// checkFeatures holds what is true of all features.
func checkFeatures(t *testing.T, p *page.Page) {
	t.Helper()
	check := func(of string, features []string, most int) {
		t.Helper()
		if !slices.IsSorted(features) || len(slices.Compact(slices.Clone(features))) != len(features) || len(features) > most {
			t.Fatalf("%s: %d features, at most %d, sorted and each once: %.500q", of, len(features), most, features)
		}
		for _, f := range features {
			if len(f) > MaxBytes || !utf8.ValidString(f) || strings.ContainsFunc(f, unicode.IsControl) {
				t.Fatalf("%s: feature of %d bytes, at most %d clean ones: %q", of, len(f), MaxBytes, f)
			}
			if said := Words(f); said == f || said == "" {
				t.Fatalf("%s: no words for %q", of, f)
			}
		}
	}
	check("page", Reader{}.Page(p, DefaultSets()), MaxPage)
	for i := range p.Links {
		check("link", Reader{}.Link(p, i), MaxLink)
	}
}

func FuzzFeatures(f *testing.F) {
	for _, s := range naughty {
		f.Add(s, s)
	}
	f.Add("/~svc/papers.html?x=1", "<h1>Staff</h1><table><tr><td><a href=/~a>A</a><tr><td><a href=/~b>B</a><tr><td><a href=/~c>C</a><tr><td><a href=/~d>D</a>")
	f.Fuzz(func(t *testing.T, path, html string) {
		p := mustParse(t, "https://a.test/", []byte(html))
		checkFeatures(t, p)
		p.URL, p.Title, p.Text, p.Headings = "https://a.test/"+path, html, html, []string{path, html}
		p.Links = append(p.Links, page.Link{URL: path, Anchor: html, Before: html, After: path})
		checkFeatures(t, p)
	})
}

// BenchmarkPage makes the features of a page of about 800 words; BenchmarkLinks those of its 100 links.
func BenchmarkPage(b *testing.B) {
	p := benchmarkPage(b)
	b.ReportAllocs()
	for b.Loop() {
		Reader{}.Page(p, DefaultSets())
	}
}

func BenchmarkLinks(b *testing.B) {
	p := benchmarkPage(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range p.Links {
			Reader{}.Link(p, i)
		}
	}
}

func benchmarkPage(b *testing.B) *page.Page {
	var html strings.Builder
	html.WriteString("<title>Members of the department</title><h1>Members</h1>")
	for i := range 100 {
		fmt.Fprintf(&html, "<h2>%s</h2><p>Studies %s and %s. Home page: <a href='/~%s/home-%d.html'>page of %s</a>, room %d.",
			letters(i), letters(i+3), letters(i*7), letters(i), i, letters(i), i)
	}
	p := mustParse(b, "https://www.cs.test/people/", []byte(html.String()))
	if len(p.Links) != 100 {
		b.Fatalf("%d links", len(p.Links))
	}
	return p
}

// TestWordsAreInTheLanguage: German stop words are none, and a run of Chinese is bigrams.
func TestWordsAreInTheLanguage(t *testing.T) {
	p := &page.Page{URL: "https://a.test/", Language: "en", Title: "冰球", Text: "Das ist der Torwart und das ist nicht mehr der Trainer",
		Links: []page.Link{{URL: "https://a.test/1", Anchor: "冰球比赛 und mehr"}}}
	r := Of(p)
	words := func(features []string) string {
		return strings.Join(slices.DeleteFunc(features, func(f string) bool { return f[1] != '=' || !strings.Contains("taw", f[:1]) }), " ")
	}
	got := [2]string{words(r.Page(p, Sets{})), words(r.Link(p, 0))}
	if want := [2]string{"t=冰球 w=torwart w=trainer", "a=冰球 a=比赛 a=球比"}; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
