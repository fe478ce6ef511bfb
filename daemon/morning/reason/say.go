package reason

import (
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/morning/finds"
	"nightjar/model/text"
)

// Part is a piece of a text: plain words, or one of the telling words or the name of the marked page.
type Part struct {
	Text string
	Word bool // a telling word of the find
	Like bool // the marked page that it is like
}

// Say returns a reason as a sentence, in parts. r may be nil. The day of the mark is in the time zone of now, with its year
// if now is in another.
func Say(r *finds.Reason, now time.Time) []Part {
	switch {
	case r == nil:
		return []Part{{Text: "The reason has not been worked out yet."}}
	case len(r.Words) == 0 && r.Like == nil:
		return []Part{{Text: "No single word stands out. The model judged the words of the page as a whole."}}
	case len(r.Words) == 0:
		return append([]Part{{Text: "No single word stands out. As a whole, its words are closest to those of "}}, liked(r.Like, now)...)
	}
	verb, end := "Shares ", " with "
	if r.Like == nil {
		verb, end = "Contains ", ", like pages you marked Useful."
	}
	parts := []Part{{Text: verb}}
	for i, w := range r.Words {
		switch {
		case i == 0:
		case i == len(r.Words)-1:
			parts = append(parts, Part{Text: " and "})
		default:
			parts = append(parts, Part{Text: ", "})
		}
		parts = append(parts, Part{Text: w, Word: true})
	}
	parts = append(parts, Part{Text: end})
	if r.Like == nil {
		return parts
	}
	return append(parts, liked(r.Like, now)...)
}

// liked names the marked page and says when it was marked.
func liked(l *finds.LikePage, now time.Time) []Part {
	name := strings.Join(strings.Fields(l.Title), " ")
	if name == "" {
		name = l.URL
	}
	when := " (marked Useful"
	if !l.MarkedAt.IsZero() {
		at := l.MarkedAt.In(now.Location())
		when += at.Format(" 2 Jan")
		if at.Year() != now.Year() {
			when += " " + strconv.Itoa(at.Year())
		}
	}
	return []Part{{Text: name, Like: true}, {Text: when + ")."}}
}

// Sentence is Say as plain text, with the words and the page in quotation marks.
func Sentence(r *finds.Reason, now time.Time) string {
	var b strings.Builder
	for _, p := range Say(r, now) {
		if p.Word || p.Like {
			b.WriteString("“" + p.Text + "”")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Mark splits a text at the telling words, in any of their grammatical forms: a part with Word is one of them. A phrase is
// marked where its words stand side by side, and each of its words alone is not. The text may be too short to show its
// language: grammatical forms are those of English, and a word of another language is marked as it is written.
func Mark(s string, words []string) []Part {
	if len(words) == 0 || s == "" {
		return []Part{{Text: s}}
	}
	st := newStemmer(text.English)
	var parts []Part
	done := 0
	for _, w := range find(s, st.tokens(s), st.wanted(words)) {
		if w.from > done {
			parts = append(parts, Part{Text: s[done:w.from]})
		}
		parts = append(parts, Part{Text: s[w.from:w.to], Word: true})
		done = w.to
	}
	if done < len(s) {
		parts = append(parts, Part{Text: s[done:]})
	}
	return parts
}

// lead is how many runes before the first telling word a list shows.
const lead = 40

// From is a marked passage from shortly before its first telling word on, as Mark splits it.
func From(parts []Part) []Part {
	if len(parts) < 2 || parts[0].Word {
		return parts
	}
	runes := []rune(parts[0].Text)
	if len(runes) <= lead {
		return parts
	}
	_, near, _ := strings.Cut(string(runes[len(runes)-lead:]), " ")
	return append([]Part{{Text: "… " + near}}, parts[1:]...)
}
