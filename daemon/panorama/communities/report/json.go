package report

import (
	"cmp"
	"encoding/json"
	"io"
	"time"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
)

// Format is the version of the JSON that WriteJSON writes. Fields may be added to it; nothing else changes under the same
// number.
const Format = 1

// Map is a map as JSON. Lists are never null. Texts of pages come from strangers.
type Map struct {
	Format      int                        `json:"format"`
	Source      maps.Source                `json:"source"` // document, topic or crawl
	Title       string                     `json:"title"`
	Document    *Document                  `json:"document,omitempty"` // of a document only
	Topic       string                     `json:"topic"`              // that crawled
	Crawl       int64                      `json:"crawl"`              // as nightjar communities --crawl takes it
	Made        time.Time                  `json:"made"`
	Settings    Settings                   `json:"settings"`
	Counts      communities.Counts         `json:"counts"`
	Few         bool                       `json:"few"`        // fewer than 50 pages were kept, so that there are fewer communities
	Silhouette  float64                    `json:"silhouette"` // in [-1, 1]
	Objective   float64                    `json:"objective"`  // of spherical k-means, in [0, counts.kept]
	Warnings    []string                   `json:"warnings"`
	Subject     string                     `json:"subject"`     // what sets the pages apart from the person's others; "" when it is not known
	Communities []Community                `json:"communities"` // the largest first
	Between     [][]float64                `json:"between"`     // cosines of the centres, in [0, 1], in the order of communities
	Harvest     []communities.HarvestPoint `json:"harvest"`     // empty without a classifier
	Compared    bool                       `json:"compared"`    // with an earlier map, so that new and gone say something
	Gone        []Page                     `json:"gone"`        // pages of the earlier map that this one lacks, at most 100
	GoneAll     int                        `json:"gone_all"`    // number of all such pages
}

// Document is what a map was made from, and what was asked for it.
type Document struct {
	Title     string     `json:"title"`
	Source    string     `json:"source"` // its address or the name of its file
	Titles    []string   `json:"titles"` // as they were looked for
	Provider  string     `json:"provider"`
	Queries   []string   `json:"queries"` // as they were sent; empty when nothing was sent
	Positives []Positive `json:"positives"`
}

// Positive is a positive page.
type Positive struct {
	URL     string                        `json:"url"`
	Title   string                        `json:"title"`
	LeftOut bool                          `json:"left_out"`
	Reasons []trainingdata.PositiveReason `json:"reasons"`
}

// Settings are those of the map, with what an unset option stands for.
type Settings struct {
	Search      string `json:"search"` // local, searxng=URL or list
	Pages       int    `json:"pages"`
	Communities int    `json:"communities"` // 0 with auto
	Auto        bool   `json:"auto"`
	Fidelity    string `json:"fidelity"` // "paper" or ""
	Labels      string `json:"labels"`   // "words" or ""
	Links       string `json:"links"`    // sites, folders, all or ""
	Seed        uint64 `json:"seed"`
}

// Community is a group of pages.
type Community struct {
	N           int     `json:"n"` // from 1
	Name        string  `json:"name"`
	Labels      []Label `json:"labels"`
	Words       []Word  `json:"words"` // of its profile, best first
	Pages       int     `json:"pages"`
	New         int     `json:"new"`     // pages that the earlier map lacks
	Harvest     float64 `json:"harvest"` // mean probability of its pages, in [0, 1]
	Circle      Circle  `json:"circle"`
	Examples    []Page  `json:"examples"` // score is the cosine with the centre
	Authorities []Page  `json:"authorities"`
	Hubs        []Page  `json:"hubs"`
}

// Label is a part of a community's name.
type Label struct {
	Text      string  `json:"text"`
	Score     float64 `json:"score"`
	Pages     int     `json:"pages"`
	Expansion string  `json:"expansion,omitempty"` // what an acronym stands for
}

// Word is a word of a community's profile.
type Word struct {
	Word  string  `json:"word"`
	Score float64 `json:"score"`
}

// Circle is the place of a community on a map of 960 by 640; y grows downwards.
type Circle struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	R float64 `json:"r"`
}

// Page is a page of a list.
type Page struct {
	URL         string  `json:"url"`
	Title       string  `json:"title"`
	Snippet     string  `json:"snippet"`
	Score       float64 `json:"score"`       // of the list; 0 in gone
	Probability float64 `json:"probability"` // P(c⁺|p), in [0, 1]; 0 without a classifier
	New         bool    `json:"new"`
}

// WriteJSON writes a map as one JSON object, on lines with indents.
func WriteJSON(w io.Writer, v *communities.View) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(newMap(v))
}

func newMap(v *communities.View) Map {
	m := Map{
		Format: Format, Source: v.Map.Source, Title: v.Map.Title, Topic: v.Topic, Crawl: v.Crawl.ID, Made: v.Made.UTC(),
		Settings: settingsOf(v.Map.Options), Counts: v.Counts, Few: v.Few, Silhouette: v.Silhouette, Objective: v.Objective,
		Warnings: some(v.Warnings), Subject: v.Subject, Between: some(v.Between), Harvest: some(v.Harvest),
		Compared: v.Earlier != nil, Gone: pages(v.Gone), GoneAll: v.GoneAll, Communities: []Community{},
	}
	if v.Document != nil {
		m.Document = newDocument(v)
	}
	for _, c := range v.Communities {
		m.Communities = append(m.Communities, newCommunity(c))
	}
	return m
}

func newDocument(v *communities.View) *Document {
	d := &Document{
		Title: v.Document.Title, Source: v.Document.Source, Titles: some(v.Titles), Provider: v.Provider,
		Queries: some(v.Queries), Positives: []Positive{},
	}
	for _, p := range v.Positives {
		d.Positives = append(d.Positives, Positive{p.URL, p.Title, p.LeftOut, some(p.Reasons)})
	}
	return d
}

func newCommunity(c communities.Community) Community {
	one := Community{
		N: c.N, Name: c.Name, Labels: []Label{}, Words: []Word{}, Pages: c.Size, New: c.New, Harvest: c.Harvest,
		Circle: Circle{c.Circle.X, c.Circle.Y, c.Circle.R}, Examples: pages(c.Examples), Authorities: pages(c.Authorities), Hubs: pages(c.Hubs),
	}
	for _, l := range c.Labels {
		one.Labels = append(one.Labels, Label{l.Text, l.Score, l.Pages, l.Expansion})
	}
	for _, w := range c.Words {
		one.Words = append(one.Words, Word{w.Term, w.Score})
	}
	return one
}

func pages(all []communities.Page) []Page {
	list := make([]Page, len(all))
	for i, p := range all {
		list[i] = Page{p.URL, p.Title, p.Snippet, p.Score, p.P, p.New}
	}
	return list
}

// some is a list that is not null as JSON.
func some[T any](all []T) []T { return append([]T{}, all...) }

// settingsOf says what options stand for.
func settingsOf(o maps.Options) Settings {
	s := Settings{Search: cmp.Or(o.Search, "local"), Pages: cmp.Or(o.Pages, 5000), Communities: cmp.Or(o.Clusters, 5), Auto: o.Auto, Links: o.Links, Seed: o.Seed}
	if o.Auto {
		s.Communities = 0
	}
	if o.Paper {
		s.Fidelity = "paper"
	}
	if o.Words {
		s.Labels = "words"
	}
	return s
}
