package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"nightjar/crawler/texts"
	"nightjar/model/text"
)

// Version says by which rules words are made. A change of these rules needs a new version: the index is then made anew.
const Version = 2

// folder folds words. It remembers them, since a text repeats its words.
type folder struct {
	stems map[string]string // of folded ASCII words
	wide  map[string]string // folded form of words that are not ASCII
}

func newFolder() folder { return folder{map[string]string{}, map[string]string{}} }

// fold returns a word in lower case without accents, and its stem if it is one of English letters.
func (f folder) fold(word string) (whole, stem string) {
	whole, letters, ascii := lower(texts.Cut(word, MaxWord))
	if !ascii {
		whole = f.foldWide(texts.Cut(word, 16*MaxWord)) // marks and joiners do not count for the length
		whole, letters, _ = lower(texts.Cut(whole, MaxWord))
	}
	if !letters || len(whole) < 3 {
		return whole, whole
	}
	stem, ok := f.stems[whole]
	if !ok {
		stem = text.Stem(whole)
		f.stems[whole] = stem
	}
	return whole, stem
}

// lower returns an ASCII word in lower case, whether it consists of letters alone, and whether it is ASCII at all. Other
// words stay as they are.
func lower(word string) (_ string, letters, ascii bool) {
	letters = true
	for i := range len(word) {
		switch c := word[i]; {
		case c >= utf8.RuneSelf:
			return word, false, false
		case '0' <= c && c <= '9':
			letters = false
		}
	}
	return strings.ToLower(word), letters, true
}

// foldWide folds a word that is not ASCII: compatible forms to their usual one, lower case, no accents, simple letters for
// those with strokes and hooks. What is left has only letters, digits and vowel signs, since a decomposition may bring in
// spaces and signs.
func (f folder) foldWide(word string) string {
	if known, ok := f.wide[word]; ok {
		return known
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(word) {
		if r = unicode.ToLower(r); ownLetter(r) {
			b.WriteRune(r)
			continue
		}
		for _, part := range norm.NFD.String(string(r)) {
			writePlain(&b, part)
		}
	}
	folded := norm.NFC.String(b.String())
	f.wide[word] = folded
	return folded
}

// writePlain writes the plain form of a decomposed character, nothing for a mark that readers may leave out.
func writePlain(b *strings.Builder, r rune) {
	switch plain, ok := plainLetters[r]; {
	case ok:
		b.WriteString(plain)
	case wordy(r, utf8.RuneLen(r)) && !optionalMark(r):
		b.WriteRune(r)
	}
}

// ownLetter reports whether a character is a letter of its own although it decomposes: が is not か, and й is not и. The
// Cyrillic letters ѐ, ё and ѝ are written without their marks as well.
func ownLetter(r rune) bool {
	return r >= 0x400 && (unicode.In(r, unicode.Hiragana, unicode.Katakana) || unicode.Is(unicode.Cyrillic, r) && !strings.ContainsRune("ѐёѝ", r))
}

// optionalMark reports whether readers of a script also write words without a mark: accents, the vowel points of Arabic,
// Hebrew and Syriac, and the dot (nukta) of Indic scripts. In other scripts, marks are vowels.
func optionalMark(r rune) bool {
	const nukta = 7 // canonical combining class
	return unicode.IsMark(r) && (unicode.In(r, unicode.Inherited, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic,
		unicode.Hebrew, unicode.Syriac) || norm.NFD.PropertiesString(string(r)).CCC() == nukta)
}

// plainLetters has the plain form of letters that Unicode does not decompose.
var plainLetters = func() map[rune]string {
	all := map[rune]string{}
	for plain, letters := range map[string]string{
		"a": "ɑɐᶏⱥə", "aa": "ꜳ", "ae": "æ", "ao": "ꜵ", "au": "ꜷ", "av": "ꜹꜻ", "ay": "ꜽ", "b": "ƀƃɓᵬᶀꞗ", "c": "ƈȼɕꞓꞔ",
		"d": "ðđƌȡɖɗᵭᶁᶑꝺ", "e": "ɇɛᶒᶓⱸǝ", "f": "ƒᵮᶂꝼꞙ", "g": "ǥɠɡɣᶃꞡ", "h": "ħɦⱨꞕ", "hv": "ƕ", "i": "ıɨɩᶖ", "j": "ȷɉɟʄʝ",
		"k": "ƙᶄⱪꝁꝃꝅꞣ", "l": "łƚȴɫɬɭᶅⱡꝉꞎ", "m": "ɱᵯᶆ", "n": "ŋƞȵɲɳᵰᶇꞑꞥ", "o": "øɔᴓᶗⱺꝋꝍ", "oe": "œ", "oi": "ƣ", "oo": "ꝏ",
		"ou": "ȣ", "p": "ƥᵱᵽᶈꝑꝓꝕ", "q": "ĸɋʠꝗꝙ", "r": "ɍɼɽɾᵲᵳᶉꞧꞃ", "s": "ȿʂᵴᶊẜẝꞩꞅ", "ss": "ßẞ", "t": "ŧƫƭȶʈᵵⱦꞇ", "th": "þꝥꝧᵺ",
		"tz": "ꜩ", "u": "ʉᵾᶙ", "v": "ʋᶌⱱⱴꝟ", "w": "ⱳ", "x": "ᶍ", "y": "ƴɏỿ", "z": "ƶȥɀʐʑᵶᶎⱬ",
		"σ": "ς",                                 // the form at the end of a word
		"ا": "ٱ", "ي": "ىی", "ك": "ک", "ه": "ةە", // forms that Arabic and Persian keyboards exchange
		"": "ـ", // tatweel lengthens a word on paper
	} {
		for _, r := range letters {
			all[r] = plain
		}
	}
	return all
}()
