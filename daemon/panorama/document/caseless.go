package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of scripts without capitals. They are told from titles by their length.
var (
	caselessPart = regexp.MustCompile(`^[\p{Lo}\p{Lm}\p{M}ー\-'’]+(?:[ ·][\p{Lo}\p{Lm}\p{M}ー\-'’]+)*`)
	caselessJoin = regexp.MustCompile(`^\s*[,，、،;；؛·・/]\s*`)
	caselessEnd  = regexp.MustCompile(`^\s*(?:[.．。:：]|(?:[,，،]\s*)?[“"„«‘「『《〈])`)
	// caselessOthers is "et al." in such scripts.
	caselessOthers = regexp.MustCompile(`^(?:等人?|ほか|他|외(?: ?\d+인)?|وآخرون|وآخرين|ועוד|ואח['׳]?|et al\.?)$`)
	latinOthers    = regexp.MustCompile(`^et al\.?`)
)

const (
	packedName = 8 // letters of a name in Chinese or Japanese, at most
	koreanName = 6
	wordsName  = 4 // words of a name in other scripts, such as Arabic
)

// readCaseless is readNames for scripts without capitals.
func readCaseless(s string) (p people, ok bool) {
	at := 0
	for join := 0; len(p.names) < 2000; {
		next := s[at+join : min(len(s), at+join+maxName)]
		one := caselessPart.FindString(next)
		if e := latinOthers.FindString(next); e != "" && join > 0 {
			one = e
		}
		if one == "" || !caselessName(one) {
			break
		}
		if at += join + len(one); !caselessOthers.MatchString(one) {
			p.names = append(p.names, one)
		}
		if join = len(caselessJoin.FindString(s[at:])); join == 0 {
			break
		}
	}
	if len(p.names) == 0 {
		return p, false
	}
	p.sure = true
	rest := s[at:]
	if e := editors.FindString(rest); e != "" {
		at, rest = at+len(e), rest[len(e):]
	}
	if y := dated.FindStringSubmatch(rest); y != nil {
		p.rest, p.year = at+len(y[0]), yearOf(y[1]+y[2])
		return p, true
	}
	switch end, join := caselessEnd.FindString(rest), caselessJoin.FindString(rest); {
	case end != "":
		last, size := utf8.DecodeLastRuneInString(end)
		if quotes[last] == 0 {
			size = 0
		}
		p.rest = at + len(end) - size
	case join != "":
		p.rest = at + len(join)
	default:
		return p, false
	}
	return p, true
}

// caselessName reports whether a text between two marks is short enough for a name.
func caselessName(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	switch spaces := strings.Count(s, " "); {
	case unicode.Is(unicode.Hangul, first):
		return letters <= koreanName && spaces <= 1
	case unparted(first):
		return letters <= packedName && spaces <= 2
	default:
		return spaces < wordsName
	}
}
