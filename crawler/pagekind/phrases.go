package pagekind

import (
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

// phrasesOf makes a phrase of each line, between a common prefix and suffix, when it is called first.
func phrasesOf(before, lines, after string) func() []phrase {
	return sync.OnceValue(func() []phrase { return parsePhrases(before, lines, after) })
}

func parsePhrases(before, lines, after string) (all []phrase) {
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		tree, err := syntax.Parse(line, syntax.Perl)
		if err != nil {
			panic(err) // a mistake of the program
		}
		expression := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(before + line + after) })
		all = append(all, phrase{expression, needed(tree)})
	}
	return all
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
