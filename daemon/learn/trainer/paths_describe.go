package trainer

import (
	"context"

	"nightjar/crawler/feature"
	"nightjar/crawler/page"
	"nightjar/model/ways"
	"nightjar/model/webgraph"
)

// describer turns ways into paths. It reads each page and link once.
type describer struct {
	graph *webgraph.Graph
	names []string // of the pages of the graph
	hops  []int    // of the pages of the graph
	sets  feature.Sets
	pages map[*page.Page][]string
	links map[place][]string
	read  map[*page.Page]feature.Reader
}

// reader is the reader of a page's features, in the way in which models are trained now.
func (d *describer) reader(p *page.Page) feature.Reader {
	r, known := d.read[p]
	if !known {
		r = feature.Of(p)
		d.read[p] = r
	}
	return r
}

// place is a link on a page.
type place struct {
	page *page.Page
	link int
}

func (d *describer) describe(ctx context.Context, all []way) ([]ways.Path, error) {
	paths := make([]ways.Path, len(all))
	for i, one := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		steps := make([]ways.Step, len(one.stops))
		for k, s := range one.stops {
			steps[k] = d.step(s)
			if k > 0 {
				d.follow(&steps[k], one.stops[k-1].page, s)
			}
		}
		paths[i] = ways.Path{Steps: steps, Kind: one.kind, Positive: one.positive, Count: float64(one.count), Tree: one.root}
	}
	return paths, nil
}

// step describes the page of a stop.
func (d *describer) step(s stop) ways.Step {
	node := d.graph.Pages[s.at]
	step := ways.Step{URL: node.URL, Title: node.Title, Position: -1, Name: d.names[s.at], Hop: d.hops[s.at]}
	if s.page == nil {
		return step
	}
	features, known := d.pages[s.page]
	if !known {
		features = d.reader(s.page).Page(s.page, d.sets)
		d.pages[s.page] = features
	}
	step.Page = features
	return step
}

// follow describes the link that led from a page to a stop.
func (d *describer) follow(step *ways.Step, from *page.Page, s stop) {
	step.Link, step.Anchor = []string{}, s.anchor
	if s.link < 0 {
		return
	}
	at := place{from, s.link}
	features, known := d.links[at]
	if !known {
		features = d.reader(from).Link(from, s.link)
		d.links[at] = features
	}
	step.Link, step.Anchor, step.Position = features, from.Links[s.link].Anchor, s.link
}

// hops returns the layer of each page of the graph.
func (c *collector) hops(states int) []int {
	target := make([]bool, len(c.graph.Pages))
	for i, p := range c.graph.Pages {
		target[i] = p.Target
	}
	return webgraph.Layers(len(target), c.graph.Edges, target, states)
}

// namedPages returns the name of each page of the graph: that of its URL, or else that of a variant of it, of the
// frameset around it, or of an iframe that is no page.
func (c *collector) namedPages(names map[string]string) []string {
	all := make([]string, len(c.graph.Pages))
	for i, p := range c.graph.Pages {
		all[i] = names[p.URL]
	}
	for _, r := range c.recs {
		for _, v := range r.Visits {
			for _, i := range c.graph.ByLoad[v.Load] {
				if all[i] == "" {
					all[i] = names[v.URL]
				}
			}
		}
	}
	return all
}
