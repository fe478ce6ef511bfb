package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// medium is the mark of GB/T 7714 behind a title: [J] of a journal, [EB/OL] of a page.
	medium = regexp.MustCompile(`\s*[\[［【](?:[A-Z]{1,2}|[A-Z]{1,2}/[A-Z]{2})[\]］】]`)
	// slashes part a title from where it stands, and from those who made it, in catalogues.
	slashes = regexp.MustCompile(`\s+//\s+|\s/\s(?:\p{Lu}\.|\p{Lu}[\p{L}-]+ \p{Lu}\.)`)
	// bracketed is what stands behind a title in brackets: the kind of document, an edition.
	bracketed = regexp.MustCompile(`\s*(?:\[[^\[\]]*\]|\((?:[^()]*\b(?:[Ee]d|[Ee]dn|[Ee]dition|Aufl|Vol|Vols|Bd|[Vv]ersion|Report No|Working Paper)\b[^()]*)\))\s*\.?$`)
	status    = regexp.MustCompile(`(?i), \(?(?:in press|to appear|submitted|unpublished|forthcoming|preprint)\b.{0,60}$`)
)

// titleOf returns the title that s begins with, given what an entry has behind its names. The title ends at a mark of its own
// (a medium, a slash), else with its sentence, else at the comma before the name of what it stands in.
func titleOf(s string) string {
	if from, to, ok := quoted(s); ok && strings.Trim(s[:from], " .,:[“„«‘\"'「『《〈") == "" {
		return s[from:to]
	}
	title := s
	if at := medium.FindStringIndex(s); at != nil {
		title = s[:at[0]]
	} else if at := slashes.FindStringIndex(s); at != nil {
		title = s[:at[0]]
	} else {
		end := titleEnd(s)
		title = s[:end]
		if at := venueComma(title, s[end:]); at > 0 {
			title = title[:at]
		}
	}
	title = status.ReplaceAllString(title, "")
	if cut := bracketed.ReplaceAllString(title, ""); countWords(cut) > 0 {
		return cut
	}
	return strings.Trim(title, "[]. ") // a translated title stands in brackets
}

// titleEnd returns where the first sentence of s ends, behind its mark.
func titleEnd(s string) int {
	for i, r := range s {
		if !strings.ContainsRune(".?!。．？！؟।", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(s) {
			closing, size := utf8.DecodeRuneInString(s[end:])
			if !strings.ContainsRune("\"”’)]»」』》", closing) {
				break
			}
			end += size
		}
		after := strings.TrimLeft(s[end:], " ")
		if end < len(s) && s[end] != ' ' && r < 0x80 && !glued(s[:i], after) {
			continue
		}
		if endsTitle(s[max(0, i-maxName):i], r, after[:min(len(after), maxName)]) {
			return end
		}
	}
	return len(s)
}

// glued reports whether a full stop without a space behind it ends a sentence, as in scripts without spaces.
func glued(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return unparted(last) || unparted(next) && !unicode.IsDigit(last)
}

// endsTitle reports whether a mark ends a title.
func endsTitle(before string, mark rune, after string) bool {
	if after == "" || mark >= 0x80 {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after)
	if mark != '.' {
		return !continues(after)
	}
	if numberedPart(before, after) {
		return false
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	last := strings.TrimLeft(word[strings.LastIndexAny(word, ".-(")+1:], "(")
	r, _ := utf8.DecodeRuneInString(last)
	switch n := utf8.RuneCountInString(last); {
	case n == 0:
		return word == "" || venueName.MatchString(after)
	case n == 1 && unicode.IsUpper(r):
		if unicode.IsLower(next) {
			return mixed.MatchString(after) // "E. coli", but "group B. bioRxiv"
		}
		before = strings.TrimRight(before[:len(before)-len(word)], " ")
		r, _ := utf8.DecodeRuneInString(before[strings.LastIndexByte(before, ' ')+1:])
		return word == last && unicode.IsLower(r) || venueName.MatchString(after)
	case abbreviated(word, next):
		return false
	case n == 1 && unicode.IsLower(r):
		return !unicode.IsLower(next) || mixed.MatchString(after)
	}
	return !unicode.IsLower(next) || mixed.MatchString(after) || !unicode.Is(unicode.Latin, r) || strings.ContainsAny(strings.ToLower(last), "aeiouyäöüáéíóúàèìòùâêîôûåøæœ0123456789")
}

var (
	// partNumber is the number of a part, and partBegins the beginning of what it is called.
	partNumber = `(?:(?:Part|Partie|Parte|Teil) (?:[IVX]{1,5}|\d{1,2})|[IVX]{1,5})`
	partBegins = `(?:\p{Lu}\p{Ll}+|An?|The) (\p{Ll}+)`
	beforePart = regexp.MustCompile(`^` + partNumber + `[.:] ` + partBegins)
	behindPart = regexp.MustCompile(`[.?!] ` + partNumber + `$`)
	partName   = regexp.MustCompile(`^` + partBegins)
)

// numberedPart reports whether a full stop stands before or behind the number of a part that has a name: "Tides. II. Theory of the
// gauge". A name of a person has the same form, but no small word behind it, other than one that joins it to the next.
func numberedPart(before, after string) bool {
	m := beforePart.FindStringSubmatch(after)
	if m == nil && behindPart.MatchString(before) {
		m = partName.FindStringSubmatch(after)
	}
	return m != nil && !strings.Contains(" and et und y e i van von de der ", " "+m[1]+" ")
}

// abbreviated reports whether a word before a full stop is an abbreviation. Some are ones only before a number.
func abbreviated(word string, next rune) bool {
	word = " " + strings.ToLower(strings.TrimLeft(word, "([“\"'")) + " "
	return strings.Contains(short, word) || strings.Contains(counted, word) && unicode.IsDigit(next)
}

var (
	// mixed finds a name that begins with a small letter, such as arXiv or eLife.
	mixed = regexp.MustCompile(`^(?:\p{Ll}{1,4}\p{Lu}\p{L}*|npj)(?:[^\p{L}]|$)`)
	// venueName finds a run of words with capitals up to a number or the end: a journal or a publisher.
	venueName = regexp.MustCompile(`^(?:(?:\p{Lu}\S*|\p{Ll}{1,4}\p{Lu}\p{L}*|npj|&|of|on|in|and|for|the|at|de|des|der|für|und) ?){1,9}(?:[\d(]|$)`)
	number    = regexp.MustCompile(`\d`)
)

// continues reports whether a title goes on behind a question or exclamation mark: with a sentence of small words, which no
// journal is named by.
func continues(after string) bool {
	at := strings.IndexAny(after, ".?!,([")
	if r, _ := utf8.DecodeRuneInString(after); at < 0 || !unicode.IsUpper(r) || number.MatchString(after[:at]) {
		return false
	}
	small := 0
	for _, w := range strings.Fields(after[:at]) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) && !strings.Contains(" of on in and for the at de des der für und ", " "+w+" ") {
			small++
		}
	}
	return small >= 2
}

var (
	comma     = regexp.MustCompile(`[,;]\s|[，،；؛]\s*`)
	within    = regexp.MustCompile(`^(?:[Ii]n|[Dd]ans|[Ee]n|[Bb]ei):? `)
	inside    = regexp.MustCompile(`^[Ii]n:`)
	shortened = regexp.MustCompile(`^(?:\p{Lu}\p{L}*\.(?: |$))`)
	named     = regexp.MustCompile(`^(?:[\p{Lu}\p{Lo}《『]|\p{Ll}{1,4}\p{Lu}|npj )`)
	// volume finds a volume or pages.
	volume = regexp.MustCompile(`\b(?:[Vv]ol|[Nn]o|[Nn]r|[Pp]{1,2}|S|H|Jg|Bd|[Ii]ssue)\b\.? ?\d|\d ?\(\d{1,4}\)|\d:\s?[e\d]|\(\d{4}\)|[тТсС№]\. ?\d|第|卷|巻|호|권`)
	// numbers finds a volume, an issue, pages or a year where a part begins.
	numbers = regexp.MustCompile(`^(?:[\p{Lu}\p{Ll}]{1,6}\. ?\d|\(?\d|\p{Lo}[\p{L}\p{M}]* ?[\d\p{Nd}])`)
	span    = regexp.MustCompile(`^(?:1[5-9]|20)\d\d ?[–-] ?(?:1[5-9]|20)?\d\d\b`)
	spans   = regexp.MustCompile(`\b(?:1[5-9]|20)\d\d ?[–-] ?(?:1[5-9]|20)\d\d\b`)
)

// venueComma returns where a title ends that only a comma parts from the name of what it stands in, else 0. Behind such a name
// stand numbers; it is written with capitals or abbreviated.
func venueComma(title, rest string) int {
	// The numbers may come in a sentence of their own, and so does the name then.
	apart := number.MatchString(rest) && !volume.MatchString(title)
	if at := strings.LastIndex(title, ", "); apart && at >= 0 && shortened.MatchString(title[at+2:]) {
		apart = false
	}
	depth, from := 0, 0
	for _, at := range comma.FindAllStringIndex(title, 40) {
		depth += strings.Count(title[from:at[0]], "(") + strings.Count(title[from:at[0]], "[") - strings.Count(title[from:at[0]], ")") - strings.Count(title[from:at[0]], "]")
		if from = at[0]; depth <= 0 && countWords(title[:at[0]]) > 0 && (!apart || inside.MatchString(title[at[1]:])) && isVenue(title[at[1]:], rest) {
			return at[0]
		}
	}
	return 0
}

// isVenue reports whether what follows a comma is the name of what a work stands in.
func isVenue(tail, rest string) bool {
	part, next := tail, ""
	if at := comma.FindStringIndex(tail); at != nil {
		part, next = tail[:at[0]], tail[at[1]:]
	}
	switch {
	case within.MatchString(part):
		return strings.Contains(part[:min(4, len(part))], ":") || venue.MatchString(tail) || number.MatchString(tail)
	case volumeOf.MatchString(part):
		return true
	case !named.MatchString(part) || strings.HasPrefix(part, "Version"):
		return false
	case shortened.MatchString(part):
		return number.MatchString(tail + rest)
	case volume.MatchString(part), venue.MatchString(part) && number.MatchString(tail):
		return true
	case numbers.MatchString(next):
		return !span.MatchString(next) && !number.MatchString(rest) || volume.MatchString(next)
	}
	return next == "" && (mixed.MatchString(part) || lastNumber.MatchString(part))
}

// volumeOf finds the series of a book: ", volume 12 of Northern Mills".
var volumeOf = regexp.MustCompile(`^(?:[Vv]ol(?:ume|\.)|[Nn]umber|[Nn]o\.) \d+ (?:of|in)\b`)

// lastNumber finds a name with a number behind it: "Ecology 12".
var lastNumber = regexp.MustCompile(`^\p{Lu}[^\d]* \d+\.?$`)
