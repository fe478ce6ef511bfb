package document

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// field is what a tag of a format says of a work.
type field int

const (
	noField     field = iota
	titleField        // of the work
	secondTitle       // title, if no tag says titleField
	authorField       // one each
	yearField         // in a date
	doiField          // in any text
	urlField
)

// format is a bibliography of lines that begin with a tag. A line without one goes on with the line before.
type format struct {
	line   *regexp.Regexp   // has the tag and the value
	begin  string           // tag that begins a record
	end    string           // tag that ends one; "" if only the next one does
	blank  bool             // blank lines end records if no line begins one
	around string           // tags outside records
	write  string           // how a tag is written, for advice
	fields map[string]field // by tag
}

const anySpace = `[\s\p{Zs}]`

// formats has each kind that is made of such lines.
var formats = map[Kind]format{
	// RIS: two spaces, a hyphen and a space are the rule. Programs write other and fewer ones.
	RIS: {
		line:  regexp.MustCompile(`^` + anySpace + `*([A-Z][A-Z0-9])(?:` + anySpace + `{1,6}-` + anySpace + `*|-` + anySpace + `+|-$)(.*)$`),
		begin: "TY", end: "ER", write: "%s  - ",
		fields: map[string]field{"TI": titleField, "T1": secondTitle, "CT": secondTitle, "BT": secondTitle, "AU": authorField, "A1": authorField, "PY": yearField, "Y1": yearField, "DA": yearField, "DO": doiField, "UR": urlField},
	},
	NBIB: {
		line:   regexp.MustCompile(`^([A-Z]{2,4}) *- ?(.*)$`),
		begin:  "PMID",
		fields: map[string]field{"TI": titleField, "BTI": secondTitle, "TT": secondTitle, "AU": authorField, "DP": yearField, "LID": doiField, "AID": doiField},
	},
	EndNote: {
		line:  regexp.MustCompile(`^%([0-9A-Z@!?+^>\[\]()~*<$#&])(?:` + anySpace + `+(.*))?$`),
		begin: "0", blank: true,
		fields: map[string]field{"T": titleField, "B": secondTitle, "A": authorField, "D": yearField, "R": doiField, "U": urlField},
	},
	WoS: {
		line:  regexp.MustCompile(`^([A-Z][A-Z0-9])(?: (.*))?$`),
		begin: "PT", end: "ER", around: " FN VR EF ",
		fields: map[string]field{"TI": titleField, "BT": secondTitle, "AU": authorField, "PY": yearField, "DI": doiField},
	},
	RefWorks: {
		line:   regexp.MustCompile(`^([A-Z][A-Z0-9])(?: (.*))?$`),
		begin:  "RT",
		fields: map[string]field{"T1": titleField, "TI": titleField, "BT": secondTitle, "A1": authorField, "YR": yearField, "FD": yearField, "DO": doiField, "LK": urlField, "UL": urlField},
	},
}

// tagged is a record that is being read.
type tagged struct {
	format
	d      *Document
	r      Reference
	second string // title
	open   bool
	begun  int    // line
	tag    string // of the line before
}

// readTagged reads records of lines with tags.
func readTagged(d *Document, s string, f format) {
	t := tagged{format: f, d: d}
	t.blank = f.blank && !strings.Contains("\n"+s, "\n%"+f.begin+" ")
	line := 0
	for text := range strings.Lines(s) {
		if line++; d.full() {
			return
		}
		text = strings.TrimRight(text, " \t\n\u00a0")
		m := f.line.FindStringSubmatch(text)
		switch {
		case text == "":
			if t.blank {
				t.close(true)
			}
		case m == nil:
			if t.open {
				t.more(strings.TrimSpace(text))
			}
		case m[1] == f.begin:
			t.close(f.end == "")
			t.r, t.second, t.tag, t.begun, t.open = Reference{}, "", "", line, true
		case f.end != "" && m[1] == f.end:
			t.close(true)
		case strings.Contains(f.around, " "+m[1]+" "):
		default:
			t.set(m[1], strings.TrimSpace(m[2]), line)
		}
	}
	t.close(f.end == "")
}

func (t *tagged) set(tag, value string, line int) {
	switch {
	case !t.open && !t.blank:
		t.d.warn(line, "this field stands outside a record", "begin the record with a line "+t.quote(t.begin))
		return
	case !t.open:
		t.r, t.second, t.begun, t.open = Reference{}, "", line, true
	}
	t.tag = tag
	t.put(t.fields[tag], value)
}

// put sets a field to a value.
func (t *tagged) put(f field, value string) {
	switch f {
	case titleField:
		t.r.Title = value
	case secondTitle:
		if t.second == "" {
			t.second = value
		}
	case authorField:
		t.author(value)
	case yearField:
		if t.r.Year == 0 {
			t.r.Year = findYear(value)
		}
	case doiField:
		if t.r.DOI == "" {
			t.r.DOI = findDOI(withoutMarkup(value))
		}
	case urlField:
		if t.r.URL == "" {
			t.r.URL = trimAddress(address.FindString(value))
		}
	}
}

func (t *tagged) author(value string) {
	if value = Clean(value); value != "" && len(t.r.Authors) < maxNames {
		t.r.Authors = append(t.r.Authors, value)
	}
}

// more goes on with the field of the line before.
func (t *tagged) more(text string) {
	switch t.fields[t.tag] {
	case titleField:
		t.r.Title = extend(t.r.Title, text)
	case secondTitle:
		t.second = extend(t.second, text)
	case authorField:
		t.author(text)
	}
}

func extend(s, text string) string {
	if len(s) > 4*MaxTitle {
		return s
	}
	return s + " " + text
}

// quote quotes a tag as it is written.
func (t *tagged) quote(tag string) string {
	return `"` + fmt.Sprintf(cmp.Or(t.write, "%s "), tag) + `"`
}

// close ends the record, if one is open.
func (t *tagged) close(whole bool) {
	if !t.open {
		return
	}
	t.open = false
	if t.r.Title == "" {
		t.r.Title = t.second
	}
	if t.r.Title == "" {
		next := "add its title by hand"
		if t.write != "" {
			next = "give it a line " + t.quote("TI") + " with its title"
		}
		t.d.warn(t.begun, "this record has no title and was left out", next)
		return
	}
	if !whole {
		t.d.warn(t.begun, "this record has no end ("+t.end+")", "check that its fields are its own")
	}
	if t.d.Kind == NBIB { // PubMed ends titles with a full stop and puts brackets around translated ones
		t.r.Title = strings.TrimSuffix(strings.TrimPrefix(trimTitle(t.r.Title), "["), "]")
	}
	t.d.add(t.r, t.begun)
}
