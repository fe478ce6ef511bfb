package linktext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// item is a piece of a made-up document: a word, a tag, or characters that are neither.
type item struct {
	src      string
	word     string // as it is counted, "" for what is no word
	cuts     bool
	opens    bool // a link
	closes   bool
	from, to int // characters of the document
}

// drawItems makes a document of links, tags and words. Words always have something between them.
func drawItems(rng *rand.Rand) []item {
	words := []item{{src: "flute", word: "flute"}, {src: "caf&eacute;", word: "café"}, {src: "&#111;boe", word: "oboe"}, {src: "müsique", word: "müsique"},
		{src: "Orchestra", word: "orchestra"}, {src: "piano&shy;forte", word: "pianoforte"}, {src: "the"}, {src: "ox"}, {src: "1750"}}
	others := []item{{src: " "}, {src: ", "}, {src: "&nbsp;"}, {src: "→"}, {src: "<p>"}, {src: "<br>"}, {src: `<b title="x > y">`}, {src: "</em>"},
		{src: "<!-- tuba -->"}, {src: "<li>", cuts: true}, {src: "</TD>", cuts: true}, {src: "<h2 class=tuba>", cuts: true}, {src: "<script>tuba</script>"}}
	var items []item
	open, links := false, 0
	for range 5 + rng.IntN(60) {
		switch n := rng.IntN(10); {
		case n == 0 && !open:
			items = append(items, item{src: fmt.Sprintf("<a href=l%d>", links), cuts: true, opens: true})
			open, links = true, links+1
		case n <= 1 && open:
			items = append(items, item{src: "</a>", cuts: true, closes: true})
			open = false
		case n < 6:
			items = append(items, words[rng.IntN(len(words))])
			items = append(items, others[rng.IntN(4)])
		default:
			items = append(items, others[rng.IntN(len(others))])
		}
	}
	at := 0
	for i := range items {
		it := &items[i]
		it.from, it.to = at, at+utf8.RuneCountInString(it.src)
		at = it.to
	}
	return items
}

// around counts the words around the link that item i opens, straight from the definition.
func around(items []item, i int) map[string]int {
	counts := make(map[string]int)
	count := func(it item) {
		if it.word != "" {
			counts[it.word]++
		}
	}
	for j := i - 1; j >= 0 && !items[j].cuts; j-- {
		if items[j].from >= items[i].from-100 {
			count(items[j])
		}
	}
	j := i + 1
	for ; j < len(items) && !items[j].closes; j++ {
		count(items[j])
	}
	if j == len(items) {
		return counts
	}
	end := items[j].to
	for j++; j < len(items) && !items[j].cuts; j++ {
		if items[j].to <= end+100 {
			count(items[j])
		}
	}
	return counts
}

// TestDefinition compares with the definition on made-up documents.
func TestDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	links, words := 0, 0
	for range 3000 {
		items := drawItems(rng)
		var src strings.Builder
		for _, it := range items {
			src.WriteString(it.src)
		}
		got := mustExtract(t, New(nil, nil), src.String())
		n := 0
		for i, it := range items {
			if !it.opens {
				continue
			}
			want := around(items, i)
			if n >= len(got) || got[n].URL != fmt.Sprintf("http://a.test/dir/l%d", n) || len(got[n].Words) != len(want) {
				t.Fatalf("link %d of %s:\ngot %v, want %v", n, src.String(), got, want)
			}
			for _, w := range got[n].Words {
				if want[w.Word] != w.N {
					t.Fatalf("link %d of %s:\ngot %v, want %v", n, src.String(), got[n].Words, want)
				}
			}
			n++
			words += len(want)
		}
		links += n
	}
	if links < 3000 || words < 9000 {
		t.Errorf("only %d links and %d words were compared", links, words)
	}
}
