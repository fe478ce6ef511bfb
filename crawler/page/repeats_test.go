package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html/atom"
)

// staffTable has a heading, a table with a head and rows people, and a note.
func staffTable(rows int) string {
	var b strings.Builder
	b.WriteString(`<h1>Faculty</h1><p>All members of the department.</p><table><tr><th>Name<th>Phone<th>Office</tr>`)
	for i := range rows {
		name := fmt.Sprintf("Person %d", i)
		if i%3 == 0 {
			name = "<b>" + name + "</b>" // emphasis is no structure
		}
		fmt.Fprintf(&b, `<tr class=r%d><td><a href="/~p%d">%s</a><td>3-%04d<td>Gates %d</tr>`, i%2, i, name, i, i)
	}
	b.WriteString(`</table><p>See also <a href="/visitors">visitors</a>.</p>`)
	return b.String()
}

func TestRepeats(t *testing.T) {
	prose := strings.Repeat("<p>A paragraph of <i>running</i> text, which is no list.</p>\n", 12)
	list := "<ul>" + strings.Repeat("<li>entry", 5) + "</ul>"
	for _, tt := range []struct {
		name, html string
		want       Repeats
	}{
		{"a staff table", staffTable(25), Repeats{Most: 25, Links: true}},
		{"four rows", staffTable(4), Repeats{Most: 4, Links: true}},
		{"three rows are too few", staffTable(3), Repeats{}},
		{"a list without links", list, Repeats{Most: 5}},
		{"prose", "<h1>Title</h1>" + prose + "<h2>Part</h2>" + prose, Repeats{}},
		{"prose with a link here and there", prose + `<p>With a <a href=x>link</a>.` + prose, Repeats{}},
		{"nothing", "", Repeats{}},
		{"tags without text", strings.Repeat("<div><hr>", 50), Repeats{}},
		{"lines of links", strings.Repeat("<a href=x>x</a><br>", 6), Repeats{Most: 6, Links: true}},
		{"places to jump to are no links", strings.Repeat("<li><a name=x>x</a>", 6), Repeats{Most: 6}},
		{"links to the page itself are none", strings.Repeat("<li><a href='#x'>x</a>", 6), Repeats{Most: 6}},
		{"elements that nobody knows", strings.Repeat("<x-row><x-cell>a</x-cell><x-cell>b</x-cell></x-row>", 6), Repeats{Most: 6}},
		{"what is not seen", "<select>" + strings.Repeat("<option>one", 30) + "</select>" + "<script>" + strings.Repeat("<li>x", 9) + "</script>", Repeats{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustParse(t, tt.html).Repeats; got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestRepeatedLinks: links in the rows of a table are in a repetition, the one below it is not, and of two links to one page
// the one whose anchor text is kept counts.
func TestRepeatedLinks(t *testing.T) {
	p := mustParse(t, staffTable(5)+`<a href="/~p1">P1</a><a href=/twin></a><dl>`+strings.Repeat("<dt><a href=/twin>a</a><dd>b", 4))
	var got []string
	for _, l := range p.Links {
		got = append(got, fmt.Sprint(l.Anchor, " ", l.Repeated))
	}
	want := []string{"Person 0 true", "Person 1 true", "Person 2 true", "Person 3 true", "Person 4 true", "visitors false", "a true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// tokens turns letters into tokens: # is text, p a paragraph, the others are elements.
func tokens(s string) []int32 {
	var seq []int32
	for _, r := range s {
		token := int32(r)
		switch r {
		case '#':
			token = textTag
		case 'p':
			token = int32(atom.P)
		}
		seq = append(seq, token)
	}
	return seq
}

func TestFindRuns(t *testing.T) {
	row := "r" + strings.Repeat("d#h#x", 7) + "d#yz"
	forty := "rabcdefghijklmnoqstuvwxyzABCDEFGHIJKLMN#"
	for _, tt := range []struct {
		name, seq string
		want      []string // "level: first token-last token ×units"
	}{
		{"nothing", "", nil},
		{"three", "l#l#l#", nil},
		{"four", "l#l#l#l#", []string{"1: 0-7 ×4"}},
		{"no text", "abababababab", nil},
		{"one token", "llllllll", nil},
		{"prose", "p#p#p#p#p#p#", nil},
		{"paragraphs of links", "pa#pa#pa#pa#", []string{"1: 0-11 ×4"}},
		{"a part of one more unit", "xl#dl#dl#dl#dly", []string{"1: 1-13 ×4"}},
		{"what stands before may be like an entry's end", "#l#l#l#l#", []string{"1: 0-8 ×4"}},
		{"two lists", "l#l#l#l#xd#d#d#d#d#", []string{"1: 0-7 ×4", "1: 9-18 ×5"}},
		{"the smaller unit first", "al#l#l#l#al#l#l#l#al#l#l#l#", []string{"1: 1-8 ×4", "1: 10-17 ×4", "1: 19-26 ×4"}},
		{"lists of lists", strings.Repeat("h#ul#l#l#l#", 2) + strings.Repeat("h#ul#l#l#l#l#l#", 2),
			[]string{"1: 3-10 ×4", "1: 14-21 ×4", "1: 25-36 ×6", "1: 40-51 ×6", "2: 0-51 ×4"}},
		{"their entries begin with any token", strings.Repeat("hu#l#l#l#lxv#l#l#l#l#", 4),
			[]string{"1: 2-9 ×4", "1: 12-20 ×4", "1: 23-30 ×4", "1: 33-41 ×4", "1: 44-51 ×4", "1: 54-62 ×4", "1: 65-72 ×4", "1: 75-83 ×4", "2: 0-83 ×4"}},
		{"forty tokens", strings.Repeat(forty, 4), []string{"1: 0-159 ×4"}},
		{"forty-one tokens", strings.Repeat("Z"+forty, 4), nil},
		{"a row with a list in it", strings.Repeat(row, 4), []string{"1: 1-37 ×7", "1: 41-77 ×7", "1: 81-117 ×7", "1: 121-157 ×7", "2: 0-159 ×4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range findRuns(tokens(tt.seq)) {
				got = append(got, fmt.Sprintf("%d: %d-%d ×%d", r.level, r.from, r.to-1, r.units))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFindRunsLevels: of four levels of lists the outermost is not found.
func TestFindRunsLevels(t *testing.T) {
	seq := "l#"
	for _, outer := range []string{"x", "y", "z"} {
		seq = outer + strings.Repeat(seq, 4)
	}
	got := map[int]int{}
	for _, r := range findRuns(tokens(strings.Repeat(seq, 4))) {
		got[r.level]++
	}
	if diff := cmp.Diff(map[int]int{1: 64, 2: 16, 3: 4}, got); diff != "" {
		t.Error(diff)
	}
}

// naiveLevel is findLevel as its comment says it, in O(n²·p).
func naiveLevel(seq []int32) []run {
	var found []run
	taken := make([]bool, len(seq))
	free := func(from, to int) bool { return to <= len(seq) && !slices.Contains(taken[from:to], true) }
	period := func(from, to, p int) bool {
		for i := from; i+p < to; i++ {
			if seq[i] != seq[i+p] {
				return false
			}
		}
		return true
	}
	for p := minUnit; p <= maxUnit; p++ {
		for from := 0; from < len(seq); {
			to := from + minUnits*p
			if !free(from, to) || !period(from, to, p) {
				from++
				continue
			}
			for free(from, to+1) && period(from, to+1, p) {
				to++
			}
			unit := seq[from : from+p]
			if !slices.Contains(unit, textTag) || p == 2 && slices.Contains(unit, int32(atom.P)) || smallerPeriod(unit, period, from) {
				from++
				continue
			}
			found = append(found, run{from: from, to: to, units: (to - from) / p})
			for i := from; i < to; i++ {
				taken[i] = true
			}
			from = to
		}
	}
	return found
}

func smallerPeriod(unit []int32, period func(from, to, p int) bool, at int) bool {
	for q := 1; q < len(unit); q++ {
		if len(unit)%q == 0 && period(at, at+len(unit), q) {
			return true
		}
	}
	return false
}

// TestFindLevelIsAsDefined compares the finder with the naive one on short sequences that repeat much.
func TestFindLevelIsAsDefined(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for n := range 20000 {
		seq := repetitive(rng)
		want := naiveLevel(seq)
		got := findLevel(slices.Clone(seq), map[string]int32{})
		for i := range got {
			got[i].token = 0
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d: %v:\ngot  %+v\nwant %+v", n, seq, got, want)
		}
		found += len(want)
	}
	if found < 10000 {
		t.Errorf("only %d repetitions in all sequences: they test too little", found)
	}
}

// repetitive makes up to 100 tokens of four kinds, with stretches that repeat what is before them.
func repetitive(rng *rand.Rand) []int32 {
	kinds := []int32{textTag, int32(atom.P), int32(atom.A), int32(atom.Li)}
	size := rng.IntN(100)
	var seq []int32
	for len(seq) < size {
		if back := 1 + rng.IntN(12); rng.IntN(4) > 0 && back <= len(seq) {
			for range back * rng.IntN(7) {
				seq = append(seq, seq[len(seq)-back])
			}
		}
		seq = append(seq, kinds[rng.IntN(1+rng.IntN(len(kinds)))])
	}
	return seq
}

// FuzzFindRuns: repetitions are inside the sequence and have at least four units.
func FuzzFindRuns(f *testing.F) {
	f.Add([]byte("h#ul#l#l#l#h#ul#l#l#l#h#ul#l#l#l#h#ul#l#l#l#"))
	f.Add([]byte("p#p#p#p#a#a#a#a#"))
	f.Fuzz(func(t *testing.T, letters []byte) {
		runs := findRuns(tokens(string(letters)))
		n := len(tokens(string(letters)))
		for _, r := range runs {
			if r.from < 0 || r.to > n || r.to-r.from < minUnits*minUnit || r.units < minUnits || r.level < 1 || r.level > maxNested {
				t.Fatalf("%+v of %d tokens", r, n)
			}
		}
	})
}

// TestRepeatsOfHugePages: beyond maxTags nothing is read, and no page is too much.
func TestRepeatsOfHugePages(t *testing.T) {
	for name, unit := range map[string]string{"two tags": "<dt>a<dd>", "names": "<x-a>b<x-c>d", "links": "<a href=/x>x</a>"} {
		p := mustParse(t, strings.Repeat(unit, 2<<20/len(unit)))
		checkPage(t, p)
		if p.Repeats.Most > maxTags/minUnit {
			t.Errorf("%s: %+v", name, p.Repeats)
		}
	}
	names := make([]string, 100000)
	for i := range names {
		names[i] = fmt.Sprintf("<x-%d>t", i)
	}
	if got := mustParse(t, strings.Join(names, "")).Repeats; got != (Repeats{}) {
		t.Errorf("different elements: %+v", got)
	}
}

// BenchmarkRepeats finds the repetitions of 20,000 tokens. Those of one tag without text have every period and are compared
// with each.
func BenchmarkRepeats(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	kinds := []int32{textTag, int32(atom.P), int32(atom.A), int32(atom.Li), int32(atom.Div), int32(atom.Td), int32(atom.Tr), int32(atom.Img)}
	random := make([]int32, 20000)
	for i := range random {
		random[i] = kinds[rng.IntN(len(kinds))]
	}
	for name, seq := range map[string][]int32{
		"random": random, "one tag": slices.Repeat([]int32{int32(atom.Li)}, 20000), "table": tokens(strings.Repeat("rd#da#d#", 2500)), "nested": tokens(strings.Repeat("h#ul#l#l#l#l#l#l#l#", 1052)),
	} {
		b.Run(name, func(b *testing.B) {
			work := make([]int32, len(seq))
			for b.Loop() {
				copy(work, seq)
				findRuns(work)
			}
		})
	}
}
