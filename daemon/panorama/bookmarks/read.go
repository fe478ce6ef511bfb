package bookmarks

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/charset"
	"nightjar/crawler/weburl"
	"nightjar/daemon/panorama/document"
)

// Limits of Read.
const (
	MaxBytes = 64 << 20
	MaxLinks = 20_000
	maxTitle = 300 // bytes of a title or of the name of a folder
	maxDepth = 20  // levels of folders that are told apart
	maxIn    = 40  // folders and tags of a link
)

// Errors of Read say what is wrong and what to do. Compare with errors.Is.
var (
	ErrTooLarge = &document.Problem{What: "this file is larger than 64 MiB", Next: "export fewer bookmarks, or paste their addresses, one a line"}
	ErrKind     = &document.Problem{What: "this is not a list of links", Next: "export your bookmarks as HTML, or save the links as OPML, CSV, JSON, BibTeX, RIS, Markdown or text"}
	ErrNone     = &document.Problem{What: "no address of a web page was found in this file", Next: "export your bookmarks as HTML, or paste their addresses, one a line"}
)

// Link is a page that the person kept.
type Link struct {
	URL   string   // canonical, with its secrets redacted as those of events are
	Title string   // the address if the file has none
	In    []string // folders, each with those above it as in "Hobbies / Birds", and tags
}

// Folder is a folder or a tag, with those below it.
type Folder struct {
	Name  string
	Links int
}

// List is what Read found, each page once, in the order of the file.
type List struct {
	Links []Link
	NoWeb int // addresses that are none of the web, such as those of files and scripts
	Over  int // links beyond MaxLinks

	at map[string]int // index in Links by address
}

// Read lists the links of a file; its content tells the kind of the file. The errors are those above, and that of ctx.
func Read(ctx context.Context, body []byte) (*List, error) {
	if len(body) > MaxBytes {
		return nil, ErrTooLarge
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &List{at: map[string]int{}}
	utf16 := bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
	if document.IsPDF(body) || !utf16 && bytes.IndexByte(body[:min(len(body), 1<<10)], 0) >= 0 {
		return nil, ErrKind
	}
	text := strings.TrimPrefix(string(charset.UTF8("", body)), "\ufeff")
	head := strings.ToLower(strings.TrimSpace(text[:min(len(text), 4<<10)]))
	switch {
	case strings.Contains(head, "<opml"):
		readOPML(l, text)
	case strings.HasPrefix(head, "<"):
		readHTML(l, text)
	case strings.HasPrefix(head, "{") || strings.HasPrefix(head, "["):
		readJSON(l, text)
	case columnsOf(text) != nil:
		readTable(l, text)
	case !l.readBibliography(ctx, body):
		readText(l, text)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(l.Links) == 0 {
		return nil, ErrNone
	}
	return l, nil
}

// bibliographies are kinds of documents each of whose entries may have an address.
var bibliographies = []document.Kind{document.BibTeX, document.RIS, document.NBIB, document.EndNote, document.WoS, document.RefWorks}

// readBibliography reads a bibliography, and reports whether the file is one.
func (l *List) readBibliography(ctx context.Context, body []byte) bool {
	d, err := document.Read(ctx, body, document.Options{})
	if err != nil || !slices.Contains(bibliographies, d.Kind) {
		return false
	}
	for _, r := range d.References {
		l.add(addressOf(r.URL, r.DOI), r.Title)
	}
	return true
}

// addressOf is the address of a work, "" for none.
func addressOf(url, doi string) string {
	if url == "" && doi != "" {
		return "https://doi.org/" + doi
	}
	return url
}

// add adds a link in some folders and tags. A page that occurs twice is in the folders of both.
func (l *List) add(address, title string, in ...string) {
	url, err := weburl.Canonical(weburl.Redact(address))
	if err != nil {
		if strings.TrimSpace(address) != "" {
			l.NoWeb++
		}
		return
	}
	i, known := l.at[url]
	switch {
	case !known && len(l.Links) == MaxLinks:
		l.Over++
		return
	case !known:
		i = len(l.Links)
		l.at[url] = i
		l.Links = append(l.Links, Link{URL: url, Title: url})
	}
	link := &l.Links[i]
	if title = clean(title); title != "" && link.Title == link.URL {
		link.Title = title
	}
	for _, name := range in {
		if name != "" && len(link.In) < maxIn && !slices.Contains(link.In, name) {
			link.In = append(link.In, name)
		}
	}
}

// clean folds white space and control characters, and shortens a text.
func clean(text string) string {
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text[:min(len(text), 4*maxTitle)], ""), blank), " ")
	return strings.ToValidUTF8(text[:min(len(text), maxTitle)], "")
}

// tags splits a list of tags.
func tags(list string) (all []string) {
	for tag := range strings.FieldsFuncSeq(list[:min(len(list), maxIn*maxTitle)], func(r rune) bool { return r == ',' || r == ';' || r == '|' }) {
		all = append(all, clean(tag))
	}
	return all
}

// Folders lists folders and tags by name.
func (l *List) Folders() []Folder {
	links := map[string]int{}
	for _, link := range l.Links {
		for _, name := range link.In {
			links[name]++
		}
	}
	all := make([]Folder, 0, len(links))
	for name, n := range links {
		all = append(all, Folder{name, n})
	}
	slices.SortFunc(all, func(a, b Folder) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Within returns the links in a folder or with a tag; "" stands for all. A folder may be named without those above it.
func (l *List) Within(folder string) (links []Link) {
	for _, link := range l.Links {
		named := func(name string) bool { return name == folder || strings.HasSuffix(name, within+folder) }
		if folder == "" || slices.ContainsFunc(link.In, named) {
			links = append(links, link)
		}
	}
	return links
}

// Outside returns some links that are not in a folder, at most n, from all over the list.
func (l *List) Outside(folder string, n int) []Link {
	inside := map[string]bool{}
	for _, link := range l.Within(folder) {
		inside[link.URL] = true
	}
	links := slices.DeleteFunc(slices.Clone(l.Links), func(link Link) bool { return inside[link.URL] })
	for i := range min(n, len(links)) {
		links[i] = links[i*len(links)/min(n, len(links))]
	}
	return links[:min(n, len(links))]
}

// within stands between the names of a folder and of one in it.
const within = " / "

// location is the folders around a place in a file.
type location struct {
	names []string // each with those above it; "" where a level has no name
	over  int      // levels below maxDepth
}

func (p *location) enter(name string) {
	if len(p.names) == maxDepth {
		p.over++
		return
	}
	above := p.here()
	if name = clean(name); name == "" {
		name = above
	} else if above != "" {
		name = above + within + name
	}
	p.names = append(p.names, name)
}

func (p *location) leave() {
	switch {
	case p.over > 0:
		p.over--
	case len(p.names) > 0:
		p.names = p.names[:len(p.names)-1]
	}
}

func (p *location) here() string {
	if len(p.names) == 0 {
		return ""
	}
	return p.names[len(p.names)-1]
}
