package label

import (
	"slices"
	"strings"
	"unicode"
)

const (
	shortest     = 2   // characters of a short form, at least
	longestShort = 10  // at most
	longestLong  = 120 // characters of a long form: more is no name
)

// readExpansions counts the long forms that a text gives for the short forms asked for, which are in lower case.
func readExpansions(s string, asked map[string]forms) {
	if len(asked) == 0 {
		return
	}
	for line := range strings.Lines(s) {
		for from := 0; ; {
			open := strings.IndexByte(line[from:], '(')
			if open < 0 {
				break
			}
			open += from
			from = open + 1
			shut := strings.IndexByte(line[from:], ')')
			if shut < 0 {
				break
			}
			short, long, ok := pair(line[:open], line[from:from+shut])
			if !ok {
				continue
			}
			count, ok := asked[strings.ToLower(short)]
			if !ok {
				continue
			}
			if best := longForm(short, long); best != "" {
				count[strings.Join(strings.Fields(best), " ")]++
			}
		}
	}
}

// pair tells which of the text before a parenthesis and the text in it is the short form, and which the candidate for
// the long form: "long form (SF)", and when there are more than two words inside, "SF (long form)".
func pair(before, inside string) (short, long string, ok bool) {
	before, inside = strings.TrimSpace(before), strings.TrimSpace(inside)
	if end := strings.LastIndex(before, ". "); end >= 0 {
		before = before[end+2:]
	}
	if cut := strings.IndexAny(inside, ";,"); cut > 0 {
		inside = strings.TrimSpace(inside[:cut])
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return "", "", false
	}
	if len(strings.Fields(inside)) > 2 {
		short, long = words[len(words)-1], inside
	} else {
		short = inside
		most := wordsAtMost(short)
		long = strings.Join(words[max(0, len(words)-most):], " ")
	}
	return short, long, isShort(short)
}

// wordsAtMost is min(|A|+5, 2|A|), the number of words of the long form of a short form A (Schwartz & Hearst, §2.1).
func wordsAtMost(short string) int {
	n := len([]rune(short))
	return min(n+5, 2*n)
}

// isShort holds for a short form: 2 to 10 characters in at most two words, the first a letter or digit, two of them
// capitals. The paper asks for a letter only; but then "father (famous as Big Daddy)" gives an expansion, and capitals
// hardly ever mislead.
func isShort(s string) bool {
	capitals := 0
	for _, r := range s {
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	r := []rune(s)
	return len(r) >= shortest && len(r) <= longestShort && len(strings.Fields(s)) <= 2 && capitals >= 2 &&
		(unicode.IsLetter(r[0]) || unicode.IsDigit(r[0]))
}

// longForm finds the end of long that short stands for, "" when there is none (Schwartz & Hearst, A Simple Algorithm
// for Identifying Abbreviation Definitions in Biomedical Text, PSB 2003, §2.2). From the right, each letter or digit of
// the short form must be found in the long form, in order; the first one at the beginning of a word.
func longForm(short, long string) string {
	s, l := []rune(short), []rune(long)
	at := len(l)
	for i := len(s) - 1; i >= 0; i-- {
		want := unicode.ToLower(s[i])
		if !letterOrDigit(want) {
			continue
		}
		for at--; at >= 0; at-- {
			if unicode.ToLower(l[at]) == want && !(i == 0 && at > 0 && letterOrDigit(l[at-1])) {
				break
			}
		}
		if at < 0 {
			return ""
		}
	}
	for at > 0 && !unicode.IsSpace(l[at-1]) {
		at--
	}
	best := strings.TrimFunc(string(l[at:]), func(r rune) bool { return !letterOrDigit(r) })
	words := strings.FieldsFunc(best, func(r rune) bool { return !letterOrDigit(r) })
	itself := slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, short) })
	if n := len([]rune(best)); itself || n <= len(s) || n > longestLong || len(strings.Fields(best)) > wordsAtMost(short) {
		return ""
	}
	return best
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
