package document

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	label     = regexp.MustCompile(`^\s*(?:[\[［【][\pL\d+*.,: -]{1,24}[\]］】]|[(（]\d{1,3}[)）]|\d{1,3}(?:[.)](?:\s|$)|[、）．])|[•*–-]\s)\s*`)
	doi       = regexp.MustCompile(`(?i)\b10\.\d{4,9}/(?:[^\s"<>“”]|<[^\s"<>]*::[^\s"<>]*>)+`)
	address   = regexp.MustCompile(`(?i)\bhttps?://[^\s"<>“”]+`)
	labelled  = regexp.MustCompile(`(?i)[<\[(]*(?:\bURL:?\s*)?\bhttps?://[^\s"“”]+`)
	noise     = regexp.MustCompile(`(?i)\b(?:doi:|link checked [^.]*\.|available (?:at|from|online)\b:?|retrieved from|ISSN [\dX-]+|ISBN [\dX-]+|arXiv:\S+|\[online\])`)
	yearParen = regexp.MustCompile(`\((?:[^()]{0,20}\b)?((?:1[5-9]|20)\d\d)[a-z]?(?:[^()]{0,12})\)|\((?i:in press|submitted|forthcoming|to appear|n\.d\.)\)`)
	yearPlain = regexp.MustCompile(`[.,;]\s+((?:1[5-9]|20)\d\d)[a-z]?[.:]\s`)
	lastYear  = regexp.MustCompile(`, (?:1[5-9]|20)\d\d\.?$`)
	anyYear   = regexp.MustCompile(`\b((?:1[5-9]|20)\d\d)[a-z]?\b`)
	venue     = regexp.MustCompile(`(?i)\b(?:journal|proceedings|proc\.|transactions|trans\.|press|springer|wiley|elsevier|verlag|university|institute|volume|vol\.|pages|pp\.|chapter|lecture notes|conference|symposium|workshop|technical report|publishers?|editors?|eds?\.|annals|thesis|version \d|r package version|printing)\b|\d+\s*\(\d+\)|\d+[–:-]+\d+|^in[:\s]`)
	initials  = regexp.MustCompile(`(?:^|[\s,.])\p{Lu}\.|\b\p{Lu}\p{Ll}+,? \p{Lu}{1,3}(?:[,.]|$)|\bet al\b`)
)

// visited is when a page was read.
var visited = regexp.MustCompile(`(?i)[\[(]?\b(?:viewed|cited|cit\.|accessed|retrieved|visited|abgerufen|zugriff|consulté)\b[^\])]{0,40}[\])]?|\(дата обращения[^)]*\)`)

// linked reports whether the place of a work is given.
func (r Reference) linked() bool { return r.URL != "" || r.DOI != "" }

const maxEntry = 4000 // bytes of a reference

// parseEntry reads a reference as it is written in a list. Without a title it returns false. A title of one or two words is taken for
// one when it is quoted, or follows names and has an address or a DOI.
func parseEntry(s string) (Reference, bool) {
	s = label.ReplaceAllString(label.ReplaceAllString(s, ""), "") // "- [1]" has two
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxEntry || countWords(s) < minWords {
		return Reference{}, false
	}
	var r Reference
	r.DOI = findDOI(s)
	if u := address.FindString(s); u != "" {
		r.URL = trimAddress(u)
	}
	rest := labelled.ReplaceAllString(s, " ")
	rest = doi.ReplaceAllString(rest, " ")
	rest = strings.Join(strings.Fields(noise.ReplaceAllString(rest, " ")), " ")
	title, by := findTitle(rest)
	title = trimTitle(lastYear.ReplaceAllString(strings.TrimSpace(title), ""))
	if n := countWords(title); n == 0 || n < minWords && !by.quoted && !(by.sure && r.linked()) || n > maxWords && !(by.sure && n <= 2*maxWords) {
		return Reference{}, false
	}
	r.Title = title
	if r.Year = by.year; r.Year == 0 {
		r.Year = findYear(strings.Replace(visited.ReplaceAllString(rest, ""), title, "", 1)) // a title may have one of its own
	}
	for _, name := range by.names[:min(len(by.names), maxNames)] {
		r.Authors = append(r.Authors, Clean(name))
	}
	return r, true
}

func findYear(s string) int {
	if m := yearParen.FindStringSubmatch(s); m != nil && m[1] != "" {
		n, _ := strconv.Atoi(m[1]) // four digits
		return n
	}
	all := anyYear.FindAllStringSubmatch(pageSpan.ReplaceAllString(s, " "), -1)
	if all == nil {
		all = anyYear.FindAllStringSubmatch(s, -1)
	}
	if len(all) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(all[len(all)-1][1]) // those before it are pages
	return n
}

// pageSpan finds pages, which may look like years.
var pageSpan = regexp.MustCompile(`:\s*e?\d+(?:\s?[–—-]\s?\d+)?|\b\d+\s?[–—-]\s?\d+\b`)

func findDOI(s string) string {
	return strings.ToLower(trimAddress(doi.FindString(s)))
}

// trimAddress drops the marks after an address; a closing bracket stays if it was opened.
func trimAddress(u string) string {
	for {
		cut := strings.TrimRight(u, ".,;:]}'")
		if strings.HasSuffix(cut, ")") && strings.Count(cut, "(") < strings.Count(cut, ")") {
			cut = cut[:len(cut)-1]
		}
		if cut == u {
			return u
		}
		u = cut
	}
}

// findTitle returns the title of an entry and the names before it. The title follows the names; where no names are read, it is
// the quoted part, else the sentence after the year, else the first sentence that is neither names nor venue, else the longest
// such part between commas.
func findTitle(s string) (title string, by people) {
	p, ok := readNames(s)
	if ok {
		title = titleOf(s[p.rest:])
		switch n := countWords(title); {
		case n >= minWords && (p.sure || !venue.MatchString(spans.ReplaceAllString(title, ""))) && !pages(title) && !bareVenue(title, s[p.rest:]):
			return title, p
		case p.sure && n > 0 && n < minWords:
			from, to, ok := quoted(s[p.rest:])
			p.quoted = ok && s[p.rest:][from:to] == title
			return title, p // it may be kept; what follows it is no title
		}
	}
	if from, to, ok := quoted(s); ok && (countWords(s[from:to]) >= minWords || namesLike(s[:from]) >= .6) {
		return s[from:to], people{names: splitNames(s[:from]), quoted: true}
	}
	if at := medium.FindStringIndex(s); at != nil && at[0] > 0 {
		all := sentences(s[:at[0]])
		return all[len(all)-1], people{names: splitNames(strings.Join(all[:len(all)-1], " "))}
	}
	title, before := byYear(s)
	if title == "" {
		title, before = bySentence(s)
	}
	return title, people{names: splitNames(before)}
}

// bareVenue reports whether what should be a title is a journal: some styles print no titles.
func bareVenue(title, s string) bool {
	return shortened.MatchString(title) && venueName.MatchString(s)
}

// byYear finds the sentence after the year.
func byYear(s string) (title, before string) {
	for i, re := range []*regexp.Regexp{yearParen, yearPlain} {
		at := re.FindStringIndex(s)
		if at == nil || at[0] < 3 {
			continue
		}
		first := titleOf(strings.TrimLeft(s[at[1]:], " .,:;"))
		named := i == 0 && namesLike(s[:at[0]]) >= .7
		if countWords(first) >= minWords && (!venue.MatchString(first) || named) && !pages(first) {
			return first, s[:at[0]]
		}
	}
	return "", ""
}

// pages reports whether a text has more digits than letters, like volume and pages.
func pages(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		} else if unicode.IsLetter(r) {
			letters++
		}
	}
	return digits > letters
}

func bySentence(s string) (title, before string) {
	all := sentences(s)
	at := 0
	for i, one := range all {
		first := i == 0 && len(all) > 1 && namesLike(one) >= .7
		if first || i > 0 && initials.MatchString(one) && namesLike(one) >= .9 || venue.MatchString(one) || countWords(one) < minWords {
			at += len(one)
			continue
		}
		if i == 0 && namesLike(one) < .35 && len(all) > 1 {
			return one, "" // without names
		}
		if i == 0 {
			break // names and title are not kept apart by full stops
		}
		return one, strings.Join(all[:i], " ")
	}
	for _, part := range strings.Split(s, ", ") {
		if len(part) > len(title) && countWords(part) >= minWords && !venue.MatchString(part) && namesLike(part) < .9 {
			title = part
		}
	}
	if title == "" && len(all) == 1 && !venue.MatchString(s) && namesLike(s) < .9 {
		return s, ""
	}
	before, _, _ = strings.Cut(s, title)
	return title, before
}

// namesLike is the share of words of s that could stand in a list of names.
func namesLike(s string) float64 {
	words := strings.Fields(s)
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, w := range words {
		bare := strings.Trim(w, ".,;:()")
		r, _ := utf8.DecodeRuneInString(bare)
		switch {
		case bare == "" || unicode.IsUpper(r) || bare == "&":
			n++
		case strings.Contains(" and und et al von van de der den di du la le del eds ed ", " "+bare+" "):
			n++
		}
	}
	return float64(n) / float64(len(words))
}

var quotes = map[rune]rune{'“': '”', '„': '“', '«': '»', '»': '«', '"': '"', '‘': '’', '\'': '\'', '‚': '‘', '「': '」', '『': '』', '《': '》', '〈': '〉'}

// quoted finds the first quoted part of s, with quotes inside it.
func quoted(s string) (from, to int, ok bool) {
	var open, closing rune
	depth := 0
	for i, r := range s {
		switch {
		case depth == 0 && quotes[r] != 0:
			if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && !opens(before, r) {
				continue // an apostrophe or inches
			}
			open, closing, depth, from = r, quotes[r], 1, i+utf8.RuneLen(r)
		case depth > 0 && r == closing:
			if after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); r == '’' && unicode.IsLetter(after) {
				continue
			}
			if depth--; depth == 0 {
				return from, i, true
			}
		case depth > 0 && r == open:
			depth++
		}
	}
	return 0, 0, false
}

// opens reports whether a quotation mark behind a rune opens.
func opens(before, mark rune) bool {
	return unicode.IsSpace(before) || before == '(' || before >= 0x3000 || mark >= 0x3000 || unparted(before)
}

// short are words with a full stop that ends no sentence; counted are such ones before numbers.
const (
	short   = " ed eds al st vs jr sr dr prof e.g i.e cf ca v spp sp subsp ssp var cv et resp approx incl esp mt ft proc trans inc dept univ rev bull appl math stat ann comput assoc u.s u.k "
	counted = " vol vols no nos nr n p pp t f s h jg fig figs ch sec ser eq art bd part "
)

// maxTail is the number of bytes before a mark that tell what it ends.
const maxTail = 60

// sentences splits s after full stops, question and exclamation marks that end a sentence.
func sentences(s string) (all []string) {
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '.' && c != '?' && c != '!' {
			continue
		}
		end := i + 1
		for end < len(s) && (s[end] == '"' || s[end] == ')' || s[end] == ':') {
			end++
		}
		if end < len(s) && s[end] != ' ' || !ends(s[max(from, i-maxTail):i], s[i:end], strings.TrimLeft(s[end:min(len(s), end+maxName)], " ")) {
			continue
		}
		if one := strings.TrimSpace(s[from:end]); one != "" {
			all = append(all, one)
		}
		from = end
	}
	if one := strings.TrimSpace(s[from:]); one != "" {
		all = append(all, one)
	}
	return all
}

// ends reports whether a mark ends the sentence before it.
func ends(before, mark, after string) bool {
	if strings.HasSuffix(mark, ":") || after == "" {
		return true // "Surname, I.: Title"
	}
	if mark[0] != '.' {
		return true
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	next, _ := utf8.DecodeRuneInString(after)
	last := strings.TrimLeft(word[strings.LastIndexAny(word, ".-(")+1:], "(")
	if n := utf8.RuneCountInString(last); n <= 1 && word != "" {
		r, _ := utf8.DecodeRuneInString(last)
		switch {
		case n == 0:
			return false
		case !unicode.IsUpper(r):
			return unicode.IsDigit(r) || unicode.IsUpper(next)
		case afterLower.MatchString(before):
			return true // "with R."
		}
		return endsNames(before, after)
	}
	first, _, _ := strings.Cut(after, " ")
	name := strings.HasSuffix(first, ":") // of a program: "lme4: Linear models"
	return !abbreviated(word, next) && (name || !unicode.IsLower(next) || mixed.MatchString(after))
}

// endsNames reports whether an initial is the last of a list of names: "Smith, J. Title of three" but not "J. Smith".
func endsNames(before, after string) bool {
	words := strings.Fields(after)
	if len(words) < 3 || !initialAfterName.MatchString(before) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(after); unicode.IsLower(r) {
		return false // "A. van de Wiel"
	}
	lower := 0
	for _, w := range words[1:min(len(words), 5)] {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) && w != "and" && w != "et" {
			lower++
		}
	}
	return lower > 0 && !strings.HasPrefix(after, "and ")
}

// afterLower finds a capital behind a word that stands in no name.
var afterLower = regexp.MustCompile(`\b(?:with|in|for|of|using|the|to|a|on|from|by) \p{Lu}$`)

var initialAfterName = regexp.MustCompile(`\p{Ll},? (?:\p{Lu}\.[ -]?)*\p{Lu}$`)

// trimTitle drops marks around a title.
func trimTitle(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s, ".,:;–—-*∗”“\" ．，。：；、،؛")
	s = strings.TrimRight(s, ".,:;–—-*∗†‡“ ．，。：；、،؛")
	return strings.TrimSpace(strings.ReplaceAll(s, " :", ":"))
}

// splitNames splits a list of names as it is written.
func splitNames(s string) (all []string) {
	s = yearParen.ReplaceAllString(s, "")
	s = strings.NewReplacer(" and ", ", ", " & ", ", ", " und ", ", ", ";", ",", "(eds.)", "", "(ed.)", "").Replace(s)
	for part := range strings.SplitSeq(s, ",") {
		part = strings.Trim(part, " .:“\"")
		part = strings.TrimPrefix(part, "and ")
		switch {
		case part == "" || namesLike(part) < .9 || countWords(part) > 6 || len(all) >= maxNames:
		case len(all) > 0 && isInitials(part) && !isInitials(all[len(all)-1]):
			all[len(all)-1] += ", " + part // "Surname, I."
		default:
			all = append(all, part)
		}
	}
	return all
}

func isInitials(s string) bool {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '.' || r == ' ' || r == '-' }) {
		if utf8.RuneCountInString(w) > 2 || strings.ToUpper(w) != w {
			return false
		}
	}
	return true
}
