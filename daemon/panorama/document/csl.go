package document

import (
	"encoding/json"
	"strconv"
	"strings"
)

// cslItem is a work in CSL-JSON. Zotero, Crossref and others write the same names with other values, so those are read later.
type cslItem struct {
	Title, DOI, URL          json.RawMessage
	Author, Creators, Editor []cslName
	Issued, Date, Published  json.RawMessage
}

type cslName struct{ Family, Given, Literal, LastName, FirstName, Name string }

// cslLists is where a list of works may stand instead of at the top.
type cslLists struct {
	Items, References []json.RawMessage
	Message           struct{ Items []json.RawMessage }
}

// maxWorks is how many works are looked at, also without a title.
const maxWorks = 100_000

// readCSL reads CSL-JSON: a list of works, one work, or an object with a list.
func readCSL(d *Document, s string) error {
	list := json.NewDecoder(strings.NewReader(s))
	if begin, err := list.Token(); err == nil && begin == json.Delim('[') {
		for n := 1; list.More() && !d.full() && n <= maxWorks; n++ { // one at a time: empty works take many times their size of memory
			var one json.RawMessage
			if err := list.Decode(&one); err != nil {
				return errJSON
			}
			_ = d.addCSL(one, n) // it was warned of
		}
		return nil
	}
	var in cslLists
	if err := json.Unmarshal([]byte(s), &in); err != nil {
		return errJSON
	}
	works := append(append(in.Items, in.References...), in.Message.Items...)
	if len(works) == 0 {
		works = []json.RawMessage{json.RawMessage(s)}
	}
	for i, one := range works {
		if err := d.addCSL(one, i+1); err != nil && len(works) == 1 {
			return errJSON
		}
	}
	return nil
}

// addCSL adds the n-th work. The error is why it has no title.
func (d *Document) addCSL(one json.RawMessage, n int) error {
	var item cslItem
	err := json.Unmarshal(one, &item)
	name := jsonText(item.Title)
	if name == "" {
		d.warn(0, "work "+strconv.Itoa(n)+" has no title and was left out", "add its title by hand")
		return err
	}
	d.add(item.reference(name), 0)
	return nil
}

func (item cslItem) reference(name string) Reference {
	r := Reference{Title: name, DOI: findDOI(withoutMarkup(jsonText(item.DOI))), URL: trimAddress(address.FindString(jsonText(item.URL)))}
	for _, date := range []json.RawMessage{item.Issued, item.Date, item.Published} {
		if r.Year == 0 {
			r.Year = findYear(string(date))
		}
	}
	names := item.Author
	if len(names) == 0 {
		names = append(item.Creators, item.Editor...)
	}
	for _, n := range names[:min(len(names), maxNames)] {
		if whole := n.whole(); whole != "" {
			r.Authors = append(r.Authors, whole)
		}
	}
	return r
}

func (n cslName) whole() string {
	family, given := n.Family+n.LastName, n.Given+n.FirstName
	if family != "" && given != "" {
		family += ", "
	}
	return Clean(family + given + n.Literal + n.Name)
}

// jsonText is a text, or the first of a list of texts.
func jsonText(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return strings.TrimSpace(one)
	}
	var all []string
	if json.Unmarshal(raw, &all) == nil && len(all) > 0 {
		return strings.TrimSpace(all[0])
	}
	return ""
}
