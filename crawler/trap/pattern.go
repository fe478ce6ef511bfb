package trap

import (
	"slices"
	"strings"

	"nightjar/crawler/weburl"
)

// level is what the addresses of a group have in common, the narrowest first.
type level int

const (
	byPattern level = iota // pattern of host, path and names of parameters
	byQuery                // pattern of host and path, with any parameters
	byFolder               // pattern of host and the first folder
	byHost                 // the host
	byParent               // all hosts one label below the same name
	levels
)

// groups returns the names of an address's groups, "" for a level without one.
func groups(url string) [levels]string {
	host := weburl.Host(url)
	path := pathOf(url)
	_, query, _ := strings.Cut(url, "?")
	parent := parentOf(host)
	at := host
	if parent != "" {
		at = "*." + parent
	}
	var g [levels]string
	folded := foldPath(path)
	g[byPattern] = at + folded + "?" + paramNames(query)
	if query != "" {
		g[byQuery] = at + folded + "?*"
	}
	if first, _, deeper := strings.Cut(strings.TrimPrefix(folded, "/"), "/"); deeper {
		g[byFolder] = at + "/" + first + "/**"
	}
	g[byHost] = host
	if parent != "" {
		g[byParent] = at
	}
	return g
}

// parentOf is the parent domain of a host, "" for a host that is a registrable domain.
func parentOf(host string) string {
	_, parent, ok := strings.Cut(host, ".")
	if !ok || !strings.Contains(parent, ".") {
		return ""
	}
	if site := weburl.Site("http://" + host + "/"); site == host && !strings.HasSuffix(host, ".test") && !strings.HasSuffix(host, ".localhost") {
		return ""
	}
	return parent
}

// foldPath folds what differs between the pages of one kind: numbers, dates, random-looking labels.
func foldPath(path string) string {
	var b strings.Builder
	b.Grow(len(path))
	for from := 0; ; {
		end := from
		for end < len(path) && !separates[path[end]] {
			end++
		}
		foldPart(&b, path[from:end])
		if end == len(path) {
			return b.String()
		}
		b.WriteByte(path[end])
		from = end + 1
	}
}

// separates says of each byte whether it stands between the parts of a path.
var separates = func() (is [256]bool) {
	for _, c := range []byte("/" + partSeparators) {
		is[c] = true
	}
	return is
}()

// partSeparators stand between the parts of a segment.
const partSeparators = "-_.~+,;:=()"

// foldSegment folds the numbers and the random-looking parts of a path segment or a parameter's name.
func foldSegment(s string) string {
	var b strings.Builder
	for s != "" {
		end := strings.IndexAny(s, partSeparators)
		if end < 0 {
			end = len(s)
		}
		foldPart(&b, s[:end])
		if end < len(s) {
			b.WriteByte(s[end])
			end++
		}
		s = s[end:]
	}
	return b.String()
}

// foldPart folds the part between two separators.
func foldPart(b *strings.Builder, s string) {
	if randomLabel(s) {
		b.WriteByte('*')
		return
	}
	digit := false
	for i := 0; i < len(s); i++ {
		is := '0' <= s[i] && s[i] <= '9'
		switch {
		case !is:
			b.WriteByte(s[i])
		case !digit:
			b.WriteByte('0')
		}
		digit = is
	}
}

// randomLabel reports whether a label looks random: hexadecimal or mixed with many changes between digits and letters, or
// letters without a vowel.
func randomLabel(s string) bool {
	if len(s) < 6 {
		return false
	}
	letters, digits, vowels, changes := 0, 0, 0, 0
	last := byte(0)
	for i := 0; i < len(s); i++ {
		kind := byte(0)
		switch c := s[i] | 0x20; {
		case '0' <= s[i] && s[i] <= '9':
			digits, kind = digits+1, 'd'
		case 'a' <= c && c <= 'z':
			letters, kind = letters+1, 'l'
			if strings.IndexByte("aeiouy", c) >= 0 {
				vowels++
			}
		default:
			return false
		}
		if last != 0 && kind != last {
			changes++
		}
		last = kind
	}
	return digits > 0 && letters > 0 && changes >= 3 || letters == len(s) && vowels == 0
}

// paramNames returns the parameter names of a query, folded, sorted, without duplicates.
func paramNames(query string) string {
	if query == "" {
		return ""
	}
	var names []string
	for p := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(p, "=")
		names = append(names, foldSegment(name))
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "&")
}
