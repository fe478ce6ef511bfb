package online

import (
	"fmt"
	"slices"
	"strings"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/text"
)

// Page is a page as the judge reads it.
type Page struct {
	URL     string
	Row     logistic.Row // of its words
	Title   []uint32     // tokens of its title
	Address []uint32     // tokens of its address; nil on a site that the session does not know
}

// Most tokens of a page.
const (
	maxTitleTokens = 12
	maxPageTokens  = 40 // of its address
)

// titleField marks the stems of a page's title, groupField its offset. The other tokens of a page are in the fields Address and Shape.
const (
	titleField Field = 't'
	groupField Field = 'g'
)

// Page weighs a page's words and reads its title, which is in the language of the page, and its address.
func (j *Judge) Page(l text.Language, url, title string, w model.Words) Page {
	p := j.page(l, url, title)
	p.Row = j.Row(w)
	return p
}

func (j *Judge) page(l text.Language, url, title string) Page {
	p := Page{URL: url, Title: j.titleTokens(l, title)}
	if j.sites[j.site(url)] >= homePages {
		p.Address = addressTokens(url)
	}
	return p
}

// titleTokens lists the stems of a title, the first in the alphabet first.
func (j *Judge) titleTokens(l text.Language, title string) []uint32 {
	if title == "" {
		return nil
	}
	var stems []string
	for _, c := range j.stems.Append(nil, l, title) {
		stems = append(stems, c.Stem)
	}
	slices.Sort(stems)
	var out []uint32
	for _, s := range stems[:min(maxTitleTokens, len(stems))] {
		out = append(out, hash32(titleField, s))
	}
	return out
}

// addressTokens reads the path of a URL, not its host: sites of one owner share templates.
func addressTokens(url string) []uint32 {
	_, rest, _ := strings.Cut(url, "://")
	path := "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		path = rest[i:]
	}
	path, query, _ := strings.Cut(path, "?")
	path = strings.Map(foldDigit, strings.ToLower(path))
	out := pathTokens(path)
	add := func(name string, n int) { out = append(out, hash32(Shape, fmt.Sprint(name, n))) }
	add("slashes", min(6, strings.Count(path, "/")))
	if query != "" {
		add("query", 1)
	}
	if strings.HasSuffix(path, "/") {
		add("folder", 1)
	}
	slug := strings.TrimSuffix(path, "/")
	slug = slug[strings.LastIndexByte(slug, '/')+1:]
	add("hyphens", min(4, (1+strings.Count(slug, "-")+strings.Count(slug, "_"))/2))
	add("length", min(5, len(slug)/8))
	return out
}

// pathTokens lists the words of a path, each once. A tilde begins a person's folder.
func pathTokens(path string) []uint32 {
	var out []uint32
	add := func(s string) {
		if t := hash32(Address, s); !slices.Contains(out, t) && len(out) < maxPageTokens {
			out = append(out, t)
		}
	}
	for w := range strings.FieldsFuncSeq(path, func(r rune) bool { return r != '~' && !letter(r) && !digit(r) }) {
		add(w)
		if len(w) > 1 && w[0] == '~' {
			add("~")
		}
	}
	return out
}
