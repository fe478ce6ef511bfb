package charset

import (
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

// The letters of each language, with their usual share among its letters outside of ASCII, in any unit.
var (
	western = letters(
		"é190 à50 è27 ê22 ç8 ô6 û6 î5 â5 ù6 ï1 ë1 œ2", // French
		"ä54 ü65 ö30 ß31",                              // German
		"ó83 í73 á50 é43 ñ31 ú17 ü1",                   // Spanish
		"ã73 é34 ç53 á47 ê45 í13 ó30 õ40 à7 ú7 â6 ô6",  // Portuguese
		"à64 è26 ò20 ù17 é6 ì3",                        // Italian
		"ä180 å134 ö130 é2",                            // Swedish
		"å110 æ80 ø90 é3",                              // Danish, Norwegian
		"ä360 ö44 å1",                                  // Finnish
		"ä150 õ120 ü65 ö20 š1 ž1",                      // Estonian
		"ð440 á180 í160 þ145 ó100 æ87 ö80 é65 ú60 ý23", // Icelandic
		"é30 ë25 ï8 è4 ö3 ü3 ç2",                       // Dutch
		"à40 è30 é35 í30 ó30 ò15 ú10 ç10 ü3 ï6",        // Catalan
		"ë70 ç8", // Albanian
	)
	central = letters(
		"í33 á22 é13 ě16 ř12 ž10 č9 š8 ý11 ů7 ú2 ň1 ť1 ď1 ó1",    // Czech
		"á21 é8 í11 č12 š8 ž10 ý9 ľ4 ť7 ú8 ô2 ä1 ň2 ď2 ŕ1 ĺ1 ó1", // Slovak
		"ł18 ą10 ę11 ó9 ż8 ś7 ć4 ń2 ź1",                          // Polish
		"á36 é38 í7 ó10 ö11 ő9 ú3 ü6 ű2",                         // Hungarian
		"č12 š9 ž7 ć6 đ2",                                        // Croatian
		"č12 š9 ž7",                                              // Slovene
		"ă40 î14 â9 ş15 ţ12",                                     // Romanian
	)
	turkish = letters("ı51 ü19 ş18 ç12 ğ11 ö8 İ3 â1 û1 î1")
	arabic  = letters(`ا130 ل120 ي66 م65 و60 ن55 ر50 ت45 ب40 ه40 ع35 د30 س28 ف28 ك25 ق25 أ20 ة20 ح20 ج15 ش10 ص10 ط9 خ9
		ى8 ذ7 ث6 ض6 إ6 ز6 غ4 ء4 ئ4 ظ2 ؤ2 آ2`)
	hebrew = letters(`י110 ה100 ו100 ל80 א70 ר60 ש50 ת50 ב50 מ50 ם30 נ30 ח30 ע30 ד30 כ30 ק20 פ20 ג15 ס15 ן10 ט10 צ10 ז10 ך8
		ף3 ץ2`)
	eastern = letters(`о109 е85 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9
		ш7 ю6 ц5 щ4 э3 ф3 ъ1 ё1`)
)

// latin are the encodings that the detector mistakes for western ones; arabicOrMac and arabicOrHebrew those that it
// mistakes for Apple Cyrillic and for Hebrew.
var (
	latin = []candidate{
		{charmap.Windows1252, western, 0},
		{charmap.Windows1250, central, westernLead},
		{charmap.ISO8859_2, central, westernLead},
		{charmap.Windows1254, turkish, westernLead},
	}
	arabicOrHebrew = []candidate{
		{charmap.Windows1255, hebrew, 0},
		{charmap.Windows1256, arabic, 0},
		{charmap.ISO8859_6, arabic, 0},
	}
	arabicOrMac = []candidate{
		{charmap.MacintoshCyrillic, eastern, 0},
		{charmap.Windows1251, eastern, 0},
		{charmap.Windows1256, arabic, 0},
		{charmap.ISO8859_6, arabic, 0},
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

// letters parses languages, each a list of letters with their shares.
func letters(lists ...string) []language {
	all := make([]language, len(lists))
	for i, list := range lists {
		all[i] = language{}
		sum := 0.0
		for entry := range strings.FieldsSeq(list) {
			letter := []rune(entry)
			share, err := strconv.Atoi(string(letter[1:]))
			if err != nil {
				panic("page: letters: " + entry)
			}
			all[i][letter[0]] = float64(share)
			sum += float64(share)
		}
		for letter := range all[i] {
			all[i][letter] *= known / sum
		}
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
