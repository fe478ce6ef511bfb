package page

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Repeats says which repeated structure a page has: lists, tables and the like, whose entries are made of the same
// elements. [CRF] §5.3.2 finds it with a suffix tree; see findRuns for our definition.
type Repeats struct {
	Most  int  // units of the longest repetition, nested in another or not; at least 4, 0 without any
	Links bool // a link to another page stands in one
}

const (
	minUnits  = 4       // from which a repetition counts
	minUnit   = 2       // tokens of a unit
	maxUnit   = 40      // tokens of a unit
	maxNested = 3       // levels of repetitions inside one another
	maxTags   = 1 << 16 // tokens of a document that are read
)

// Tokens of the structure of a document. An element that the HTML standard knows is its atom, which is below firstName.
const (
	textTag   int32 = 0       // a run of text
	firstName int32 = 1 << 24 // other elements, by name
	firstRun  int32 = 1 << 25 // repetitions, by their unit
)

// emphasis reports whether an element marks words, not structure: entries of a list may differ in it.
func emphasis(element atom.Atom) bool {
	switch element {
	case atom.B, atom.I, atom.Em, atom.Strong, atom.Span, atom.Font, atom.Br:
		return true
	}
	return false
}

// tagList is the structure of a document: its opening tags in document order, and between them textTag where there is text.
// Closing tags are not in it, so that text before and after one is a single token.
type tagList struct {
	seq   []int32
	names map[string]int32
}

// open adds an opening tag. It returns its place, or -1 when it has none.
func (t *tagList) open(n *html.Node) int {
	if emphasis(n.DataAtom) || len(t.seq) == maxTags {
		return -1
	}
	token := int32(n.DataAtom)
	if token == 0 {
		token = t.named(n.Data)
	}
	t.seq = append(t.seq, token)
	return len(t.seq) - 1
}

func (t *tagList) named(name string) int32 {
	token, ok := t.names[name]
	if !ok {
		if t.names == nil {
			t.names = make(map[string]int32)
		}
		token = firstName + int32(len(t.names))
		t.names[name] = token
	}
	return token
}

// text adds text, once between two tags.
func (t *tagList) text() {
	if n := len(t.seq); n < maxTags && n > 0 && t.seq[n-1] != textTag {
		t.seq = append(t.seq, textTag)
	}
}

// repeats sums up the repetitions of the document.
func (p *linkPlaces) repeats() Repeats {
	var r Repeats
	for _, run := range p.runs {
		r.Most = max(r.Most, run.units)
	}
	return r
}

// repeated reports whether link i stands in a repetition; i must grow from one call to the next.
func (p *linkPlaces) repeated(i int) bool {
	tag := p.at[i].tag
	for p.past < len(p.runs) && p.runs[p.past].from <= tag {
		p.covered = max(p.covered, p.runs[p.past].to)
		p.past++
	}
	return tag >= 0 && tag < p.covered
}

// run is a repetition: tokens [from, to), of which the last may be part of one more unit.
type run struct {
	from, to int
	units    int
	level    int   // 1 for one without another in it
	token    int32 // names the unit
}

// findRuns finds the repetitions in a sequence of tokens, and overwrites it. A repetition is a maximal stretch with a period
// of p tokens that
//
//   - has at least minUnits units of p in [minUnit, maxUnit],
//   - has text in the unit, which itself repeats nothing smaller,
//   - is more than paragraphs one after the other, because those are prose.
//
// The smallest p goes first, and of the same p the leftmost; what is in one repetition is in no other of the same level.
// Each is then replaced by one token, the same for the same unit wherever it begins, and the search starts again: that finds
// lists of lists. The work is O(maxUnit·len(seq)) for each of maxNested levels.
func findRuns(seq []int32) []run {
	var all []run
	var at []int32 // where each token of seq was at first, and where the last one ended; nil for the same place
	units := map[string]int32{}
	for level := 1; level <= maxNested; level++ {
		found := findLevel(seq, units)
		if len(found) == 0 {
			break
		}
		slices.SortFunc(found, func(a, b run) int { return a.from - b.from })
		if level == 1 {
			at = make([]int32, len(seq)+1)
			for i := range at {
				at[i] = int32(i)
			}
		}
		for _, r := range found {
			all = append(all, run{from: int(at[r.from]), to: int(at[r.to]), units: r.units, level: level})
		}
		seq, at = replaceRuns(seq, at, found)
	}
	return all
}

// findLevel finds the repetitions of one level. It overwrites their tokens with negative ones, all different.
func findLevel(seq []int32, units map[string]int32) []run {
	var found []run
	for p := minUnit; p <= maxUnit; p++ {
		// Tokens that are equal to the ones p further on make a stretch. One of minUnits units has least of them, and so
		// covers every least-th place: only those are looked at.
		least := (minUnits - 1) * p
		for from := 0; from+least-1+p < len(seq); {
			probe := from + least - 1
			if seq[probe] != seq[probe+p] {
				from = probe + 1
				continue
			}
			begin, end := probe, probe+1
			for begin > from && seq[begin-1] == seq[begin-1+p] {
				begin--
			}
			for end+p < len(seq) && seq[end] == seq[end+p] {
				end++
			}
			from = end + 1
			unit := seq[begin : begin+p]
			if end-begin < least || !isUnit(unit) {
				continue
			}
			end += p
			found = append(found, run{from: begin, to: end, units: (end - begin) / p, token: unitToken(unit, units)})
			for i := begin; i < end; i++ {
				seq[i] = int32(-1 - i)
			}
			from = end
		}
	}
	return found
}

// isUnit reports whether tokens may be the unit of a repetition.
func isUnit(unit []int32) bool {
	text := false
	for _, t := range unit {
		text = text || t == textTag || t >= firstRun
	}
	if !text || len(unit) == 2 && unit[0]+unit[1] == int32(atom.P) && min(unit[0], unit[1]) == textTag {
		return false
	}
	for q := 1; q <= len(unit)/2; q++ {
		if len(unit)%q == 0 && slices.Equal(unit[q:], unit[:len(unit)-q]) {
			return false
		}
	}
	return true
}

// unitToken is the token that replaces a repetition. The unit is compared in its smallest rotation, because it depends on
// what stands before a list with which of its tokens the repetition begins.
func unitToken(unit []int32, units map[string]int32) int32 {
	best := 0
	for i := 1; i < len(unit); i++ {
		for k := range unit {
			a, b := unit[(i+k)%len(unit)], unit[(best+k)%len(unit)]
			if a != b {
				if a < b {
					best = i
				}
				break
			}
		}
	}
	var key [4 * maxUnit]byte
	b := key[:0]
	for k := range unit {
		t := unit[(best+k)%len(unit)]
		b = append(b, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	token, ok := units[string(b)]
	if !ok {
		token = firstRun + int32(len(units))
		units[string(b)] = token
	}
	return token
}

// replaceRuns puts one token in the place of each repetition, in the same memory. found is sorted by place.
func replaceRuns(seq, at []int32, found []run) (shorter, shorterAt []int32) {
	n, next := 0, 0
	for i := 0; i < len(seq); n++ {
		seq[n], at[n] = seq[i], at[i]
		if next < len(found) && found[next].from == i {
			seq[n] = found[next].token
			i = found[next].to
			next++
		} else {
			i++
		}
	}
	at[n] = at[len(seq)]
	return seq[:n], at[:n+1]
}
