package text

import "strings"

// Language is a language whose stop words and stems are known. The zero value is English, which also stands for every
// language that is not known.
type Language uint8

// The languages. Their numbers are stored with models and stay as they are.
const (
	English Language = iota
	German
	Dutch
	French
	Spanish
	Italian
	Portuguese
	Swedish
	Danish
	Norwegian
	Finnish
	Hungarian
	Russian

	languages // how many there are
)

// names are what people call the languages.
var names = [languages]string{"English", "German", "Dutch", "French", "Spanish", "Italian", "Portuguese", "Swedish", "Danish",
	"Norwegian", "Finnish", "Hungarian", "Russian"}

// tags are the subtags of BCP 47 for the languages, as pages declare them.
var tags = map[string]Language{
	"en": English, "de": German, "nl": Dutch, "fr": French, "es": Spanish, "it": Italian, "pt": Portuguese, "sv": Swedish,
	"da": Danish, "no": Norwegian, "nb": Norwegian, "nn": Norwegian, "fi": Finnish, "hu": Hungarian, "ru": Russian,
	"eng": English, "deu": German, "ger": German, "fra": French, "fre": French, "spa": Spanish, "ita": Italian,
	"por": Portuguese, "swe": Swedish, "nld": Dutch, "dut": Dutch, "rus": Russian,
}

// String is the English name of the language.
func (l Language) String() string {
	if l < languages {
		return names[l]
	}
	return "unknown"
}

// Known reports whether the language is one of those that this program knows.
func (l Language) Known() bool { return l < languages }

// orEnglish is the language, or English for one that is not known.
func (l Language) orEnglish() Language {
	if l.Known() {
		return l
	}
	return English
}

// Languages lists all languages.
func Languages() []Language {
	all := make([]Language, languages)
	for i := range all {
		all[i] = Language(i)
	}
	return all
}

// maxTag is how much of a declared language is looked at.
const maxTag = 64

// ParseLanguage reads the language that a page declares, such as "de", "pt-BR", "fr_FR" or the list "en, de", of which the
// first counts. ok is false when it is none of Languages.
func ParseLanguage(declared string) (l Language, ok bool) {
	declared = strings.TrimLeft(declared[:min(len(declared), maxTag)], " \t\r\n")
	if i := strings.IndexAny(declared, "-_,; \t\r\n"); i >= 0 {
		declared = declared[:i]
	}
	l, ok = tags[strings.ToLower(declared)]
	return l, ok
}
