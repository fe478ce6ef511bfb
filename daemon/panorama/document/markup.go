package document

import (
	"html"
	"regexp"
	"strings"
)

var (
	entity  = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	// formula finds TeX that stands beside the MathML of the same formula.
	formula = regexp.MustCompile(`(?is)<(?:[\w-]+:)?tex-math\b[^<>]*>.*?</(?:[\w-]+:)?tex-math>|<(?:[\w-]+:)?annotation\b[^<>]*>.*?</(?:[\w-]+:)?annotation>`)
	tag     = regexp.MustCompile(`<(/?)([A-Za-z][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*\s*/?>`)
)

// inline are tags that titles have without their ends; parting are those that part words.
const (
	inline  = " i b u em strong sub sup tt sc scp span font small big "
	parting = " p br hr div li title tr td sec h1 h2 h3 "
)

// maxSource is the number of bytes of a title with its markup that are read.
const maxSource = 8 << 10

// withoutMarkup takes HTML and XML out of the title of a bibliography: comments, entities, and tags. Only what is a tag for
// sure is one, as a title may have "a < b": it is a usual one, has a name space, or is closed somewhere.
func withoutMarkup(s string) string {
	s = s[:min(len(s), maxSource)]
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	for range 3 { // exports escape twice
		plain := entity.ReplaceAllStringFunc(s, html.UnescapeString)
		if plain == s {
			break
		}
		s = plain
	}
	s = formula.ReplaceAllString(comment.ReplaceAllString(s, ""), "")
	s = strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(s)
	closed := map[string]bool{}
	for _, m := range tag.FindAllStringSubmatch(s, -1) {
		if m[1] != "" {
			closed[strings.ToLower(m[2])] = true
		}
	}
	return tag.ReplaceAllStringFunc(s, func(one string) string {
		name := strings.ToLower(tag.FindStringSubmatch(one)[2])
		local := " " + name[strings.LastIndexByte(name, ':')+1:] + " "
		switch {
		case strings.Contains(parting, local):
			return " "
		case closed[name], strings.Contains(inline, local), strings.Contains(name, ":"):
			return ""
		}
		return one
	})
}
