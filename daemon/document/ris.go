package document

import (
	"regexp"
	"strconv"
	"strings"
)

var risTag = regexp.MustCompile(`^([A-Z][A-Z0-9])  ?-(?: (.*))?$`)

// readRIS reads records from TY to ER. A line without a tag goes on with the one before.
func readRIS(d *Document, s string) {
	var r *Reference
	begun, line, last := 0, 0, ""
	end := func(whole bool) {
		switch {
		case r == nil:
		case r.Title == "":
			d.warn(begun, "this record has no title and was left out", "give it a line \"TI  - \" with its title")
		default:
			if !whole {
				d.warn(begun, "this record has no end (ER)", "check that its fields are its own")
			}
			if len(d.References) < MaxReferences {
				d.References = append(d.References, *r)
			}
		}
		r = nil
	}
	for text := range strings.Lines(s) {
		line++
		text = strings.TrimSpace(text)
		m := risTag.FindStringSubmatch(text)
		switch {
		case text == "":
		case m == nil && r != nil && last == "title" && len(r.Title) < MaxTitle:
			r.Title += " " + text
		case m == nil:
		case m[1] == "TY":
			end(false)
			r, begun, last = &Reference{}, line, ""
		case m[1] == "ER":
			end(true)
		case r == nil:
			d.warn(line, "this field stands outside a record", "begin the record with a line \"TY  - \"")
		default:
			last = r.risField(m[1], strings.TrimSpace(m[2]))
		}
	}
	end(false)
}

// risField sets a field and returns "title" if it was the title.
func (r *Reference) risField(tag, value string) string {
	switch tag {
	case "TI", "T1":
		r.Title = value
		return "title"
	case "CT", "BT":
		if r.Title == "" {
			r.Title = value
		}
	case "AU", "A1":
		if len(r.Authors) < maxNames {
			r.Authors = append(r.Authors, Clean(value))
		}
	case "PY", "Y1":
		if len(value) >= 4 {
			r.Year, _ = strconv.Atoi(value[:4]) // 0 if it is no year
		}
	case "DO":
		r.DOI = findDOI(value)
	case "UR":
		r.URL = trimAddress(address.FindString(value))
	}
	return ""
}
