package trainer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightjar/crawler/feature"
	"nightjar/crawler/page"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model/ways"
	"nightjar/model/webgraph"
)

// fewPaths is the number of positive paths below which shortest ways are added.
const fewPaths = 10

// Paths returns the ways that a person took in sessions, and those of marked finds, newest first, each once. The
// sessions and finds may come in any order.
//
//   - A way to a page marked Useful is positive, one for each visit to such a page. A page is useful when any session or
//     find says so.
//   - A way to a page that the person left (see session.Node.Leaf) is negative, unless a page on it is useful. Below a
//     useful page only a page marked Not useful ends a negative way. The page on which a session ended ends none.
//   - The trail of a find is positive or negative, like its mark; so is what is left of it when pages of it were deleted.
//   - With fewer than 10 positive ways, the shortest way from a start page to each useful page is added, along links that
//     exist but may not have been followed. It may pass other useful pages.
//
// Ways keep their last ways.MaxSteps pages; those of one kind with the same pages and links are one. At most
// ways.MaxPaths are returned, the newest.
//
// names are the milestones by canonical URL; nil uses the names that were given in the sessions. states is the number of
// layers, at least 1: see webgraph.Layers. The graph is that of the training set with the whole trails of all finds.
//
// The error is ctx.Err(), or says that states is wrong. Paths checks ctx only after it has parsed the sessions, which
// takes seconds for thousands of pages.
func Paths(
	ctx context.Context, recs []*session.Session, marked []trainingdata.MarkedFind, names map[string]string, sets feature.Sets, states int,
) ([]ways.Path, error) {
	return pathsWithout(ctx, nil, recs, marked, names, sets, states)
}

// pathsWithout is Paths without the ways that pass one of the hidden pages, none of which counts as useful.
func pathsWithout(
	ctx context.Context, hidden map[string]bool, recs []*session.Session, marked []trainingdata.MarkedFind, names map[string]string, sets feature.Sets, states int,
) ([]ways.Path, error) {
	if states < 1 {
		return nil, fmt.Errorf("collect paths: %d layers; at least 1 is needed", states)
	}
	c := newCollector(recs, marked, hidden)
	if names == nil {
		names = session.Named(c.recs)
	}
	walked := c.merged(ways.MaxPaths)
	if few := positive(walked); few < fewPaths {
		added := c.open(c.shortest(walked))
		added = added[:min(len(added), ways.MaxPaths)]
		walked = append(walked[:min(len(walked), ways.MaxPaths-len(added))], added...)
	}
	d := describer{
		graph: c.graph, sets: sets, names: c.namedPages(names), hops: c.hops(states),
		pages: map[*page.Page][]string{}, links: map[place][]string{}, read: map[*page.Page]feature.Reader{},
	}
	return d.describe(ctx, walked)
}

// way is a path without the features of its pages and links.
type way struct {
	kind     ways.Kind
	positive bool
	root     string // URL
	stops    []stop
	count    int

	// Order in time.
	at     time.Time
	source string // session or find
	n      int    // in the source
}

// stop is a page of a way.
type stop struct {
	at     int        // index in the graph
	page   *page.Page // as it was then, nil without content
	link   int        // index of the link that was followed, in the page before; -1 for none
	anchor string     // of a link that the page before does not show
}

// collector collects the ways of sessions and finds.
type collector struct {
	graph    *webgraph.Graph
	recs     []*session.Session        // oldest first
	marked   []trainingdata.MarkedFind // oldest first
	trails   [][]*page.Page            // of marked
	all      []way
	contents map[int][]*page.Page // of the pages of the graph, oldest first
	roots    map[int]string       // of pages with which trees began
	hidden   map[string]bool      // by URL
}

func newCollector(recs []*session.Session, marked []trainingdata.MarkedFind, hidden map[string]bool) *collector {
	c := &collector{
		hidden: hidden,
		recs:   slices.Clone(recs), marked: slices.Clone(marked), contents: map[int][]*page.Page{}, roots: map[int]string{},
	}
	slices.SortStableFunc(c.recs, func(a, b *session.Session) int {
		return cmp.Or(a.LastEvent.Compare(b.LastEvent), cmp.Compare(a.ID, b.ID))
	})
	slices.SortStableFunc(c.marked, func(a, b trainingdata.MarkedFind) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	var loads []webgraph.Load
	for _, r := range c.recs {
		loads = append(loads, r.Loads()...)
	}
	for _, find := range c.marked {
		pages := parseTrail(find, 0)
		c.trails = append(c.trails, pages)
		loads = append(loads, findLoads(find, pages)...)
	}
	c.graph = webgraph.Build(loads)
	for i := range c.graph.Pages {
		p := &c.graph.Pages[i]
		p.Target = p.Target && !hidden[p.URL]
	}
	for _, r := range c.recs {
		c.addSession(r)
	}
	for i, find := range c.marked {
		c.addTrail(find, c.trails[i])
	}
	c.all = c.open(c.all)
	return c
}

// open leaves out the ways that pass a hidden page.
func (c *collector) open(all []way) []way {
	return slices.DeleteFunc(all, func(one way) bool {
		return slices.ContainsFunc(one.stops, func(s stop) bool { return c.hidden[c.graph.Pages[s.at].URL] })
	})
}

// addSession adds the ways of a session.
func (c *collector) addSession(r *session.Session) {
	nodes := r.Forest(c.graph)
	good := map[int]bool{} // screens with a useful page
	for _, n := range nodes {
		if c.graph.Pages[n.At].Target {
			good[n.Screen] = true
		}
		if n.Page != nil {
			c.contents[n.At] = append(c.contents[n.At], n.Page)
		}
		if n.Parent < 0 && c.roots[n.At] == "" {
			c.roots[n.At] = n.Root
		}
	}
	useful := make([]bool, len(nodes)) // the page, what is shown with it, or a page before it
	for i, n := range nodes {
		useful[i] = good[n.Screen] || n.Parent >= 0 && useful[n.Parent]
		one := way{root: n.Root, count: 1, at: r.LastEvent, source: r.ID, n: i}
		switch {
		case c.graph.Pages[n.At].Target:
			one.kind, one.positive = ways.Marked, true
		case n.Leaf && (n.NotUseful || !useful[i]):
			one.kind = ways.Left
		default:
			continue
		}
		for at := i; at >= 0; at = nodes[at].Parent {
			one.stops = append(one.stops, stop{at: nodes[at].At, page: nodes[at].Page, link: nodes[at].Link})
		}
		slices.Reverse(one.stops)
		c.add(one)
	}
}

// addTrail adds the way to a find, from behind the last page that was deleted.
func (c *collector) addTrail(find trainingdata.MarkedFind, pages []*page.Page) {
	one := way{kind: ways.Find, positive: find.Useful, count: 1, at: find.At, source: fmt.Sprintf("find %020d", find.ID)}
	for i, p := range pages {
		at := c.graph.ByLoad[stepID(find, i)]
		if p == nil || len(at) == 0 {
			one.stops = nil
			continue
		}
		s := stop{at: at[0], page: p, link: -1}
		c.contents[s.at] = append(c.contents[s.at], p)
		switch {
		case len(one.stops) == 0:
			one.root = c.graph.Pages[s.at].URL
		case find.Trail[i-1].Gap:
			one.stops, one.root = nil, c.graph.Pages[s.at].URL
		default:
			s.link = linkTo(pages[i-1], find.Trail[i].Requested, find.Trail[i].URL)
			s.anchor = find.Trail[i].Anchor
		}
		one.stops = append(one.stops, s)
	}
	if len(one.stops) == 0 || !find.Useful && c.graph.Pages[one.stops[len(one.stops)-1].at].Target {
		return // deleted, or marked Useful elsewhere
	}
	c.add(one)
}

// linkTo returns the index of a page's link to the first of the addresses that it links to, or -1.
func linkTo(p *page.Page, addresses ...string) int {
	for _, address := range addresses {
		if i := slices.IndexFunc(p.Links, func(l page.Link) bool { return l.URL == address }); i >= 0 {
			return i
		}
	}
	return -1
}

// add adds a way, cut to its last pages.
func (c *collector) add(one way) {
	one.stops = one.stops[max(0, len(one.stops)-ways.MaxSteps):]
	c.all = append(c.all, one)
}

// merged returns the newest ways, newest first, each once with how many there are.
func (c *collector) merged(most int) []way {
	slices.SortFunc(c.all, func(a, b way) int {
		return cmp.Or(b.at.Compare(a.at), strings.Compare(b.source, a.source), cmp.Compare(b.n, a.n))
	})
	var all []way
	known := map[string]int{} // index in all
	for _, one := range c.all {
		key := fmt.Sprint(one.kind, one.positive, "\n", c.key(one.stops))
		if i, ok := known[key]; ok {
			all[i].count++
			continue
		}
		known[key] = len(all)
		all = append(all, one)
	}
	return all[:min(len(all), most)]
}

// key is the same for ways with the same pages and links.
func (c *collector) key(stops []stop) string {
	var b strings.Builder
	for i, s := range stops {
		if i > 0 && s.link >= 0 {
			b.WriteString(stops[i-1].page.Links[s.link].URL)
		}
		b.WriteString("\n" + c.graph.Pages[s.at].URL + "\n")
	}
	return b.String()
}

func positive(all []way) (n int) {
	for _, one := range all {
		if one.positive {
			n++
		}
	}
	return n
}
