package pages

import (
	"context"
	"fmt"
	"slices"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/web/frame"
)

// webView is the picture of a session's web graph, or of a part of it.
type webView struct {
	chart.WebPicture
	Hrefs  []string // by node: of the page's row in the table
	Titles []string // by node: the whole title, where the picture shows a part of it
	Legend []frame.ClusterKey
	Loose  int // pages in no cluster
	Path   string
	Step   *webStep  // the step shown, nil for none
	First  int       // steps before this part
	All    int       // steps in all
	Parts  []webPart // nil when there is one picture
	Left   []string  // what is not drawn, in sentences
}

// webPart is a link to a part of a web graph.
type webPart struct {
	N, From, To int // number of the part, of its first step and of its last
	Shown       bool
}

// webStep is a step of the way that the person took.
type webStep struct {
	N, Of       int
	Says        string
	Before, Now string // paths of the steps before it, and of the step
	At          int    // the node it leads to
	Prev, Next  int    // 0 for none
}

// webAsked says what is to be seen of a web graph: the number of a step, 0 for none, that of a part, and that of the first row of
// the table beside it.
type webAsked struct{ step, part, from int }

// webViewOf draws the web graph of a session.
func (s *server) webViewOf(ctx context.Context, one sessions.Session, w *keptWeb, asked webAsked) (*webView, error) {
	clusters, legend, err := s.clustersOf(ctx, one.TopicID, w)
	if err != nil {
		return nil, err
	}
	v := viewOfPart(w, w.partOf(asked.step, asked.part), clusters)
	v.Legend, v.Path = inPicture(legend, v.WebPicture), "/sessions/"+one.UUID
	v.hrefs(w, asked.from)
	v.Step = webStepOf(w, asked.step)
	return v, nil
}

// viewOfPart draws a part of a web graph. clusters has the cluster of each page; it may be nil.
func viewOfPart(w *keptWeb, k int, clusters []int) *webView {
	part := w.Parts[k]
	pages, links, moves := part.Cut(w.drawn(), w.Links, w.Moves)
	var of []int
	for _, page := range part.Pages {
		if clusters != nil {
			of = append(of, clusters[page])
		}
	}
	v := &webView{WebPicture: chart.DrawWeb(part.Layout, pages, links, moves, of), First: part.From, All: len(w.Moves)}
	for i := range v.Nodes {
		v.Nodes[i].Page = part.Pages[v.Nodes[i].Page]
	}
	for _, c := range of {
		if c < 0 {
			v.Loose++
		}
	}
	for i, p := range w.Parts {
		if len(w.Parts) > 1 {
			v.Parts = append(v.Parts, webPart{i + 1, p.From + 1, p.To, i == k})
		}
	}
	v.Left = leftOut(v, len(w.Pages))
	return v
}

// inPicture keeps the lines of a legend for the clusters in a picture.
func inPicture(legend []frame.ClusterKey, p chart.WebPicture) (all []frame.ClusterKey) {
	for _, key := range legend {
		if slices.ContainsFunc(p.Nodes, func(n chart.WebNode) bool { return n.Shape == key.Shape && !n.Target }) {
			all = append(all, key)
		}
	}
	return all
}

// hrefs fills in what the picture needs of the pages beside their places.
func (v *webView) hrefs(w *keptWeb, from int) {
	for _, n := range v.Nodes {
		v.Hrefs = append(v.Hrefs, frame.RowHref(n.Page, from, v.part()))
		whole := chart.Shorten(160, frame.Printable(w.Pages[n.Page].Title))
		if whole == n.Title {
			whole = ""
		}
		v.Titles = append(v.Titles, whole)
	}
}

// Near are the part that is shown and those beside it.
func (v *webView) Near() []webPart {
	k := v.part() - 1
	return v.Parts[max(0, k-1):min(len(v.Parts), k+2)]
}

// part is the number of the part that is shown, 0 when there is one picture.
func (v *webView) part() int {
	for _, p := range v.Parts {
		if p.Shown {
			return p.N
		}
	}
	return 0
}

// leftOut says what the picture does not show of a session with some pages.
func leftOut(v *webView, pages int) []string {
	var all []string
	if rest := pages - len(v.Nodes); rest > 0 {
		all = append(all, fmt.Sprintf("The session is too large for one picture, so it is drawn in %s along the way you took. Here are %s; %s in the other parts only.",
			chart.Number(len(v.Parts))+" parts", chart.Plural(len(v.Nodes), "page", "pages"), chart.Plural(rest, "page is", "pages are")))
	}
	if v.LeftOut > 0 {
		all = append(all, fmt.Sprintf("Of the links that you did not follow, the %s longest are drawn only where you point at their page.", chart.Number(v.LeftOut)))
	}
	return all
}

// clustersOf returns the cluster of each page in the newest model of the topic, -1 for none, and the lines of the legend.
func (s *server) clustersOf(ctx context.Context, topic int64, w *keptWeb) ([]int, []frame.ClusterKey, error) {
	versions, err := models.All(ctx, s.Store.DB, topic)
	if err != nil || len(versions) == 0 {
		return nil, nil, err
	}
	b, _, err := s.Bundles.Bundle(ctx, versions[0].ID)
	if err != nil { // erased, or of another format: the picture has no clusters then
		return nil, nil, nil //nolint:nilerr // the Model page says why
	}
	of := make(map[string]int, len(b.Pages))
	for _, p := range b.Pages {
		of[p.URL] = p.Cluster
	}
	count := make([]int, len(b.Clusters))
	all := make([]int, len(w.Pages))
	for i, p := range w.Pages {
		all[i] = -1
		if c, ok := of[p.URL]; ok {
			all[i] = c
			count[c]++
		}
	}
	var legend []frame.ClusterKey
	for k := 1; k < len(b.Clusters); k++ {
		if count[k] > 0 {
			legend = append(legend, frame.ClusterKey{N: k, Class: chart.ClusterClass(k), Shape: chart.ClusterShape(k), Pages: count[k], Words: b.ClusterWords(k, 3)})
		}
	}
	return all, legend, nil
}

// webStepOf describes a step; nil when there is none with this number.
func webStepOf(w *keptWeb, n int) *webStep {
	if n < 1 || n > len(w.Moves) {
		return nil
	}
	part := w.Parts[w.partOf(n, 0)]
	_, _, steps := part.Cut(w.drawn(), w.Links, w.Moves)
	m := w.Moves[n-1]
	v := &webStep{N: n, Of: len(w.Moves), At: steps[n-1-part.From].To, Prev: n - 1}
	if n < len(w.Moves) {
		v.Next = n + 1
	}
	v.Before, v.Now = chart.WebSteps(part.Layout, steps[:n-part.From])
	how := "from"
	if m.Back {
		how = "back from"
	}
	v.Says = fmt.Sprintf("Step %d of %d: %s “%s” to “%s”", n, len(w.Moves), how,
		chart.Shorten(80, frame.Printable(w.Pages[m.From].Title)), chart.Shorten(80, frame.Printable(w.Pages[m.To].Title)))
	return v
}
