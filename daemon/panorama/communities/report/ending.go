package report

import (
	"fmt"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
)

// ending is the end of the report: how the map was made, so that it can be made again.
type ending struct {
	Document  *row // nil unless the source is a document
	Topic     string
	Titles    texts
	Queries   texts
	Asked     string // to whom titles were sent, in a sentence; "" without a document
	Positives []row
	MorePos   int
	Facts     []fact
}

// texts are a list of which some may be left out.
type texts struct {
	Shown []string
	More  int
}

// fact is a line of a table.
type fact struct{ Name, Value string }

func newEnding(v *communities.View, l limits) ending {
	e := ending{
		Topic: cut(v.Topic, l.title), Titles: cutAll(v.Titles, l.titles, l.title),
		Queries: cutAll(v.Queries, l.queries, l.title), Asked: asked(v),
	}
	if v.Document != nil {
		r := newLink(v.Document.Source, v.Document.Title, l)
		e.Document = &r
	}
	for _, p := range v.Positives[:min(len(v.Positives), l.positives)] {
		r := newLink(p.URL, p.Title, l)
		r.Note = why(p, l)
		e.Positives = append(e.Positives, r)
	}
	e.MorePos = len(v.Positives) - len(e.Positives)
	e.Facts = append(settings(v.Map.Options, v.Map.Source), numbers(v)...)
	return e
}

func cutAll(all []string, most, each int) (t texts) {
	for _, s := range all[:min(len(all), most)] {
		t.Shown = append(t.Shown, cut(s, each))
	}
	t.More = len(all) - len(t.Shown)
	return t
}

// asked says to whom titles were sent.
func asked(v *communities.View) string {
	switch {
	case v.Document == nil:
		return ""
	case v.Provider == "local" || v.Provider == "":
		return "The titles were looked for in the pages stored on this computer. Nothing was sent to anybody."
	case v.Provider == "list":
		return "The pages were named by the person. Nothing was sent to anybody."
	}
	return fmt.Sprintf("%s sent to %s, and to nobody else.",
		chart.Plural(len(v.Queries), "query was", "queries were"), cut(v.Provider, shownProvider))
}

const shownProvider = 200 // characters

// why says why a page is a positive one.
func why(p trainingdata.Positive, l limits) string {
	if p.LeftOut {
		return "left out by the person"
	}
	if len(p.Reasons) == 0 || p.Reasons[0].Title == "" {
		return "named by the person"
	}
	text := "for “" + cut(p.Reasons[0].Title, l.title) + "”"
	if more := len(p.Reasons) - 1; more > 0 {
		text += fmt.Sprintf(" and %s", chart.Plural(more, "other title", "other titles"))
	}
	return text
}

// settings are what the person asked for.
func settings(o maps.Options, source maps.Source) []fact {
	s := settingsOf(o)
	number := strconv.Itoa(s.Communities)
	if s.Auto {
		number = "2 to 8, by silhouette"
	}
	method := "Nightjar’s"
	if s.Fidelity != "" {
		method = "as in the paper"
	}
	labels := "words and phrases"
	if s.Labels != "" {
		labels = "single words"
	}
	all := []fact{{"Communities asked for", number}, {"Method", method}, {"Names", labels}, {"Random seed", strconv.FormatUint(s.Seed, 10)}}
	if source != maps.FromCrawl {
		all = append([]fact{{"Pages to crawl", chart.Thousands(s.Pages)}}, all...)
	}
	return all
}

// numbers are what came of it.
func numbers(v *communities.View) []fact {
	c := v.Counts
	all := []fact{
		{"Crawl", crawlFact(v.Crawl)},
		{"Pages fetched", chart.Thousands(c.Fetched)},
		{"Pages with text", chart.Thousands(c.Pages)},
		{"Pages on the map", chart.Thousands(c.Kept)},
		{"Pages without telling words", chart.Thousands(c.Wordless)},
		{"Stems that tell pages apart", chart.Thousands(c.Terms)},
		{"Links that count", strings.TrimSpace(chart.Thousands(c.Links) + " " + c.LinksCounted())},
	}
	if c.Positives > 0 {
		all = append(all, fact{"Pages learned from", fmt.Sprintf("%s positive, %s negative",
			chart.Thousands(c.Positives), chart.Thousands(c.Negatives))})
	}
	return append(all, fact{"Silhouette", decimal(v.Silhouette)}, fact{"Objective of k-means", decimal(v.Objective)})
}

// crawlFact says when the crawl ran, how, and why it ended.
func crawlFact(c crawls.Crawl) string {
	parts := []string{"strategy " + cut(c.Strategy, shownProvider)}
	if !c.StartedAt.IsZero() {
		parts = append(parts, "begun "+momentOf(c.StartedAt).Text)
	}
	if !c.EndedAt.IsZero() {
		parts = append(parts, "ended "+momentOf(c.EndedAt).Text)
	}
	if c.StopReason != "" {
		parts = append(parts, cut(c.StopReason, longestWarning))
	}
	return strings.Join(parts, ", ")
}
