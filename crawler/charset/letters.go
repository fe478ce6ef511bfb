package charset

import (
	_ "embed" // of the letters
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// language is what distinguishes the single-byte encodings of a language: the frequencies of its letters outside ASCII.
type language map[rune]float64

type candidate struct {
	enc       *charmap.Charmap
	languages []language
	handicap  float64 // natural log of the encoding's prior odds against the others
}

// lettersText has the letters of languages.
//
//go:embed letters.txt
var lettersText string

// languages are the languages of each group.
var languages = readLetters(lettersText)

// latin are the encodings that the detector mistakes for western ones; arabicOrMac and arabicOrHebrew those that it
// mistakes for Apple Cyrillic and for Hebrew.
var (
	latin = []candidate{
		{charmap.Windows1252, languages["western"], 0},
		{charmap.Windows1250, languages["central"], westernLead},
		{charmap.ISO8859_2, languages["central"], westernLead},
		{charmap.Windows1254, languages["turkish"], westernLead},
	}
	arabicOrHebrew = []candidate{
		{charmap.Windows1255, languages["hebrew"], 0},
		{charmap.Windows1256, languages["arabic"], 0},
		{charmap.ISO8859_6, languages["arabic"], 0},
	}
	arabicOrMac = []candidate{
		{charmap.MacintoshCyrillic, languages["eastern"], 0},
		{charmap.Windows1251, languages["eastern"], 0},
		{charmap.Windows1256, languages["arabic"], 0},
		{charmap.ISO8859_6, languages["arabic"], 0},
	}
)

const (
	westernLead = -4.0 // a few foreign letters do not make a western page another
	known       = 0.9  // share of the letters of a text that its language knows
	foreign     = 1e-3 // probability of another letter
	sign        = 5e-3 // of a sign that is no letter
	outOfPlace  = 1e-4 // of such a sign between two letters, or a letter beside a digit
	capital     = 0.05 // what a capital after a small letter is less likely
	impossible  = 1e-6 // probability of what no text holds
)

// readLetters reads lines of a group, a language and its letters with their shares.
func readLetters(text string) map[string][]language {
	all := map[string][]language{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		l := language{}
		sum := 0.0
		for entry := range strings.FieldsSeq(cells[2]) {
			letter := []rune(entry)
			share, err := strconv.Atoi(string(letter[1:]))
			if err != nil {
				panic("charset: letters: " + entry)
			}
			l[letter[0]] = float64(share)
			sum += float64(share)
		}
		for letter := range l {
			l[letter] *= known / sum
		}
		group := strings.TrimSpace(cells[0])
		all[group] = append(all[group], l)
	}
	return all
}

// likeliest is the encoding for which the bytes outside ASCII are most probable as text in one of its languages; nil if
// there are no such bytes.
func likeliest(body []byte, candidates []candidate) encoding.Encoding {
	var best encoding.Encoding
	bestScore := math.Inf(-1)
	for _, c := range candidates {
		runes, counts := c.read(body)
		for _, l := range c.languages {
			if score := c.handicap + l.score(runes, counts); score > bestScore {
				best, bestScore = c.enc, score
			}
		}
	}
	return best
}

// place is the position of a character, as far as it affects its probability.
type place int

const (
	anywhere   place = iota
	insideWord       // a sign between two letters
	afterSmall       // a capital after a small letter
	byDigit          // a letter beside a digit
	places
)

// read decodes each byte and counts those outside ASCII by place.
func (c candidate) read(body []byte) (runes [256]rune, counts [256][places]int) {
	for b := range runes {
		runes[b] = c.enc.DecodeByte(byte(b))
	}
	before := ' '
	for i, b := range body {
		r := runes[b]
		if b >= 0x80 {
			after := ' '
			if i+1 < len(body) {
				after = runes[body[i+1]]
			}
			counts[b][placeOf(before, r, after)]++
		}
		before = r
	}
	return runes, counts
}

func placeOf(before, r, after rune) place {
	switch {
	case !unicode.IsLetter(r):
		if unicode.IsLetter(before) && unicode.IsLetter(after) {
			return insideWord
		}
	case unicode.IsDigit(before) || unicode.IsDigit(after):
		return byDigit
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return afterSmall
	}
	return anywhere
}

// score is the natural log of the probability of the counted bytes as text in a language.
func (l language) score(runes [256]rune, counts [256][places]int) float64 {
	score := 0.0
	for b := 0x80; b < len(runes); b++ {
		for at, n := range counts[b] {
			if n > 0 {
				score += float64(n) * math.Log(l.probability(runes[b], place(at)))
			}
		}
	}
	return score
}

// probability is the probability of a character in a place.
func (l language) probability(r rune, at place) float64 {
	switch {
	case r == unicode.ReplacementChar || unicode.IsControl(r):
		return impossible
	case at == insideWord || at == byDigit:
		return outOfPlace
	case !unicode.IsLetter(r):
		return sign
	}
	p, ok := l[r]
	if !ok {
		p, ok = l[unicode.ToLower(r)]
	}
	if !ok {
		p = foreign
	}
	if at == afterSmall {
		p *= capital
	}
	return p
}
