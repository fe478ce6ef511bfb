package pagekind

import (
	"iter"
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
	lines      bool                  // a match may be longer than a line
}

// in reports whether a text may contain a match.
func (p *phrase) in(text string) bool {
	return len(p.needs) == 0 || slices.ContainsFunc(p.needs, func(n string) bool { return strings.Contains(text, n) })
}

// parts yields the parts of a text that may contain a match: the whole of it, or those of its lines that may. A text that
// has one of the words of a phrase has it in few lines, and the expression takes most of the time.
func (p *phrase) parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if p.lines || len(p.needs) == 0 {
			yield(text)
			return
		}
		for line := range strings.SplitSeq(text, "\n") {
			if p.in(line) && !yield(line) {
				return
			}
		}
	}
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
		all = append(all, phrase{expression, needed(tree), breaks(tree)})
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

// breaks reports whether a match of an expression may have a line break in it.
func breaks(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
		return false
	case syntax.OpAnyChar:
		return true
	}
	return slices.ContainsFunc(re.Sub, breaks)
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
