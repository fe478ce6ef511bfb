package document

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Parts of names of scripts with capitals.
const (
	particle   = `(?:(?:[Vv]an|[Vv]on|[Dd]e[rnlsi]?|[Dd]ella|[Dd][aiou]s?|[Ll][aeo]|[Tt]e[rn]|[Zz]u[rm]?|auf|af|av|bin|ibn|al|el|DE|LA|LAS|LOS|VAN|VON|DER|DEN|DEL|DI|DA|DU|DOS|LE|St\.?|’t|'t)(?: |-))*`
	capWord    = `(?:[dlDLO]['’])?\p{Lu}[\p{L}\p{M}'’]+(?:[-‐–]\p{L}[\p{L}\p{M}'’]*)*`
	lastName   = particle + capWord + `(?: ` + particle + capWord + `)??`
	oneInitial = `(?:\p{Lu}|Yu|Ya|Ch|Sh|Zh|Kh|Ts|Ph|Th)\.`
	dotted     = oneInitial + `(?:[ ]?[-‐–]?[ ]?` + oneInitial + `)*`
	undotted   = `\p{Lu}{1,4}(?:[-‐–]\p{Lu}{1,2}| \p{Lu})?`
	suffix     = `(?:,? (?:Jr|Sr|jr|II|III|IV)\.?)?`
	yearDigits = `(?:1[5-9]|20)\d\d`
	// nameEnd is what may stand behind a name that no full stop ends.
	nameEnd = `(?:$|\s*[.,;:/(（\[“"„«‘'&…–—。：]|\s+(?:and|und|et|y|e|en|och|og|ve|i|a|и|і|та|και|u\.|m\.|` + yearDigits + `)(?:\s|$|[a-z]?[.,:]))`
)

// nameForm is a way to write a name. Those of a list are alike.
type nameForm int

const (
	inverted   nameForm = iota // Venn, O. K. and Venn OK
	direct                     // O. K. Venn
	bareDirect                 // OK Venn
	whole                      // Orla K. Venn
	catalogue                  // Venn, Orla K.
)

// alike has the forms that may follow in a list that begins with a form.
var alike = map[nameForm][]nameForm{inverted: {inverted, direct, bareDirect}, direct: {direct}, bareDirect: {bareDirect}, whole: {whole, direct}, catalogue: {inverted, direct, whole, catalogue}}

// writtenAs recognizes names in a form.
type writtenAs struct {
	re   *regexp.Regexp
	form nameForm
}

// nameForms compiles the expressions when it is called first: they take longer than the program's start.
var nameForms = sync.OnceValue(func() []writtenAs {
	return []writtenAs{
		{regexp.MustCompile(`^(` + capWord + ` ` + dotted + ` ` + lastName + suffix + `)` + nameEnd), whole},
		{regexp.MustCompile(`^(` + lastName + `,? ` + dotted + suffix + `)`), inverted},
		{regexp.MustCompile(`^(` + lastName + `,? ` + undotted + suffix + `)` + nameEnd), inverted},
		{regexp.MustCompile(`^(` + dotted + ` ?` + lastName + suffix + `)` + nameEnd), direct},
		{regexp.MustCompile(`^(\p{Lu}{1,2} ` + lastName + suffix + `)` + nameEnd), bareDirect},
		{regexp.MustCompile(`^(` + capWord + `(?: (?:` + particle + capWord + `|\p{Lu})){1,3}` + suffix + `)` + nameEnd), whole},
		{regexp.MustCompile(`^(` + lastName + `, ` + capWord + `(?:[ -]` + capWord + `)? ` + dotted + suffix + `)`), catalogue},
		{regexp.MustCompile(`^(` + lastName + `, ` + capWord + `(?:[ -](?:` + particle + capWord + `|\p{Lu})){0,2}` + suffix + `)` + nameEnd), catalogue},
	}
})

var (
	nameJoin = regexp.MustCompile(`^(?:\s*[,;/]\s*|\s+[–;/]\s+)?(?:…\s*|\. ?\. ?\.\s*)?(?:\s*(?:and|und|et|y|e|en|och|og|ve|i|a|и|і|та|και|&)\s+)?`)
	others   = regexp.MustCompile(`^[,;]?\s*\(?(?:et\s+(?:al|coll)|and others|u\. ?a|y otros|e outros|m\. ?fl|i in|и др|та ін|κ\. ?ά|και άλλοι)\b\.?\)?|^[,;]?\s*(?:et al\.?|и др\.?|та ін\.?|κ\.? ?ά\.?|και άλλοι)`)
	groups   = regexp.MustCompile(`^[^.;:,]{3,90}?(?:Group|Consortium|Collaboration|Network|Team|Investigators|Initiative|Collaborators|Committee)s?`)
	editors  = regexp.MustCompile(`^,?\s*(?:[([](?:[Ee]ds?|[Hh]rsg|[Hh]g|ред|comps?|trans)\.?[)\]]|(?:[Ee]ds?|[Hh]rsg|ред)\.|[Ee]ditors?\b)[.,:]?`)
	// dated finds a year, if there is one, and the marks between names and a title.
	dated    = regexp.MustCompile(`^[.,:．，：。،]?\s*(?:[(（[](?:[^()（）]{0,20}\b)?(` + yearDigits + `)[a-z]?(?:[^()（）]{0,14})[)）\]][.,:．，：。،]?|\((?i:in press|submitted|forthcoming|to appear|n\.d\.)\)[.,:]?|(` + yearDigits + `)[a-z]?(?:, \p{Lu}\p{L}+\.?(?: \d+)?|年)?[.,:．，：。،])\s*`)
	afterAll = regexp.MustCompile(`^(?:\.\s*[–—]\s+|[.:：。．]\s*|\s+[–—]\s+|\s*$)`)
)

// people is the list of names at the begin of an entry.
type people struct {
	names    []string
	rest     int      // where what follows the names, and a year behind them, begins
	sure     bool     // they can hardly be anything else
	quoted   bool     // the title behind them is in quotation marks
	initials bool     // that tell names from titles
	year     int      // behind them, 0 if there is none
	form     nameForm // of the first
}

// readNames reads the names that an entry begins with. They end where no name follows, at a mark: a full stop, a colon, a year,
// a quotation mark, or a comma if the names have initials. ok is false if an entry begins with something else.
func readNames(s string) (p people, ok bool) {
	if r, _ := utf8.DecodeRuneInString(s); unicode.Is(unicode.Lo, r) {
		return readCaseless(s)
	}
	for _, from := range []int{0, afterMiddle, afterWhole} {
		if p, ok = readList(s, from); ok || p.form != whole {
			break
		}
	}
	return p, ok
}

// Places in nameForms. "Venn O. Mills, ponds" is no Venn O. Mills, and "DE LA CRUZ, Ana" no De la Cruz.
const afterMiddle, afterWhole = 1, 6

// readList is readNames with the forms from one on.
func readList(s string, from int) (p people, ok bool) {
	at, known := 0, false
	var first nameForm
	if m := bareOthers().FindStringSubmatch(s); m != nil {
		at, known, p.sure, p.names = len(m[1]), true, true, []string{m[1]}
		at += len(others.FindString(s[at:]))
	}
	for join := 0; !p.sure && len(p.names) < 2000; {
		may := alike[first]
		if !known {
			may = nil
		}
		length, form := nextName(s[at+join:], from, may)
		if !known {
			first, p.form = form, form
		}
		if length == 0 {
			if strings.Trim(s[at:at+join], " ,") != "" {
				at += groupAt(s, at, join)
			}
			break
		}
		one := s[at+join : at+join+length]
		known = true
		p.initials = p.initials || form == inverted || form == direct || form == bareDirect || form != whole && capitals(one)
		p.names = append(p.names, strings.Trim(one, " .,"))
		at += join + length
		next := s[at:min(len(s), at+maxName)]
		join = len(nameJoin.FindString(next))
		if n := othersAt(next, join); n > 0 {
			at += n
			p.sure = true
		}
		if join == 0 {
			break
		}
	}
	if !known {
		return p, false
	}
	p.initials = p.initials || p.sure
	if e := editors.FindString(s[at:]); e != "" {
		at += len(e)
		p.initials = true
	}
	p.sure = p.initials || len(p.names) > 1
	return p, p.end(s, at, first == inverted || first == catalogue)
}

// othersAt is the length of "et al." behind a name, with or without what joins names.
func othersAt(s string, join int) int {
	if n := len(others.FindString(s)); n > 0 {
		return n
	}
	if n := len(others.FindString(s[join:])); n > 0 {
		return join + n
	}
	return 0
}

// yearOf is 0 for a work in press.
func yearOf(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// groupAt is the length of a group of people behind names, with what joins it to them.
func groupAt(s string, at, join int) int {
	if g := groups.FindString(s[at+join:]); g != "" {
		return join + len(g)
	}
	return 0
}

// end sets where the rest begins, and reports whether names may end at s[at:].
func (p *people) end(s string, at int, inverse bool) bool {
	rest := s[at:]
	if y := dated.FindStringSubmatch(rest); y != nil {
		p.rest, p.sure, p.year = at+len(y[0]), true, yearOf(y[1]+y[2])
		return true
	}
	next, size := utf8.DecodeRuneInString(strings.TrimLeft(rest, " ,.:"))
	if size > 0 && quotes[next] != 0 && len(rest) > size {
		p.rest = at + strings.IndexRune(rest, next)
		return true
	}
	switch m := afterAll.FindString(rest); {
	case m != "" && (inverse || p.sure || !strings.Contains(m, ":")):
		p.rest = at + len(m)
		return true
	case strings.HasPrefix(rest, ", ") && p.initials:
		if year := yearParen.FindStringIndex(rest); year != nil && inverse && namesLike(rest[:year[0]]) >= .9 {
			p.rest = at + year[1] // a name that is written in no usual way, before a year
			return true
		}
		p.rest = at + 2
		return true
	case strings.HasPrefix(rest, " ") && strings.HasSuffix(s[:at], "."): // the full stop of an initial
		p.rest = at + 1
		return true
	case strings.HasSuffix(s[:at], "."):
		p.rest = at // no space behind it
		return p.sure
	}
	return false
}

const maxName = 200 // bytes

// nextName is the length of the name that s begins with, 0 if there is none, and how it is written: in one of the forms that
// may stand there.
func nextName(s string, from int, may []nameForm) (length int, form nameForm) {
	s = s[:min(len(s), maxName)]
	for _, f := range nameForms()[from:] {
		if may != nil && !slices.Contains(may, f.form) {
			continue
		}
		m := f.re.FindStringSubmatch(s)
		if m == nil || f.form <= bareDirect && onlyCapitals(m[1], f.form) {
			continue
		}
		if f.form == inverted {
			m[1] = withoutGenus(m[1], s[len(m[1]):])
		}
		return len(m[1]), f.form
	}
	return 0, 0
}

// onlyCapitals reports whether a name in capitals has none that are initials, such as "DE LA CRUZ".
func onlyCapitals(name string, form nameForm) bool {
	last := name[strings.LastIndexByte(name, ' ')+1:]
	return strings.ToUpper(name) == name && (form == bareDirect || form == inverted && !strings.Contains(name, ".") && utf8.RuneCountInString(last) > 3)
}

var (
	bareOthers  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(` + lastName + `),?\s+et\s+al\b`) })
	endOfName   = regexp.MustCompile(`^` + nameEnd)
	lastInitial = regexp.MustCompile(`\.\s+\p{Lu}\.$`)
	smallWord   = regexp.MustCompile(`^ \p{Ll}`)
)

// withoutGenus gives an initial back to the title behind a name: "Venn, O. E. coli in mill ponds".
func withoutGenus(name, after string) string {
	if smallWord.MatchString(after) && !endOfName.MatchString(after) && !others.MatchString(after) {
		if at := lastInitial.FindStringIndex(name); at != nil {
			return name[:at[0]+1]
		}
	}
	return name
}

// capitals reports whether the first word of a name is in capitals, as catalogues print surnames.
func capitals(name string) bool {
	word, _, _ := strings.Cut(strings.TrimRight(name, ","), " ")
	word = strings.Trim(word, ",.")
	return utf8.RuneCountInString(word) > 2 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}
