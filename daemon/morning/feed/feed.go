// Package feed writes lists of finds as Atom (RFC 4287) and as JSON Feed 1.1.
//
// Start with Atom and JSON. Both are the encoders of the standard library with a few structs: github.com/gorilla/feeds,
// the library that was looked at, knows one link per feed, so that a feed cannot name its own address beside another
// one (RFC 4287 4.1.1 asks for it), and its titles and summaries have no types.
package feed

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

// Feed is a list of finds.
type Feed struct {
	ID      string // IRI that never changes
	Title   string
	Self    string // address of the feed
	Updated time.Time
	Entries []Entry // newest first
}

// Entry is one find. Its texts are plain text.
type Entry struct {
	ID      string // IRI that never changes
	URL     string
	Title   string // "" is shown as the URL
	Site    string
	Snippet string
	Reason  string // one sentence
	Topic   string
	FoundAt time.Time
	Trail   []Step // from a start page to the find
}

// Step is one page of a trail.
type Step struct{ URL, Title, Anchor string }

// Name is the title of an entry, never "".
func (e Entry) Name() string { return named(e.Title, e.URL) }

// Name is the title of a step, never "".
func (s Step) Name() string { return named(s.Title, s.URL) }

func named(title, url string) string {
	if strings.TrimSpace(title) == "" {
		return url
	}
	return title
}

// body is what a reader shows of an entry. html/template escapes the texts, and drops addresses of scripts.
var body = template.Must(template.New("entry").Parse(
	`{{with .Reason}}<p><strong>{{.}}</strong></p>{{end}}{{with .Snippet}}<p>{{.}}</p>{{end}}` +
		`{{if gt (len .Trail) 1}}<p>The way to it:</p><ol>{{range .Trail}}<li><a href="{{.URL}}">{{.Name}}</a>` +
		`{{with .Anchor}} by the link “{{.}}”{{end}}</li>{{end}}</ol>{{end}}<p>{{.Topic}} · {{.Site}}</p>`))

func (e Entry) html() (string, error) {
	var out strings.Builder
	err := body.Execute(&out, e)
	return out.String(), err
}

type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   atomText    `xml:"title"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomEntry struct {
		ID        string       `xml:"id"`
		Title     atomText     `xml:"title"`
		Updated   string       `xml:"updated"`
		Published string       `xml:"published"`
		Links     []atomLink   `xml:"link"`
		Category  atomCategory `xml:"category"`
		Summary   *atomText    `xml:"summary"`
		Content   atomText     `xml:"content"`
	}
	atomText struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomCategory struct {
		Term string `xml:"term,attr"`
	}
)

// Atom writes a feed as Atom.
func Atom(w io.Writer, f Feed) error {
	out := atomFeed{ID: f.ID, Title: atomText{"text", f.Title}, Updated: date(f.Updated), Author: "Nightjar",
		Links: []atomLink{{"self", "application/atom+xml", f.Self}}}
	for _, e := range f.Entries {
		content, err := e.html()
		if err != nil {
			return fmt.Errorf("write Atom: %w", err)
		}
		entry := atomEntry{ID: e.ID, Title: atomText{"text", e.Name()}, Updated: date(e.FoundAt), Published: date(e.FoundAt),
			Links: []atomLink{{"alternate", "text/html", e.URL}}, Category: atomCategory{e.Topic}, Content: atomText{"html", content}}
		if e.Reason != "" {
			entry.Summary = &atomText{"text", e.Reason}
		}
		out.Entries = append(out.Entries, entry)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(out)
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }

type (
	jsonFeed struct {
		Version string       `json:"version"`
		Title   string       `json:"title"`
		FeedURL string       `json:"feed_url"`
		Authors []jsonAuthor `json:"authors"`
		Items   []jsonItem   `json:"items"`
	}
	jsonAuthor struct {
		Name string `json:"name"`
	}
	jsonItem struct {
		ID        string   `json:"id"`
		URL       string   `json:"url"`
		Title     string   `json:"title"`
		HTML      string   `json:"content_html"`
		Summary   string   `json:"summary,omitempty"`
		Published string   `json:"date_published"`
		Tags      []string `json:"tags"`
	}
)

// JSON writes a feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
func JSON(w io.Writer, f Feed) error {
	out := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: f.Title, FeedURL: f.Self,
		Authors: []jsonAuthor{{"Nightjar"}}, Items: []jsonItem{}}
	for _, e := range f.Entries {
		content, err := e.html()
		if err != nil {
			return fmt.Errorf("write JSON Feed: %w", err)
		}
		out.Items = append(out.Items, jsonItem{ID: e.ID, URL: e.URL, Title: e.Name(), HTML: content, Summary: e.Reason,
			Published: date(e.FoundAt), Tags: []string{e.Topic}})
	}
	return json.NewEncoder(w).Encode(out)
}
