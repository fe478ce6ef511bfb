package communities

import (
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/texts"
	"nightjar/model/community"
)

// result returns a drawn map as it is stored.
func (d *drawing) result(made time.Time) Result {
	f := d.found
	r := Result{
		Made: made, Subject: joined(f.Subject), Between: f.Between, Few: f.Few, Silhouette: f.Silhouette, Objective: f.Objective, Classified: d.classified(),
		Counts: Counts{Fetched: d.fetched, Pages: len(d.pages), Kept: f.Kept, Terms: f.Terms, Links: f.Links, AllLinks: f.AllLinks, LinkRule: f.Rule},
	}
	for _, c := range f.Cluster {
		if c == community.NoWords {
			r.Counts.Wordless++
		}
	}
	if r.Classified {
		r.Counts.Positives, r.Counts.Negatives = d.bundle.Facts.Targets, max(d.bundle.Bayes.Store().Pages-d.bundle.Facts.Targets, 0)
	}
	for _, c := range f.Communities {
		r.Communities = append(r.Communities, Community{
			Size: c.Size, Labels: c.Labels, Words: c.Words, Circle: c.Circle,
			Examples: d.listed(c.Examples), Hubs: d.listed(c.Hubs), Authorities: d.listed(c.Authorities),
		})
	}
	r.Warnings = d.warnings()
	return r
}

func (d *drawing) listed(ranked []community.Ranked) []Page {
	list := make([]Page, len(ranked))
	for k, one := range ranked {
		p := d.pages[one.Page]
		list[k] = Page{Fetch: p.Fetch, URL: p.Final, Title: p.Title, Snippet: d.snippet(one.Page), Score: one.Score}
	}
	return list
}

// warnings says what the person should know of a map, in sentences.
func (d *drawing) warnings() (all []string) {
	f := d.found
	if f.Few {
		all = append(all, fmt.Sprintf("Only %s kept, so that there are fewer communities: crawl more pages for more of them.",
			texts.Count(f.Kept, "page was", "pages were")))
	}
	switch {
	case f.Kept < 2 || d.anyHub():
	case f.AllLinks == 0:
		all = append(all, "There are no hubs and authorities, since these pages do not link to each other.")
	case f.Links == 0:
		all = append(all, fmt.Sprintf("There are no hubs and authorities, since of the links only %s count, and there are none: draw the map again and let "+
			"Nightjar choose which links count.", ruleWords[f.Rule]))
	}
	if !d.classified() {
		why := "the crawl's model has none"
		if d.bundle != nil && d.bundle.NoBayes != "" {
			why = strings.TrimSuffix(d.bundle.NoBayes, ".")
		}
		all = append(all, "There was no classifier ("+why+"), so that no page was dropped and there is no harvest.")
	}
	if d.gone > 0 {
		all = append(all, fmt.Sprintf("%s not kept after the crawl, since they were neither relevant nor on the way to a relevant page: "+
			"the map is without them.", texts.Count(d.gone, "page was", "pages were")))
	}
	return all
}

// anyHub reports whether a community has hubs or authorities.
func (d *drawing) anyHub() bool {
	for _, c := range d.found.Communities {
		if len(c.Hubs)+len(c.Authorities) > 0 {
			return true
		}
	}
	return false
}
