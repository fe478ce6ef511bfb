package document

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Limits of a bibliography. Without them, a hostile one takes hours or all memory: values can be put together of others.
const (
	maxBad     = 1000     // entries that cannot be read
	maxValue   = 64 << 10 // bytes of a value
	maxStrings = 4 << 20  // bytes of all that @string defines
)

// readBibTeX reads @type{key, field = {..} | ".." | word # string, ...}. An entry that breaks these rules is reported with its
// line, and the next one is read.
func readBibTeX(d *Document, s string) {
	p := &bib{s: s, strings: bibMonths()}
	line, counted, bad := 1, 0, 0
	for len(d.References) < MaxReferences && bad < maxBad && p.seek() {
		start := p.at
		line += strings.Count(s[counted:start], "\n")
		counted = start
		kind, fields, err := p.entry()
		switch {
		case err != nil:
			bad++
			d.warn(line, "the entry that begins here could not be read: "+err.Error(), "mend it in the file and read it again, or add its title by hand")
			p.recover(start)
		case fields == nil: // comment, preamble, string
		case fields["title"] == "":
			d.warn(line, "this entry ("+Clean(kind)+") has no title and was left out", "add its title by hand")
		default:
			d.References = append(d.References, bibReference(fields))
		}
	}
}

func bibReference(f map[string]string) Reference {
	r := Reference{Title: unTeX(f["title"]), DOI: findDOI(f["doi"]), URL: trimAddress(address.FindString(f["url"]))}
	if sub := unTeX(f["subtitle"]); sub != "" {
		r.Title += ": " + sub
	}
	names := f["author"]
	if names == "" {
		names = f["editor"]
	}
	for _, n := range splitAnd(names) {
		if n = Clean(unTeX(n)); n != "" && n != "others" && len(r.Authors) < maxNames {
			r.Authors = append(r.Authors, n)
		}
	}
	year := f["year"]
	if year == "" {
		year = f["date"]
	}
	if m := anyYear.FindStringSubmatch(year); m != nil {
		r.Year, _ = strconv.Atoi(m[1]) // four digits
	}
	return r
}

// splitAnd splits names at the word "and" outside braces.
func splitAnd(s string) (all []string) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		case depth == 0 && i+5 <= len(s) && isSpace(s[i]) && strings.EqualFold(s[i+1:i+4], "and") && isSpace(s[i+4]):
			all = append(all, s[from:i])
			from, i = i+5, i+3
		}
	}
	return append(all, s[min(from, len(s)):])
}

func bibMonths() map[string]string {
	m := map[string]string{}
	for _, name := range strings.Fields("January February March April May June July August September October November December") {
		m[strings.ToLower(name[:3])] = name
	}
	return m
}

// bib is a place in a bibliography.
type bib struct {
	s       string
	at      int
	strings map[string]string // what @string defined
	defined int               // bytes of it
}

// seek goes to the next @. What is between entries is a comment.
func (p *bib) seek() bool {
	i := strings.IndexByte(p.s[p.at:], '@')
	if i < 0 {
		return false
	}
	p.at += i
	return true
}

// recover goes on behind a bad entry: at the next @ that begins a line.
func (p *bib) recover(start int) {
	rest := p.s[start+1:]
	offset := start + 1
	for {
		i := strings.IndexByte(rest, '\n')
		if i < 0 {
			p.at = len(p.s)
			return
		}
		rest, offset = rest[i+1:], offset+i+1
		if strings.HasPrefix(strings.TrimLeft(rest[:min(len(rest), 80)], " \t"), "@") {
			p.at = offset
			return
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (p *bib) space() {
	for p.at < len(p.s) && isSpace(p.s[p.at]) {
		p.at++
	}
}

func (p *bib) peek() byte {
	p.space()
	if p.at == len(p.s) {
		return 0
	}
	return p.s[p.at]
}

func (p *bib) word() string {
	p.space()
	from := p.at
	for p.at < len(p.s) && !isSpace(p.s[p.at]) && !strings.ContainsRune(`{}(),="#%@\`, rune(p.s[p.at])) {
		p.at++
	}
	return p.s[from:p.at]
}

// entry reads what begins with the @ at p.at. Without fields, it was no reference.
func (p *bib) entry() (kind string, fields map[string]string, err error) {
	p.at++
	kind = strings.ToLower(p.word())
	open := p.peek()
	if kind == "" || open != '{' && open != '(' {
		return kind, nil, nil // an @ in a comment between entries, as in an address of mail
	}
	closing := byte('}')
	if open == '(' {
		closing = ')'
	}
	if kind == "comment" || kind == "preamble" {
		_, err := p.braced(open, closing)
		return kind, nil, err
	}
	p.at++
	if kind != "string" {
		if c := p.key(); c == "" {
			return kind, nil, fmt.Errorf("it has no key")
		}
	}
	fields = map[string]string{}
	if err := p.fields(fields, closing); err != nil {
		return kind, nil, err
	}
	if kind == "string" {
		for k, v := range fields {
			if p.defined += len(k) + len(v); p.defined <= maxStrings {
				p.strings[k] = v
			}
		}
		return kind, nil, nil
	}
	return kind, fields, nil
}

func (p *bib) key() string {
	p.space()
	i := strings.IndexAny(p.s[p.at:], ",}\n=")
	if i < 0 || p.s[p.at+i] == '=' {
		return ""
	}
	key := strings.TrimSpace(p.s[p.at : p.at+i])
	p.at += i
	return key
}

func (p *bib) fields(into map[string]string, closing byte) error {
	for {
		switch p.peek() {
		case closing:
			p.at++
			return nil
		case ',':
			p.at++
			continue
		case 0:
			return fmt.Errorf("its last brace is missing")
		}
		name := strings.ToLower(p.word())
		if name == "" || p.peek() != '=' {
			return fmt.Errorf("a field needs a name, = and a value")
		}
		p.at++
		value, err := p.value()
		if err != nil {
			return err
		}
		if c := p.peek(); c != ',' && c != closing {
			return fmt.Errorf("a comma is missing after the field %s", Clean(name))
		}
		if _, twice := into[name]; !twice && len(into) < 200 {
			into[name] = value
		}
	}
}

// value reads braces, quotes, words and numbers, joined by #.
func (p *bib) value() (string, error) {
	var b strings.Builder
	for {
		var one string
		var err error
		switch p.peek() {
		case '{':
			one, err = p.braced('{', '}')
		case '"':
			one, err = p.quoted()
		default:
			w := p.word()
			if w == "" {
				return "", fmt.Errorf("a value is missing")
			}
			one = w
			if v, ok := p.strings[strings.ToLower(w)]; ok {
				one = v
			}
		}
		if err != nil {
			return "", err
		}
		if b.Len()+len(one) > maxValue {
			return "", fmt.Errorf("a value is longer than 64 KiB")
		}
		b.WriteString(one)
		if p.peek() != '#' {
			return b.String(), nil
		}
		p.at++
	}
}

// braced reads from an opening mark to the one that closes it. A new entry at the begin of a line says that one is missing.
func (p *bib) braced(open, closing byte) (string, error) {
	p.space()
	from, depth := p.at+1, 0
	for end := min(len(p.s), from+16*maxValue); p.at < end; p.at++ {
		switch c := p.s[p.at]; {
		case c == '\\':
			p.at++
		case c == '@' && p.at > 0 && p.s[p.at-1] == '\n':
			return "", fmt.Errorf("a brace is missing")
		case c == open:
			depth++
		case c == closing:
			if depth--; depth == 0 {
				p.at++
				return p.s[from : p.at-1], nil
			}
		}
	}
	p.at = min(p.at, len(p.s))
	return "", fmt.Errorf("a brace is missing")
}

func (p *bib) quoted() (string, error) {
	p.at++
	from, depth := p.at, 0
	for end := min(len(p.s), from+16*maxValue); p.at < end; p.at++ {
		switch c := p.s[p.at]; {
		case c == '\\':
			p.at++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '@' && p.s[p.at-1] == '\n':
			return "", fmt.Errorf("a quotation mark is missing")
		case c == '"' && depth == 0:
			p.at++
			return p.s[from : p.at-1], nil
		}
	}
	p.at = min(p.at, len(p.s))
	return "", fmt.Errorf("a quotation mark is missing")
}

func letterAt(s string, i int) bool { return i < len(s) && s[i] < 0x80 && unicode.IsLetter(rune(s[i])) }
