package strategy

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"nightjar/crawler/page"
)

// pageUTF8 is the content type of Visit.Body.
const pageUTF8 = page.ContentUTF8

// themeNote is what thematic stores with a queued link: its words that are mapped to terms, for the explanation.
type themeNote struct {
	words []mapped
	stays bool // the link stays on the site of the page that holds it
}

const (
	themeVersion = 1  // first byte of a note; see wayVersion
	maxThemed    = 64 // words of a note; senses.Describer takes no more
	maxSaid      = 60 // bytes of a word or a term in a note
)

// worth is Σ s_j, halved if the link stays on the site.
func (n *themeNote) worth() float64 {
	if n.stays {
		return total(n.words) / 2
	}
	return total(n.words)
}

// bytes are a version, whether the link stays on the site, and for each word its similarity as float32, then the word and the
// term with their lengths as a byte each.
func (n *themeNote) bytes() []byte {
	b := []byte{themeVersion, 0}
	if n.stays {
		b[1] = 1
	}
	for _, w := range n.words {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(w.similarity)))
		for _, text := range []string{said(w.word), said(w.term)} {
			b = append(append(b, byte(len(text))), text...)
		}
	}
	return b
}

// said is a text as a note has it: short, and on one line.
func said(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) <= maxSaid {
		return text
	}
	end := maxSaid - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// readThemeNote reads a note; ok is false if it is missing or was not written by this program.
func readThemeNote(b []byte) (n themeNote, ok bool) {
	if len(b) < 2 || b[0] != themeVersion || b[1] > 1 {
		return themeNote{}, false
	}
	n.stays = b[1] == 1
	for rest := b[2:]; len(rest) > 0; {
		if len(rest) < 4 || len(n.words) == maxThemed {
			return themeNote{}, false
		}
		w := mapped{similarity: float64(math.Float32frombits(binary.LittleEndian.Uint32(rest)))}
		if !(w.similarity > 0 && w.similarity <= 1) {
			return themeNote{}, false
		}
		rest = rest[4:]
		for _, text := range []*string{&w.word, &w.term} {
			if len(rest) == 0 || int(rest[0]) > maxSaid || len(rest) < 1+int(rest[0]) {
				return themeNote{}, false
			}
			*text, rest = string(rest[1:1+int(rest[0])]), rest[1+int(rest[0]):]
		}
		n.words = append(n.words, w)
	}
	return n, true
}

// byTerm are the sums of s_j by term.
func (n *themeNote) byTerm() map[string]float64 {
	sums := map[string]float64{}
	for _, w := range n.words {
		sums[w.term] += w.similarity
	}
	return sums
}

// terms says for each term of a note which words are mapped to it, in the order of the note.
func (n *themeNote) terms() (terms []string, says map[string]string) {
	says = map[string]string{}
	for _, w := range n.words {
		if says[w.term] == "" {
			terms = append(terms, w.term)
			says[w.term] = "near the term “" + w.term + "”: "
		} else {
			says[w.term] += ", "
		}
		says[w.term] += fmt.Sprintf("“%s” %.2f", w.word, w.similarity)
	}
	return terms, says
}

// Explain compares the words of a link, term by term, with what the words of the others are worth on average.
func (s *thematic) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	own, rest, ok := notesFor(link, others, readThemeNote)
	if !ok {
		return e, false
	}
	e.Others = len(rest)
	all, halves := map[string]float64{}, 0. // sums over the others: by term, and lost by staying on the site
	for _, n := range rest {
		e.Typical += n.worth()
		halves += total(n.words) - n.worth()
		for term, sum := range n.byTerm() {
			all[term] += sum
		}
	}
	count := float64(e.Others)
	e.Typical /= count
	var p parts
	unnamed := own.worth() - e.Typical
	sums := own.byTerm()
	terms, says := own.terms()
	for _, term := range terms {
		more := sums[term] - all[term]/count
		p.add(says[term], more)
		unnamed -= more
	}
	stays := halves/count - (total(own.words) - own.worth())
	where := "others stay on the same site, so their words count half"
	if stays < 0 {
		where = "it stays on the same site, so its words count half"
	}
	p.add(where, stays)
	p.add("others have words near other terms", unnamed-stays)
	e.Reasons = p.reasons()
	return e, true
}
