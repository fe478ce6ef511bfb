package feature

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nightjar/model/text"
)

// Limits of a file of heading sets.
const (
	maxSetsText = 1 << 16 // bytes
	maxSets     = 100     // sets
	maxSetName  = 20      // bytes of the name of a set
)

// Sets are named sets of headings. The zero value has none. Two pages of one kind rarely have all headings in common, but
// often some of a set, [CRF] §5.3.2.
//
// A short heading that has the words of one of the set is that one, too ("Selected publications"), with any endings
// ("Research interest"): the thesis leaves open how headings are compared. On the pages of three universities of 1997
// that finds two headings of the first set on 20 of 111 pages of teachers, where whole headings alone would find them
// on 6.
type Sets struct {
	text    string
	sets    []headingSet
	longest int // words of the longest heading
}

// headingSet is a set of headings, each as the stems of its words.
type headingSet struct {
	name     string
	headings []string
}

//go:embed headings.txt
var defaultText string

var defaultSets = func() Sets {
	s, err := ParseSets(defaultText)
	if err != nil {
		panic(err) // a test parses it
	}
	return s
}()

// DefaultSets are the sets to use when a person has none of their own. The first one is the example of [CRF] §5.3.2:
// teaching, courses, research interests, publications, contact. String gives their text, to be written to a file.
func DefaultSets() Sets { return defaultSets }

// String is the text that the sets were parsed from.
func (s Sets) String() string { return s.text }

// ParseSets reads heading sets from the text of a file. A line is the name of a set, a colon and at least two headings with
// commas between them; empty lines and those that begin with # are left out. A name has up to 20 of the characters a-z, 0-9
// and -. There may be 100 sets in 64 kB. A text without sets is valid. Errors name the line.
func ParseSets(text string) (Sets, error) {
	s := Sets{text: text}
	if len(text) > maxSetsText {
		return Sets{}, fmt.Errorf("heading sets: %d bytes, at most %d are read; leave some sets out", len(text), maxSetsText)
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if !utf8.ValidString(line) {
			return Sets{}, fmt.Errorf("heading sets, line %d: not UTF-8; save the file as UTF-8", number)
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.add(line); err != nil {
			return Sets{}, fmt.Errorf("heading sets, line %d: %w", number, err)
		}
	}
	return s, nil
}

func (s *Sets) add(line string) error {
	name, list, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	switch {
	case len(s.sets) == maxSets:
		return fmt.Errorf("more than %d sets: leave some out", maxSets)
	case !ok:
		return fmt.Errorf("no colon after the name: write it like \"homepage: teaching, publications\"")
	case name == "" || len(name) > maxSetName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return fmt.Errorf("%q is not a valid name for a set: use 1 to %d of the characters a-z, 0-9 and -", name, maxSetName)
	case slices.ContainsFunc(s.sets, func(h headingSet) bool { return h.name == name }):
		return fmt.Errorf("there is a set %q above: put the headings together or give this set another name", name)
	}
	set := headingSet{name: name}
	for heading := range strings.SplitSeq(list, ",") {
		heading = strings.TrimSpace(heading)
		stems, words := headingStems(heading)
		switch {
		case heading == "":
			return fmt.Errorf("set %q has a comma without a heading: delete the comma or write the heading", name)
		case words == 0:
			return fmt.Errorf("heading %q of set %q has only stop words: leave it out", heading, name)
		case !slices.Contains(set.headings, stems):
			set.headings = append(set.headings, stems)
			s.longest = max(s.longest, words)
		}
	}
	if len(set.headings) < 2 {
		return fmt.Errorf("set %q has only one heading, and two must be found on a page: add another", name)
	}
	s.sets = append(s.sets, set)
	return nil
}

// headingStems are the stems of the words of a heading, with a space around each.
func headingStems(heading string) (stems string, words int) {
	var b strings.Builder
	b.WriteByte(' ')
	for w := range text.ShortWords(heading) {
		b.WriteString(text.Stem(string(w)))
		b.WriteByte(' ')
		words++
	}
	return b.String(), words
}

// named lists the sets of which two headings are on a page.
func (s Sets) named(headings []string) []string {
	if len(s.sets) == 0 {
		return nil
	}
	var short []string
	for _, h := range headings[:min(len(headings), maxHeadings)] {
		if stems, words := headingStems(h); words > 0 && words <= max(maxHeading, s.longest) {
			short = append(short, stems)
		}
	}
	var names []string
	for _, set := range s.sets {
		if set.found(short) >= 2 {
			names = append(names, set.name)
		}
	}
	return names
}

// found counts the headings of the set that are on a page. A heading of the page stands for one of the set at most.
func (h headingSet) found(page []string) int {
	met := make([]bool, len(h.headings))
	n := 0
	for _, heading := range page {
		for i, want := range h.headings {
			if !met[i] && strings.Contains(heading, want) {
				met[i] = true
				n++
				break
			}
		}
	}
	return n
}
