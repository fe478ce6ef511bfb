package document

import (
	"strconv"
	"strings"
)

// Limits of a bibliography. Without them, a hostile one takes hours or all memory: values can be put together of others.
const (
	maxBad     = 1000     // entries that cannot be read
	maxValue   = 64 << 10 // bytes of a value
	maxStrings = 4 << 20  // bytes of all that @string defines
)

// readBibTeX reads @type{key, field = {..} | ".." | word # string, ...}. A missing key, comma or value and an unknown part
// cost nothing else of the entry. An entry that has no end is reported with its line, and the next one is read.
func readBibTeX(d *Document, s string) {
	p := &bib{s: s, strings: bibMonths()}
	line, counted, bad := 1, 0, 0
	for len(d.References) < MaxReferences && bad < maxBad && p.seek() {
		start := p.at
		line += strings.Count(s[counted:start], "\n")
		counted = start
		p.skipped = false
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
			if p.skipped {
				d.warn(line, "a part of this entry could not be read and was left out", "compare its title with the file")
			}
			d.add(bibReference(fields), line)
		}
	}
}

func bibReference(f map[string]string) Reference {
	r := Reference{Title: unTeX(f["title"]), DOI: findDOI(unTeXAddress(f["doi"]))}
	if sub := unTeX(f["subtitle"]); sub != "" {
		r.Title += ": " + sub
	}
	for _, name := range []string{"url", "howpublished", "note"} {
		if r.URL == "" {
			r.URL = trimAddress(address.FindString(unTeXAddress(f[name])))
		}
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
