package wordnet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// synset is a line of a data file to be written.
type synset struct {
	words     string // spaces between; underscores in collocations
	hypernyms []int  // places in the list; a negative one is ^place of a sense of which this is an instance
	gloss     string
}

// dict writes WordNet's files by the rules of wndb(5WN), apart from what Read does.
func dict(nouns, verbs []synset, nounExc, verbExc string) map[string]string {
	files := map[string]string{"noun.exc": nounExc, "verb.exc": verbExc}
	files["data.noun"], files["index.noun"] = part(nouns, "n")
	files["data.verb"], files["index.verb"] = part(verbs, "v")
	return files
}

func part(list []synset, pos string) (data, index string) {
	const licence = "  1 A made-up dictionary for tests. The lines of a real one's licence begin with two spaces, too.  \n"
	offsets := make([]int, len(list))
	for range 2 { // the first pass measures the lines
		var b strings.Builder
		b.WriteString(licence)
		for i, s := range list {
			offsets[i] = b.Len()
			words := strings.Fields(s.words)
			fmt.Fprintf(&b, "%08d 03 %s %02x ", offsets[i], pos, len(words))
			for _, w := range words {
				fmt.Fprintf(&b, "%s 0 ", w)
			}
			fmt.Fprintf(&b, "%03d ", len(s.hypernyms)+1)
			for _, h := range s.hypernyms {
				symbol := "@"
				if h < 0 {
					symbol, h = "@i", ^h
				}
				fmt.Fprintf(&b, "%s %08d %s 0000 ", symbol, offsets[h], pos)
			}
			fmt.Fprintf(&b, "+ 00000099 a 0101 ") // a relation that is not read
			if pos == "v" {
				b.WriteString("01 + 02 00 ")
			}
			fmt.Fprintf(&b, "| %s  \n", s.gloss)
		}
		data = b.String()
	}
	senses := map[string][]int{}
	for i, s := range list {
		for _, w := range strings.Fields(strings.ToLower(s.words)) {
			senses[w] = append(senses[w], offsets[i])
		}
	}
	var b strings.Builder
	b.WriteString(licence)
	for _, w := range slices.Sorted(maps.Keys(senses)) {
		fmt.Fprintf(&b, "%s %s %d 2 @ + %d 0", w, pos, len(senses[w]), len(senses[w]))
		for _, at := range senses[w] {
			fmt.Fprintf(&b, " %08d", at)
		}
		b.WriteString("  \n")
	}
	return data, b.String()
}

// readers makes Files of texts.
func readers(texts map[string]string) Files {
	files := Files{}
	for name, text := range texts {
		files[name] = strings.NewReader(text)
	}
	return files
}

func mustRead(tb testing.TB, files Files) *Net {
	tb.Helper()
	n, err := Read(files)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}
