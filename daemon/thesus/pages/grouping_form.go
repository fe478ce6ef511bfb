package pages

import (
	"context"
	"strconv"

	"nightjar/daemon/chart"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/web/frame"
)

// Usual and largest values of the form.
const (
	usualGroupWords, mostGroupWords = explore.DefaultWords, explore.MaxWords
	usualGroupDocs, mostGroupDocs   = explore.DefaultMinDocs, explore.MaxMinDocs
	usualGroupSimilarity            = explore.DefaultMinSimilarity
)

// groupForm asks for pages to be grouped.
type groupForm struct {
	Everything choice
	Topics     []choice
	Crawls     []choice
	Sessions   []choice
	Ontologies []choice
	Words      int
	Docs       int
	Similarity string
	MostWords  int
	MostDocs   int
}

// choice is an entry of a list to choose from.
type choice struct {
	Value, Name string
	On          bool
}

// groupForm makes the form. scope is the pages that are chosen at first, as readScope reads them.
func (s *server) groupForm(ctx context.Context, scope string, all []ontologies.Ontology) (f groupForm, err error) {
	f = groupForm{Everything: choice{string(links.AllPages), "Everything that was visited or crawled", scope == ""},
		Words: usualGroupWords, Docs: usualGroupDocs, Similarity: strconv.FormatFloat(usualGroupSimilarity, 'g', -1, 64),
		MostWords: mostGroupWords, MostDocs: mostGroupDocs}
	add := func(list *[]choice, kind links.Scope, id int64, name string) {
		value := string(kind) + ":" + strconv.FormatInt(id, 10)
		*list = append(*list, choice{value, chart.Shorten(80, frame.Printable(name)), value == scope})
	}
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return f, err
	}
	for _, t := range topics {
		add(&f.Topics, links.PagesOfTopic, t.ID, t.Name)
	}
	crawls, err := s.Store.CrawlViews(ctx, scopesShown)
	if err != nil {
		return f, err
	}
	for _, c := range crawls {
		if c.Fetched > 0 {
			add(&f.Crawls, links.PagesOfCrawl, c.ID, strconv.FormatInt(c.ID, 10)+": "+c.Topic+", "+chart.Plural(c.Fetched, "page", "pages"))
		}
	}
	sessions, err := s.Store.SessionsBefore(ctx, 0, 0, scopesShown)
	if err != nil {
		return f, err
	}
	for _, one := range sessions {
		add(&f.Sessions, links.PagesOfSession, one.ID, one.Name())
	}
	for i, o := range all {
		name := chart.Shorten(80, frame.Printable(o.Name)) + " (" + chart.Plural(o.Count, "term", "terms") + ")"
		f.Ontologies = append(f.Ontologies, choice{strconv.FormatInt(o.ID, 10), name, i == 0})
	}
	return f, nil
}
