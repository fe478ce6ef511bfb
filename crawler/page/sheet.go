package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Limits of a page's own style sheets; usual pages stay far below them.
const (
	maxStyle   = 1 << 18 // bytes of <style> elements
	maxRules   = 500     // rules that show or hide
	maxClasses = 20      // classes of an element, or of a rule
)

// sheet holds what a page's own <style> elements say of display and visibility in rules of one compound selector: a
// type, an id, classes, or these together (div.note.old). Selectors that look further, at ancestors, attributes or
// states, are not followed: one that may show what another rule hides makes that rule void. Of @-rules only those for
// any screen are read.
type sheet struct {
	rules    map[string][]rule // by id ("#x"), else first class (".x"), else type
	size     int               // of rules
	revealed map[string]bool   // keys of what a selector that is not followed may show
}

type rule struct {
	tag     string
	id      string
	classes []string
	effect  effect
	weight  int // specificity
}

// readSheet reads the <style> elements of a document; it returns nil if none hides anything.
func readSheet(styles []*html.Node) *sheet {
	s := sheet{rules: map[string][]rule{}, revealed: map[string]bool{}}
	left := maxStyle
	for _, n := range styles {
		if n.FirstChild == nil || !forScreen(attr(n, "media")) {
			continue
		}
		css := n.FirstChild.Data
		if left -= len(css); left < 0 {
			break
		}
		s.read(dropComments(css))
	}
	for _, rules := range s.rules {
		if slices.ContainsFunc(rules, func(r rule) bool { return r.effect == hides }) {
			return &s
		}
	}
	return nil
}

// read adds the rules of a style sheet without comments.
func (s *sheet) read(css string) {
	for {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return
		}
		selectors := css[:open]
		if i := strings.LastIndexAny(selectors, ";}"); i >= 0 { // @import "x"; or a brace too many
			selectors = selectors[i+1:]
		}
		selectors = strings.TrimSpace(selectors)
		body, rest := cutBlock(css[open+1:])
		css = rest
		if condition, ok := strings.CutPrefix(selectors, "@media"); ok {
			if forScreen(condition) && strings.Count(body, "{") > 0 {
				s.flat(body)
			}
			continue
		}
		if !strings.HasPrefix(selectors, "@") {
			s.add(selectors, body)
		}
	}
}

// flat reads the rules of a block. Blocks nested deeper are ignored.
func (s *sheet) flat(css string) {
	for {
		selectors, rest, ok := strings.Cut(css, "{")
		if !ok {
			return
		}
		var body string
		body, css = cutBlock(rest)
		s.add(strings.TrimSpace(selectors), body)
	}
}

// add adds one rule.
func (s *sheet) add(selectors, body string) {
	e := displayOf(body)
	if e == nothing {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		if r, ok := compound(selector); ok && s.size < maxRules && len(r.classes) <= maxClasses {
			r.effect = e
			s.size++
			s.rules[r.key()] = append(s.rules[r.key()], r)
			continue
		}
		if e == shows {
			last := selector[strings.LastIndexAny(selector, " >+~")+1:]
			end := strings.IndexAny(last, ":[")
			if end >= 0 {
				last = last[:end]
			}
			if r, ok := compound(last); ok {
				s.revealed[r.key()] = true
			}
		}
	}
}

// compound parses a selector of a type, an id and classes; ok is false for any other.
func compound(selector string) (r rule, ok bool) {
	if selector == "" || selector == "*" || strings.ContainsAny(selector, " \t\n\r\f>+~:[*()\\\"'&@") {
		return r, false
	}
	r.weight = 1
	for rest := selector; rest != ""; {
		end := strings.IndexAny(rest[1:], ".#") + 1
		if end == 0 {
			end = len(rest)
		}
		switch part := rest[:end]; {
		case len(part) < 2 && part[0] <= '.':
			return r, false
		case part[0] == '#':
			r.id = part[1:]
			r.weight += 10000
		case part[0] == '.':
			r.classes = append(r.classes, part[1:])
			r.weight += 100
		default:
			r.tag = strings.ToLower(part)
		}
		rest = rest[end:]
	}
	return r, r.tag != "html" && r.tag != "body"
}

// key is the key of a rule in sheet.rules.
func (r rule) key() string {
	switch {
	case r.id != "":
		return "#" + r.id
	case len(r.classes) > 0:
		return "." + r.classes[0]
	}
	return r.tag
}

// hides reports whether the rules hide an element: the most specific one counts, and the last of equals.
func (s *sheet) hides(tag, id, class string) bool {
	best := rule{}
	look := func(key string) {
		if s.revealed[key] {
			return
		}
		for _, r := range s.rules[key] {
			if r.weight >= best.weight && r.matches(tag, id, class) {
				best = r
			}
		}
	}
	look(tag)
	classes := 0
	for name := range strings.FieldsSeq(class) {
		if classes++; classes > maxClasses {
			break
		}
		look("." + name)
	}
	if id != "" {
		look("#" + id)
	}
	return best.effect == hides
}

func (r rule) matches(tag, id, class string) bool {
	if r.tag != "" && r.tag != tag || r.id != "" && r.id != id {
		return false
	}
	for _, want := range r.classes {
		found := false
		for name := range strings.FieldsSeq(class) {
			found = found || name == want
		}
		if !found {
			return false
		}
	}
	return true
}

// forScreen reports whether a media condition holds for any screen.
func forScreen(condition string) bool {
	switch strings.ToLower(strings.TrimSpace(condition)) {
	case "", "all", "screen":
		return true
	}
	return false
}

// cutBlock cuts css, which begins inside a block, at the brace that ends it.
func cutBlock(css string) (body, rest string) {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		}
	}
	return css, ""
}

func dropComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteByte(' ')
		_, css, _ = strings.Cut(after, "*/")
	}
}
