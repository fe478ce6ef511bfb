package pagekind

import (
	_ "embed" // the lists
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// phrase is a regular expression with texts of which each match contains at least one: searching for those is a hundred
// times cheaper than the expression.
type phrase struct {
	expression func() *regexp.Regexp // compiled when a page may match: all of them take longer than the program's start
	needs      []string              // empty if there are no such texts
}

// in reports whether a text may contain a match.
func (p *phrase) in(text string) bool {
	return len(p.needs) == 0 || slices.ContainsFunc(p.needs, func(n string) bool { return strings.Contains(text, n) })
}

//go:embed placeholders.txt
var placeholderLists string

// phrases has the lists of placeholders.txt by their headings.
var phrases = sync.OnceValue(func() map[string][]phrase {
	lists, heading := map[string][]phrase{}, ""
	for line := range strings.Lines(placeholderLists) {
		line = strings.TrimSpace(line)
		name, isHeading := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#':
		case isHeading:
			heading = strings.TrimSuffix(name, "]")
		case strings.HasSuffix(heading, " titles"): // spaces and punctuation aside; a hyphen with spaces ends a part, too
			lists[heading] = append(lists[heading], newPhrase(`^(?:.* - )?[\s\pP]*(?:`, line, `)[\s\pP]*(?: - .*)?$`))
		default:
			lists[heading] = append(lists[heading], newPhrase(`\b(?:`, line, `)`))
		}
	}
	return lists
})

func newPhrase(before, line, after string) phrase {
	tree, err := syntax.Parse(line, syntax.Perl)
	if err != nil {
		panic(err) // a mistake of the program
	}
	return phrase{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(before + line + after) }), needed(tree)}
}

// needed lists texts of which each match of an expression contains at least one, nil if none is known.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if n := needed(sub); shortest(n) > shortest(best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			n := needed(sub)
			if len(n) == 0 {
				return nil
			}
			all = append(all, n...)
		}
		return all
	}
	return nil
}

// shortest is the length of the shortest of some texts, 0 for none.
func shortest(texts []string) int {
	least := 0
	for i, s := range texts {
		if i == 0 || len(s) < least {
			least = len(s)
		}
	}
	return least
}
