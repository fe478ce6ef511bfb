package neardup

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A page of mostly numbers, such as a tide table, a price list or the results of a league, has the same few words as the others
// of its kind, and often the same numbers, too: what differs is which number stands beside which. So its numbers are read in
// their order. In any other text, numbers are counters and dates, which do not make a text new.

// NumbersInRow is how many numbers in a row make one of Sketch.Numbers. One that changes in an otherwise equal text, such as a
// counter, changes that many of them in a row.
const NumbersInRow = 4

const (
	// fewFigures is the number of rows of digits below which a page is not one of numbers: it may be the page of a day in a calendar.
	fewFigures = 8
	// wordsPerValue is the number of words to each number above which a page is not one of numbers. Tables have one to four.
	wordsPerValue = 5
	// countingOn is from how many numbers on a row of numbers counts, each one more or less than the one before, or than one of
	// those just before: rows are numbered, days follow each other.
	countingOn = 3
	// maxValue is the length in bytes of the longest number.
	maxValue = 40
)

// values makes the shingles of the numbers in a text. For a page of mostly numbers it keeps them, and lets pairs of numbers have
// the votes that the numbers themselves had. Numbers that come again in the same order, or that only count, do not make a page
// one of numbers.
func (k *sketcher) values(text string) {
	numbers := k.count - k.named
	if numbers < fewFigures || numbers*(wordsPerValue+1) < k.count {
		return
	}
	var run valueRun
	distinct := map[uint64]struct{}{}
	eachValue(text, func(v string) bool {
		if !isDate(v) {
			run.read(v)
			k.numbers = append(k.numbers, run.row())
			k.pairs = append(k.pairs, run.pair())
			distinct[run.row()] = struct{}{}
		}
		return len(k.numbers) < numbers
	})
	if run.figures < fewFigures || len(distinct)*wordsPerValue < k.named {
		k.numbers = k.numbers[:0]
		return
	}
	k.voteAgain(text)
}

// hasDigits reports whether a word contains digits, by its two hashes.
func hasDigits(word, folded uint64) bool { return word != folded || folded == Number }

// voteAgain repeats the vote with pairs of numbers instead of words with digits.
func (k *sketcher) voteAgain(text string) {
	k.votes = votes{}
	clear(k.voted)
	n := 0
	EachWord(text, func(word, folded uint64) bool {
		if !hasDigits(word, folded) {
			k.vote(word)
		}
		n++
		return n < k.count
	})
	for _, pair := range k.pairs {
		k.vote(pair)
	}
}

// valueRun reads the numbers of a text one by one.
type valueRun struct {
	last    [NumbersInRow]value
	figures int // rows of digits in them
}

type value struct {
	hash  uint64
	whole int // the number, if it is a whole one, else -1
	up    int // numbers that counted up to it
	down  int // numbers that counted down to it
}

// read reads the next number. All numbers that count are the same.
func (r *valueRun) read(v string) {
	next := value{hash: fnvOffset, whole: -1}
	if n, err := strconv.Atoi(v); err == nil && v[0] != '-' {
		next.whole = n
	}
	for i := range len(v) {
		next.hash = (next.hash ^ uint64(v[i])) * fnvPrime
	}
	for range strings.FieldsFuncSeq(v, isNoDigit) {
		r.figures++
	}
	for _, l := range r.last {
		if next.whole >= 0 && l.hash != 0 && l.whole >= 0 {
			if l.whole+1 == next.whole {
				next.up = max(next.up, l.up+1)
			}
			if l.whole-1 == next.whole {
				next.down = max(next.down, l.down+1)
			}
		}
	}
	if max(next.up, next.down) >= countingOn-1 {
		next.hash = 1
	}
	copy(r.last[:], r.last[1:])
	r.last[NumbersInRow-1] = next
}

// row is the hash of the last NumbersInRow numbers, pair that of the last two.
func (r *valueRun) row() uint64 {
	h := uint64(0)
	for i, l := range r.last {
		h += l.hash * uint64(2*i+3)
	}
	return mix(h)
}

func (r *valueRun) pair() uint64 {
	return mix(r.last[NumbersInRow-2].hash*3 + r.last[NumbersInRow-1].hash)
}

// eachValue calls yield with each number of a text as it is written, with sign and inner separators ("-3.4", "17:35", "3-1"),
// until yield returns false. Digits after a letter, as in "h264", are not a number.
func eachValue(text string, yield func(v string) bool) {
	before := ' '
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !unicode.IsDigit(r) {
			before, i = r, i+size
			continue
		}
		end := i + endOfValue(text[i:])
		if !(unicode.IsLetter(before) || unicode.IsMark(before)) || unspaced(before) {
			if !yield(signed(text, i, end)) {
				return
			}
		}
		before, i = '0', end
	}
}

// separators stand within a number.
const separators = ".,:/-'–’"

// endOfValue is the length of the number at the beginning of s.
func endOfValue(s string) (end int) {
	for i, r := range s {
		switch {
		case i >= maxValue:
			return end
		case unicode.IsDigit(r):
			end = i + utf8.RuneLen(r)
		case i > end || !strings.ContainsRune(separators, r):
			return end
		case utf8.RuneLen(r) > 1: // a long separator: what follows it begins later
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); !unicode.IsDigit(next) {
				return end
			}
		}
	}
	return end
}

// signed returns the number text[i:end], with the sign before it.
func signed(text string, i, end int) string {
	before := text[:i]
	for _, minus := range []string{"-", "−"} {
		if head, ok := strings.CutSuffix(before, minus); ok {
			if r, _ := utf8.DecodeLastRuneInString(head); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return "-" + text[i:end]
			}
		}
	}
	return text[i:end]
}

// isDate reports whether a number is a year, a span of years, or a date.
func isDate(v string) bool {
	part, parts := [4]string{}, 0
	for s := range strings.FieldsFuncSeq(v, isNoDigit) {
		if parts == len(part) {
			return false
		}
		part[parts] = s
		parts++
	}
	first, last := part[0], part[max(parts-1, 0)]
	switch parts {
	case 1:
		return isYear(first)
	case 2:
		return isYear(first) && (len(last) <= 2 || isYear(last)) || isYear(last) && len(first) <= 2
	case 3:
		short := len(part[1]) <= 2 && !strings.Contains(v, ":")
		return short && (len(first) <= 2 && (len(last) <= 2 || isYear(last)) || isYear(first) && len(last) <= 2)
	}
	return false
}

func isNoDigit(r rune) bool { return !unicode.IsDigit(r) }

func isYear(s string) bool {
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20")
}
