package wordnet

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// maxWord bounds the words that Morphy looks at, in bytes. The longest of WordNet 3.0 has 71.
const maxWord = 200

// exception is the irregular forms of a part of speech.
type exception struct {
	forms lexicon
	bases []string // [form]: its base forms, spaces between
}

// of lists the base forms of an irregular form.
func (e *exception) of(form string) []string {
	if len(e.bases) == 0 {
		return nil
	}
	if w, ok := e.forms.find(form); ok {
		return strings.Fields(e.bases[w])
	}
	return nil
}

// readExceptions reads a file of lines "form base base ...". Forms that are there twice keep their first line.
func readExceptions(l *lines) (exception, error) {
	var forms, bases []string
	for {
		line, err := l.line()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return exception{}, err
		}
		form, base, ok := strings.Cut(string(line), " ")
		if !ok {
			return exception{}, l.wrong("an irregular form has no base form")
		}
		forms, bases = append(forms, strings.ToLower(form)), append(bases, strings.ToLower(base))
	}
	e := exception{bases: make([]string, len(bases))}
	var order []int32
	e.forms, order = sorted(forms)
	for place, i := range order {
		e.bases[place] = bases[i]
	}
	return e, nil
}

// rule replaces the end of a word.
type rule struct{ end, with string }

// rules are WordNet's, in its order (morphy(7WN)).
var rules = map[POS][]rule{
	Noun: {{"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}},
	Verb: {{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}},
}

// Morphy lists the base forms of a word that WordNet has, the likeliest first; none when it has none. They are the word
// itself, and the base forms of its irregular form; if it has none, those of WordNet's rules of endings. A collocation
// that gives nothing is tried with the base form of each of its words ("wind instruments"). Underscores stand for spaces.
func (n *Net) Morphy(word string, pos POS) []string {
	ix := n.index[pos]
	word = key(word)
	if ix == nil || len(word) > maxWord {
		return nil
	}
	var found []string
	add := func(w string) {
		if _, ok := ix.words.find(w); ok && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	add(word)
	for _, base := range n.bases(word, pos) {
		add(base)
	}
	if len(found) == 0 && strings.ContainsAny(word, "_-") {
		add(n.collocation(word, pos))
	}
	return found
}

// bases lists what a word may be a form of, without the word itself. Not all need be words.
func (n *Net) bases(word string, pos POS) []string {
	exc := n.exc[pos]
	if irregular := exc.of(word); irregular != nil {
		return irregular
	}
	after := ""
	if pos == Noun {
		if stem, ok := strings.CutSuffix(word, "ful"); ok { // "boxesful" is a form of "boxful"
			word, after = stem, "ful"
		} else if strings.HasSuffix(word, "ss") || len(word) <= 2 {
			return nil
		}
	}
	var all []string
	for _, r := range rules[pos] {
		if stem, ok := strings.CutSuffix(word, r.end); ok && len(stem)+len(r.with) > 0 {
			all = append(all, stem+r.with+after)
		}
	}
	return all
}

// collocation puts the base form in the place of each word that has one.
func (n *Net) collocation(phrase string, pos POS) string {
	var b strings.Builder
	for phrase != "" {
		end := strings.IndexAny(phrase, "_-")
		word, sep := phrase, ""
		if end >= 0 {
			word, sep = phrase[:end], phrase[end:end+1]
		}
		phrase = phrase[len(word)+len(sep):]
		base := word
		for _, w := range n.bases(word, pos) {
			if _, ok := n.index[pos].words.find(w); ok {
				base = w
				break
			}
		}
		b.WriteString(base + sep)
	}
	return b.String()
}
