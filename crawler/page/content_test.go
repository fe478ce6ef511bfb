package page

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/tools/txtar"
)

// The required precision and recall on each page of testdata/content, and over all of them.
const (
	minPrecision, minRecall       = 0.80, 0.95
	minAllPrecision, minAllRecall = 0.96, 0.99
)

// TestContent compares the text of hand-made pages of different kinds with their content, which was written down by hand:
// precision is the share of the extracted words that are content, recall the share of the content that was extracted.
func TestContent(t *testing.T) {
	files, err := filepath.Glob("testdata/content/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var given, wanted, both int
	for _, file := range files {
		html, want := mustContentCase(t, file)
		got := mustParse(t, html).Text
		g, w, b := overlap(got, want)
		given, wanted, both = given+g, wanted+w, both+b
		precision, recall := float64(b)/float64(g), float64(b)/float64(w)
		t.Logf("%-32s precision %.3f recall %.3f", filepath.Base(file), precision, recall)
		if precision < minPrecision || recall < minRecall {
			t.Errorf("%s: precision %.3f, recall %.3f; text:\n%s", file, precision, recall, got)
		}
		checkLines(t, got)
	}
	precision, recall := float64(both)/float64(given), float64(both)/float64(wanted)
	t.Logf("all %d pages: precision %.3f recall %.3f", len(files), precision, recall)
	if precision < minAllPrecision || recall < minAllRecall {
		t.Errorf("precision %.3f, recall %.3f", precision, recall)
	}
}

func mustContentCase(tb testing.TB, file string) (html, text string) {
	tb.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil || len(archive.Files) != 2 || archive.Files[0].Name != "page.html" || archive.Files[1].Name != "text" {
		tb.Fatalf("%s: want page.html and text, %v", file, err)
	}
	return string(archive.Files[0].Data), string(archive.Files[1].Data)
}

// overlap counts the words of two texts and those that they share, each as often as it occurs in both.
func overlap(got, want string) (given, wanted, both int) {
	count := map[string]int{}
	for _, w := range words(want) {
		count[w]++
		wanted++
	}
	for _, w := range words(got) {
		given++
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return given, wanted, both
}

// words are the words of a text; in Chinese and Japanese, its characters.
func words(s string) []string {
	var list []string
	for _, w := range strings.Fields(s) {
		if weight([]rune(w)[0]) == letterWeight {
			list = append(list, strings.Split(w, "")...)
		} else {
			list = append(list, w)
		}
	}
	return list
}

// checkLines checks the form of Page.Text: no empty line, white space folded.
func checkLines(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if text != "" && (line == "" || line != strings.Join(strings.Fields(line), " ")) {
			t.Fatalf("line %q of a text", line)
		}
	}
}

func TestFurniture(t *testing.T) {
	for line, want := range map[string]bool{
		"© 2020 The Authors":                                            true,
		"Last modified: Fri Nov 8 19:27:00 CST":                         true,
		"This page was last edited on 3 June 2021.":                     true,
		"Text is available under the Creative Commons licence.":         true,
		"Comments to webmaster@example.edu":                             true,
		"Copyrights are granted for seventy years.":                     false,
		"Some packages are not released under the same licence as this": false,
		"The page design of early newspapers":                           false,
		"The last changed line is shown":                                false,
	} {
		if got := furniture.MatchString(line); got != want {
			t.Errorf("%q: %v; want %v", line, got, want)
		}
	}
}

// TestContentKeepsLinks: links, frames and the title do not depend on the extraction of content, and no page of random
// pieces loses its content: a page with text keeps text, all of it from the page.
func TestContentKeepsLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	wraps := []string{"div", "nav", "aside", "header", "footer", "main", "article", "section", "td", `div class="sidebar"`,
		`div class="footer"`, `ul class="menu"`, `div id="cookie-banner"`, `div role="search"`, "table", "tr", "h1", "h2"}
	for n := range 3000 {
		var b strings.Builder
		var open []string
		links := 0
		for range 3 + rng.IntN(30) {
			switch rng.IntN(4) {
			case 0:
				w := wraps[rng.IntN(len(wraps))]
				tag, _, _ := strings.Cut(w, " ")
				open = append(open, tag)
				b.WriteString("<" + w + ">")
			case 1:
				if len(open) > 0 {
					b.WriteString("</" + open[len(open)-1] + ">")
					open = open[:len(open)-1]
				}
			case 2:
				fmt.Fprintf(&b, "<a href=/l%d>link%d</a> ", links, links)
				links++
			case 3:
				b.WriteString("<p>" + strings.Repeat("word ", 1+rng.IntN(40)) + "</p>")
			}
		}
		p := mustParse(t, b.String())
		if len(p.Links) != links {
			t.Fatalf("%d: %d links; want %d in %s", n, len(p.Links), links, b.String())
		}
		for _, l := range p.Links { // the parser may move links out of a broken table
			if l.Anchor != "link"+strings.TrimPrefix(l.URL, "http://example.com/l") {
				t.Fatalf("%d: link %+v in %s", n, l, b.String())
			}
		}
		if hasText := links > 0 || strings.Contains(b.String(), "word"); hasText && p.Text == "" {
			t.Fatalf("%d: no text of %s", n, b.String())
		}
		checkLines(t, p.Text)
		all := strings.Count(b.String(), "word ") + links
		if given := len(strings.Fields(p.Text)); given > all {
			t.Fatalf("%d: %d words of %d in %s", n, given, all, b.String())
		}
	}
}

// TestScripts parses pages in many scripts: each line is as written, composed, with its direction marks.
func TestScripts(t *testing.T) {
	for name, text := range map[string]string{
		"chinese":          "五月的连休一到，山上的小屋就开门了。",
		"japanese":         "山小屋は五月に開く。カタカナとひらがな。",
		"korean":           "산장은 오월에 문을 엽니다.",
		"thai":             "กระท่อมบนภูเขาเปิดในเดือนพฤษภาคม",
		"arabic marks":     "يُفتح السوق كل يوم جمعة",
		"hebrew points":    norm.NFC.String("בְּרֵאשִׁית בָּרָא"),
		"direction marks":  "abc \u200f(2019)\u200e \u202bאבג\u202c \u2067שלום\u2069",
		"hindi":            "पहाड़ की कुटिया मई में खुलती है।",
		"cyrillic":         "Хоккей с шайбой — командная игра.",
		"greek":            "Το καταφύγιο ανοίγει τον Μάιο.",
		"georgian":         "მთის ქოხი მაისში იხსნება",
		"mixed":            "Café カフェ кафе قهوة קפה 咖啡",
		"stacked marks":    norm.NFC.String("Z" + strings.Repeat("\u0301\u0323", 30) + "algo"),
		"family and flags": "👨\u200d👩\u200d👧 🇳🇴 ☕\ufe0f",
		"soft hyphen":      "Donau\u00addampf\u00adschiff",
	} {
		p := mustParse(t, "<title>"+text+"</title><nav>"+text+" <a href=/x>"+text+"</a></nav><h1>"+text+"</h1><p>"+strings.Repeat(text+" ", 5)+"</p>")
		want := text + "\n" + text + "\n" + strings.TrimSpace(strings.Repeat(text+" ", 5))
		if p.Title != text || p.Text != want && p.Text != text+"\n"+text+" "+text+"\n"+strings.TrimPrefix(want, text+"\n") {
			t.Errorf("%s: title %q, text %q", name, p.Title, p.Text)
		}
		if len(p.Links) != 1 || p.Links[0].Anchor != text {
			t.Errorf("%s: links %+v", name, p.Links)
		}
		checkPage(t, p)
	}
	decomposed := mustParse(t, "<p>e\u0301te\u0301 <a href=/x>a\u030a</a>")
	if decomposed.Text != "été å" || decomposed.Links[0].Anchor != "å" {
		t.Errorf("text %q, links %+v", decomposed.Text, decomposed.Links)
	}
}
