package reason

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	passageLength = 280 // runes
	before        = 60  // runes before a telling word, when the passage begins inside a sentence
	runningWords  = 12  // in a line of running text; shorter lines are often navigation
)

// pageText is the text of a page without its title, lines joined by line feeds and single spaces between words, and its words.
type pageText struct {
	title, text string
	heading     []token // of the title
	words       []token
	stems       stemmer
}

// footer is what lines say that sites have below their pages: of rights, licences, cookies and edits.
var footer = regexp.MustCompile(`(?i)^\s*(©|\(c\) ?\d{4}|copyright\b)|all rights reserved|creative ?commons|\bcc[ -]by\b|this page was last (edited|modified|updated)` +
	`|(available|released|licen[sc]ed) under (the|a) .{0,60}licen[sc]e|(uses?|accept|of) cookies|cookie (policy|settings)|privacy policy|terms (of use|of service|and conditions)|powered by` +
	`|is a registered trademark|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|tutti i diritti riservati|alle rechten voorbehouden`)

// withoutFooters leaves out the lines that are footers, unless they are most of the text: then it is about them.
func withoutFooters(lines []string) []string {
	all, rest := 0, 0
	var kept []string
	for _, l := range lines {
		all += len(l)
		if !footer.MatchString(l) {
			kept, rest = append(kept, l), rest+len(l)
		}
	}
	if rest < all/2 {
		return lines
	}
	return kept
}

// read splits the words of a page. A first line that repeats the title and footers are no part of the text.
func read(st stemmer, title, text string) *pageText {
	title = strings.Join(strings.Fields(title), " ")
	text = strings.ToValidUTF8(text, " ")
	if first, rest, _ := strings.Cut(text, "\n"); first == title {
		text = rest
	}
	lines := withoutFooters(strings.Split(text, "\n"))
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ") // as the passage is shown, so that its length is that of the text
	}
	text = strings.Join(lines, "\n")
	p := &pageText{title: title, text: text, stems: st}
	p.heading, p.words = p.stems.tokens(title), p.stems.tokens(text)
	return p
}

// forms counts how a word or a phrase is written.
type forms struct {
	worth float64
	count map[string]int
	first map[string]int
}

// named lists up to mostNamed words and phrases as the page writes them most often, the most telling first. A word that is
// part of a phrase is not named by itself. A phrase that the title alone has is named only when the text has neither of its
// words: otherwise the passage would show words that are not marked.
func (p *pageText) named(worth map[string]float64) []string {
	phrases, words := map[[2]string]*forms{}, map[string]*forms{}
	p.collect(p.text, p.words, worth, phrases, words)
	inText, saidInText := maps.Clone(phrases), maps.Clone(words)
	p.collect(p.title, p.heading, worth, phrases, words)
	maps.DeleteFunc(phrases, func(pair [2]string, _ *forms) bool {
		return inText[pair] == nil && (saidInText[pair[0]] != nil || saidInText[pair[1]] != nil)
	})
	pairs := slices.SortedFunc(maps.Keys(phrases), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(phrases[b].total(), phrases[a].total()), cmp.Compare(phrases[b].worth, phrases[a].worth),
			strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]))
	})
	var all []*forms
	for _, pair := range pairs {
		if words[pair[0]] == nil || words[pair[1]] == nil {
			continue // in a phrase already
		}
		all = append(all, phrases[pair])
		delete(words, pair[0])
		delete(words, pair[1])
	}
	for _, stem := range slices.Sorted(maps.Keys(words)) {
		all = append(all, words[stem])
	}
	slices.SortStableFunc(all, func(a, b *forms) int { return cmp.Compare(b.worth, a.worth) })
	var named []string
	for _, f := range all[:min(len(all), mostNamed)] {
		named = append(named, f.usual())
	}
	return named
}

// collect counts the telling words of s and the pairs of them that stand side by side.
func (p *pageText) collect(s string, words []token, worth map[string]float64, phrases map[[2]string]*forms, single map[string]*forms) {
	for i, w := range words {
		x, ok := worth[w.stem]
		if !ok {
			continue
		}
		note(single, w.stem, x, s[w.from:w.to])
		if i == 0 {
			continue
		}
		last := words[i-1]
		if y, ok := worth[last.stem]; ok && last.stem != w.stem && beside(s, last, w) {
			note(phrases, [2]string{last.stem, w.stem}, x+y, s[last.from:w.to])
		}
	}
}

func note[K comparable](all map[K]*forms, key K, worth float64, written string) {
	f := all[key]
	if f == nil {
		f = &forms{worth: worth, count: map[string]int{}, first: map[string]int{}}
		all[key] = f
	}
	if _, known := f.count[written]; !known {
		f.first[written] = len(f.count)
	}
	f.count[written]++
}

func (f *forms) total() (n int) {
	for _, times := range f.count {
		n += times
	}
	return n
}

// usual is the most frequent form, of equal ones the first of the text.
func (f *forms) usual() (best string) {
	for _, written := range slices.Sorted(maps.Keys(f.count)) {
		if best == "" || f.count[written] > f.count[best] || f.count[written] == f.count[best] && f.first[written] < f.first[best] {
			best = written
		}
	}
	return best
}

// passage is the part of the text with the most of the named words, each counted once, and of equal ones that with the most of
// all telling words, by what they are worth: some 280 runes from the beginning of a line or a sentence, or, in a long sentence,
// from shortly before a word. Without a telling word it is the first running text.
func (p *pageText) passage(worth map[string]float64, named []string) string {
	var hits []token
	for _, w := range p.words {
		if _, ok := worth[w.stem]; ok {
			hits = append(hits, w)
		}
	}
	said := find(strings.ReplaceAll(p.text, "\n", " "), p.words, p.stems.wanted(named)) // a phrase may go on in the next line
	best, names, most := p.firstRunning(), 0, 0.0
	for _, start := range p.starts(hits, said) {
		n, x := p.names(start, said), p.score(start, hits, worth)
		if n > names || n == names && x > most {
			best, names, most = start, n, x
		}
	}
	return p.cut(best)
}

// names is how many of the named words the passage from a place has.
func (p *pageText) names(s start, said []place) int {
	end := p.end(s.at)
	i, _ := slices.BinarySearchFunc(said, s.at, func(w place, at int) int { return cmp.Compare(w.from, at) })
	var met [mostNamed]bool
	n := 0
	for ; i < len(said) && said[i].to <= end; i++ {
		if !met[said[i].name] {
			met[said[i].name] = true
			n++
		}
	}
	return n
}

// start is a place where a passage may begin.
type start struct {
	at      int
	inside  bool // of a sentence
	bare    bool // right at a named word, with nothing before it
	running bool // the line is running text
}

// starts lists the places where a passage may begin. Those at a named word come last: some stretch that begins there has as many
// of the named words as any.
func (p *pageText) starts(hits []token, said []place) []start {
	var all []start
	line := 0
	for l := range strings.SplitSeq(p.text, "\n") {
		running := len(strings.Fields(l)) >= runningWords
		if strings.TrimSpace(l) != "" {
			all = append(all, start{at: line, running: running})
		}
		for i := range len(l) - 2 {
			if strings.IndexByte(".!?", l[i]) >= 0 && l[i+1] == ' ' {
				all = append(all, start{at: line + i + 2, running: running})
			}
		}
		line += len(l) + 1
	}
	sentences := all
	for _, h := range hits {
		i, _ := slices.BinarySearchFunc(sentences, h.from, func(s start, at int) int { return cmp.Compare(s.at, at+1) })
		if i == 0 || utf8.RuneCountInString(p.text[sentences[i-1].at:h.from]) < passageLength/2 {
			continue
		}
		at := p.back(h.from)
		all = append(all, start{at: at, inside: true, running: sentences[i-1].running})
	}
	for _, w := range said {
		all = append(all, start{at: w.from, inside: w.from > 0, bare: true})
	}
	return all
}

// back is the beginning of a word some runes before a place.
func (p *pageText) back(at int) int {
	for range before {
		_, size := utf8.DecodeLastRuneInString(p.text[:at])
		at -= size
	}
	if space := strings.IndexByte(p.text[at:], ' '); space >= 0 {
		return at + space + 1
	}
	return at
}

// score is what the telling words of the passage from a place are worth, each counted once and repeated ones a little.
// Running text counts for more than headings and menus, and whole sentences for more than parts.
func (p *pageText) score(s start, hits []token, worth map[string]float64) float64 {
	end := p.end(s.at)
	i, _ := slices.BinarySearchFunc(hits, s.at, func(h token, at int) int { return cmp.Compare(h.from, at) })
	met := map[string]int{}
	sum, lead := 0.0, 0
	if i < len(hits) {
		lead = min(hits[i].from, end) - s.at
	}
	for ; i < len(hits) && hits[i].to <= end; i++ {
		h := hits[i]
		if met[h.stem]++; met[h.stem] == 1 {
			sum += worth[h.stem]
		} else if met[h.stem] <= 3 {
			sum += worth[h.stem] / 20
		}
		if i > 0 && hits[i-1].from >= s.at && hits[i-1].stem != h.stem && beside(p.text, hits[i-1], h) {
			sum += worth[h.stem] / 10
		}
	}
	if s.running {
		sum *= 1.5
	}
	if s.inside {
		sum *= 0.9
	}
	if s.bare {
		sum *= 0.5
	}
	return sum * (1 - 0.1*float64(lead)/float64(max(1, end-s.at))) // of equal passages the one that comes to the point first
}

// firstRunning is the beginning of the first line of running text, or of the text.
func (p *pageText) firstRunning() start {
	at := 0
	for l := range strings.SplitSeq(p.text, "\n") {
		if len(strings.Fields(l)) >= runningWords {
			return start{at: at, running: true}
		}
		at += len(l) + 1
	}
	return start{}
}

// end is where a passage from a place ends: at the end of the text, or after at most passageLength runes, between words.
func (p *pageText) end(at int) int {
	runes := 0
	for i := range p.text[at:] {
		if runes++; runes > passageLength {
			return p.betweenWords(at, at+i)
		}
	}
	return len(p.text)
}

// betweenWords is the last place up to one that splits no word, or the place itself when that is in a word of half a passage.
func (p *pageText) betweenWords(from, at int) int {
	i, _ := slices.BinarySearchFunc(p.words, at, func(w token, at int) int { return cmp.Compare(w.to, at) })
	if i < len(p.words) && p.words[i].from < at && p.words[i].to > at && p.words[i].from > from+(at-from)/2 {
		return p.words[i].from
	}
	return at
}

// cut is the passage from a place, on one line, with dots where it begins inside a sentence or ends before the text does.
func (p *pageText) cut(s start) string {
	end := p.end(s.at)
	words := strings.Join(strings.Fields(p.text[s.at:end]), " ")
	if s.inside && words != "" {
		words = "… " + words
	}
	if strings.TrimSpace(p.text[end:]) != "" && words != "" {
		words += " …"
	}
	return words
}
