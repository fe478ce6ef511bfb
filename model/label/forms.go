package label

import (
	"strings"
	"unicode"

	"nightjar/model/internal/parallel"
	"nightjar/model/text"
)

// In capitals, a word of this many letters is an acronym when it is written so in this share of its uses.
const (
	leastAcronym = 2
	mostAcronym  = 8
	mostlyUpper  = .8
)

// forms counts how a label is written.
type forms map[string]int

// write sets the text of each label to the form in which the pages of its cluster write it, and its expansion.
func (b *book) write(profiles []Profile) {
	parallel.Each(len(profiles), func(c int) { b.writeOne(c, profiles[c].Labels) })
}

func (b *book) writeOne(c int, labels []Label) {
	written, expanded := make([]forms, len(labels)), make(map[string]forms) // expansions by the word that they are of
	for k, l := range labels {
		written[k] = forms{}
		if len(l.Words) == 1 {
			expanded[l.Words[0]] = forms{}
		}
	}
	var words []string
	var spans []text.Span
	known := make(map[string]string)
	for i, s := range b.texts {
		if b.assign[i] != c {
			continue
		}
		words, spans = words[:0], spans[:0]
		for w, at := range text.Separated(s) {
			word, ok := known[string(w)]
			if !ok {
				word = string(w)
				known[word] = word
			}
			words, spans = append(words, word), append(spans, at)
		}
		for k, l := range labels {
			readForms(s, words, spans, l, written[k])
		}
		readExpansions(s, expanded)
	}
	for k := range labels {
		l := &labels[k]
		if shown := written[k].shown(); shown != "" {
			l.Text = shown
		}
		if len(l.Words) == 1 {
			l.Expansion = expanded[l.Words[0]].most()
		}
	}
}

// readForms counts how a page writes a label.
func readForms(s string, words []string, spans []text.Span, l Label, count forms) {
	n := len(l.Words)
places:
	for i := 0; i+n <= len(words); i++ {
		for k, w := range l.Words {
			if words[i+k] != w || k > 0 && !joins(s, spans[i+k-1], spans[i+k]) {
				continue places
			}
		}
		count[plain(s[spans[i].From:spans[i+n-1].To])]++
	}
}

// plain is a form with single spaces, and without characters that do not show.
func plain(form string) string {
	form = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, form)
	return strings.Join(strings.Fields(form), " ")
}

// shown is the form to show: in capitals when nearly all uses of a short word are, otherwise the most frequent form
// that is not in capitals, or the most frequent one when there is no other. It is "" when there is no form.
func (f forms) shown() string {
	all, upper := 0, forms{}
	other := forms{}
	for form, n := range f {
		all += n
		if inCapitals(form) {
			upper[form] = n
		} else {
			other[form] = n
		}
	}
	capitals := 0
	for _, n := range upper {
		capitals += n
	}
	best := upper.most()
	short := !strings.ContainsAny(best, " -'’") && len([]rune(best)) >= leastAcronym && len([]rune(best)) <= mostAcronym
	if len(other) == 0 || short && float64(capitals)/float64(all) >= mostlyUpper {
		return best
	}
	return other.most()
}

func inCapitals(form string) bool {
	letters := 0
	for _, r := range form {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= leastAcronym && strings.ToLower(form) != form
}

// most is the most frequent form; of equally frequent ones the shortest, then the first in the alphabet.
func (f forms) most() string {
	best, times := "", 0
	for form, n := range f {
		if n > times || n == times && (len(form) < len(best) || len(form) == len(best) && form < best) {
			best, times = form, n
		}
	}
	return best
}
