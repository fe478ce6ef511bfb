package pages

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/web/frame"
	"nightjar/model/ontology"
)

// groupingPage shows a grouping, or one in the making.
type groupingPage struct {
	Line  groupingLine
	Links linkState
	View  *explore.View // nil while there is no result
	Text  string        // that is asked for
	Reply *answerView   // nil when nothing is asked

	Level       string // that is shown, in words, such as "similarity 0.75"
	Slider      levelSlider
	Icicle      *chart.Icicle // nil for one level
	Grouped     int
	Clusters    []treeNode
	Next        string // address of the clusters after these; "" for none
	Before      string
	Apart       treeNode
	Tree        []treeNode // terms of the ontology, or concepts
	More        string     // address of the concepts after these; "" for none
	Less        string
	Concepts    int // that are in the list of concepts
	Chosen      *pickedView
	NoWordNet   bool // it could be had
	Shown       bool // there is something to show
	AllClusters int  // of the level
}

// turn links to the previous and the next part of a list.
type turn struct{ Label, Before, Next string }

// levelSlider chooses the similarity from which on pages are alike, or the depth of the tree.
type levelSlider struct {
	Levels []levelStop
	Now    int
	Depths bool    // levels are depths
	Keep   []field // of the address, beside the level
}

// field is a name and a value of a form.
type field struct{ Name, Value string }

// levelStop is a level of the slider.
type levelStop struct {
	chart.LevelBar
	Href     string
	Name     string
	Kind     string // what Name is of: "similarity" or "depth"
	Says     string
	Now      bool
	Top      float64 // where the bar of LevelBar begins, in percent from above
	LargeTop float64
}

// Last is the number of the last level.
func (l levelSlider) Last() int { return len(l.Levels) - 1 }

// Of is the style class of the number of levels: it puts the slider's stops below the bars.
func (l levelSlider) Of() string { return "of-" + strconv.Itoa(len(l.Levels)) }

// pickedView is the cluster or the concept whose pages are listed.
type pickedView struct {
	Kind      string // "cluster", "apart" or "term"
	Name      string
	Class     string
	N         int
	Pages     []groupedPage
	All       int
	First     int // number of the first page in the list, from 1
	Last      int
	Next      string
	Before    string
	Words     []string // mapped to the concept, or to the concepts of the cluster's label
	MoreWords int      // that are not listed
	Links     string   // address of the links that say so; "" where nothing says anything
	Within    []crumb  // coarser clusters that hold this one, the next coarser first
}

// crumb is a coarser cluster.
type crumb struct{ Href, Name, Level string }

// groupedPage is a page of a grouping in a list.
type groupedPage struct {
	explore.Page
	Link     frame.Link
	Path     string
	Href     string // of what others say about it
	Share    string // weight of the chosen concept, or similarity to what was asked; "" without
	Concepts []conceptLink
}

type conceptLink struct{ Href, Name, Weight string }

const (
	groupedEach   = 50 // pages listed at once
	conceptsShown = 6  // of a page in a list
	wordsShown    = 24 // of a cluster or a term
)

// handleGrouping shows a grouping.
func (s *server) handleGrouping(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	ctx := r.Context()
	p, err := s.groupingPage(ctx, g)
	if err != nil {
		return err
	}
	l := frame.Layout{Title: p.Line.Title + " by " + p.Line.By(), Section: "explore"}
	v, d, err := s.viewOfGrouping(ctx, g)
	if errors.Is(err, explore.ErrNotReady) {
		if p.Links, err = s.linkState(ctx); err != nil {
			return err
		}
		return s.Render(w, r, http.StatusOK, "explore-making", l, p)
	}
	if err != nil {
		return err
	}
	p.View, p.NoWordNet = v, s.WordNet.State().Folder == ""
	p.Line.Options = v.Grouping.Options
	if len(v.Levels) > 0 {
		if err := s.fillGrouping(ctx, &p, d, placeOf(v, r.URL.Query())); err != nil {
			return err
		}
	}
	p.Text = chart.Shorten(mostAsked, frame.Printable(strings.TrimSpace(r.URL.Query().Get("q"))))
	if p.Text != "" {
		if p.Reply, err = s.answerOf(ctx, &p, d); err != nil {
			return err
		}
	}
	return s.Render(w, r, http.StatusOK, "explore-group", l, p)
}

func (s *server) groupingPage(ctx context.Context, g explore.Grouping) (p groupingPage, err error) {
	all, err := s.Ontologies.List(ctx)
	if err != nil {
		return p, err
	}
	p.Line, err = (&scopeNames{server: s}).line(ctx, g, all)
	return p, err
}

// viewOfGrouping reads a finished grouping, with the digest of its concepts.
func (s *server) viewOfGrouping(ctx context.Context, g explore.Grouping) (*explore.View, *digest, error) {
	v, err := s.Explore.View(ctx, g.ID)
	if err != nil {
		return nil, nil, err
	}
	var tree *ontology.Tree
	if g.Ontology != 0 {
		if tree, err = s.Ontologies.Tree(ctx, g.Ontology); err != nil {
			return nil, nil, err
		}
	}
	return v, s.digests.of(v, tree), nil
}

// fillGrouping fills in the view of a finished grouping.
func (s *server) fillGrouping(ctx context.Context, p *groupingPage, d *digest, at explorePlace) (err error) {
	v := d.view
	level := v.Levels[at.level]
	p.Shown, p.Level, p.Grouped, p.AllClusters = true, levelSays(level), level.Grouped, len(level.Clusters)
	if len(v.Levels) > 1 {
		p.picture(v, at)
	}
	p.Clusters, p.Next, p.Before = clusterTree(v, at)
	other := at
	other.term, other.cluster, other.apart, other.from = "", -1, true, 0
	p.Apart = treeNode{Href: other.href(), Name: "Not grouped", Pages: len(level.Apart), Now: at.apart}
	if d.tree != nil {
		p.Tree = d.termTree(at)
	} else {
		p.Tree, p.More, p.Less = d.conceptList(at)
	}
	p.Concepts = len(d.found)
	p.Chosen, err = s.chosen(ctx, d, at)
	return err
}

// picture draws the levels.
func (p *groupingPage) picture(v *explore.View, at explorePlace) {
	levels := make([]chart.IcicleLevel, len(v.Levels))
	for l, level := range v.Levels {
		levels[l] = chart.IcicleLevel{Name: levelName(level), Says: levelSays(level), Clusters: make([]chart.IcicleCluster, len(level.Clusters))}
		for i, c := range level.Clusters {
			levels[l].Clusters[i] = chart.IcicleCluster{Label: clusterLabel(c), Pages: len(c.Pages), Parent: c.Parent, Href: at.of(l, i).href()}
		}
	}
	picture := chart.Icicles(levels, len(v.Pages), at.level, at.cluster)
	p.Icicle = &picture
	p.Slider.Now, p.Slider.Depths = at.level, v.Levels[0].Depth > 0
	for l, bar := range chart.LevelBars(levels, len(v.Pages)) {
		n := len(v.Levels[l].Clusters)
		p.Slider.Levels = append(p.Slider.Levels, levelStop{LevelBar: bar, Href: at.at(l).href(), Name: levels[l].Name, Now: l == at.level,
			Top: 100 - bar.High, LargeTop: 100 - bar.Largest, Kind: levelKind(v.Levels[l]),
			Says: chart.Plural(v.Levels[l].Grouped, "page", "pages") + " in " + chart.Plural(n, "cluster", "clusters")})
	}
	if at.term != "" {
		p.Slider.Keep = []field{{"term", at.term}}
	}
}

// chosen lists the pages of the cluster or concept that is shown.
func (s *server) chosen(ctx context.Context, d *digest, at explorePlace) (*pickedView, error) {
	v, c := d.view, &pickedView{}
	level := v.Levels[at.level]
	var pages []pageShare
	var keys []string
	switch {
	case at.term != "":
		c.Kind, c.Name = "term", frame.Printable(d.name(at.term))
		pages, keys = d.have(at.term), []string{at.term}
	case at.apart:
		c.Kind, c.Name = "apart", "Not grouped"
		pages = placesOf(level.Apart)
	default:
		one := level.Clusters[at.cluster]
		c.Kind, c.Name, c.Class, c.N = "cluster", clusterLabel(one), clusterClass(at.cluster), at.cluster+1
		pages, keys = placesOf(one.Pages), one.Terms
		c.Within = within(v, at)
	}
	c.All = len(pages)
	var first int
	first, c.Last, c.Before, c.Next = frame.Window(at.from, c.All, groupedEach, func(from int) string {
		part := at
		part.from = from
		return part.href()
	})
	c.First = first + 1
	for _, one := range pages[first:c.Last] {
		c.Pages = append(c.Pages, groupedPageOf(v.Pages[one.page], at, one.weight))
	}
	if len(keys) == 0 || c.All == 0 {
		return c, nil
	}
	at.from = 0
	c.Links = groupingPath(at.grouping) + "/links?" + at.query().Encode()
	words, err := explore.WordsOfTerms(ctx, s.Store.DB, at.grouping, d.widen(keys))
	c.Words = words[:min(len(words), wordsShown)]
	c.MoreWords = len(words) - len(c.Words)
	return c, err
}

func placesOf(pages []int) []pageShare {
	all := make([]pageShare, len(pages))
	for i, page := range pages {
		all[i] = pageShare{page: page}
	}
	return all
}

// within lists the coarser clusters that hold one, as far as they hold more.
func within(v *explore.View, at explorePlace) (all []crumb) {
	last := len(v.Levels[at.level].Clusters[at.cluster].Pages)
	for l, i := at.level, at.cluster; l+1 < len(v.Levels); l++ {
		if i = v.Levels[l].Clusters[i].Parent; i < 0 || i >= len(v.Levels[l+1].Clusters) {
			break
		}
		if c := v.Levels[l+1].Clusters[i]; len(c.Pages) > last {
			last = len(c.Pages)
			all = append(all, crumb{at.of(l+1, i).href(), clusterLabel(c), levelNote(v.Levels[l+1])})
		}
	}
	return all
}

func groupedPageOf(one explore.Page, at explorePlace, weight float64) groupedPage {
	g := groupedPage{Page: one, Link: frame.LinkTo(one.URL, one.Title), Path: chart.Shorten(80, frame.PathOf(one.URL))}
	g.Href = "/explore/pages/" + strconv.FormatInt(one.ID, 10) + "?grouping=" + strconv.FormatInt(at.grouping, 10)
	if weight > 0 {
		g.Share = frame.Decimal(weight)
	}
	for _, c := range one.Concepts[:min(len(one.Concepts), conceptsShown)] {
		g.Concepts = append(g.Concepts, conceptLink{explorePlace{grouping: at.grouping, level: at.level, cluster: -1, term: c.Key}.href(),
			chart.Shorten(60, frame.Printable(c.Name)), frame.Decimal(c.Weight)})
	}
	return g
}

// clusterClass is the style class of the swatch of a cluster, the largest first.
func clusterClass(i int) string {
	if i >= 8 {
		return "unknown"
	}
	return chart.ClusterClass(i + 1)
}
