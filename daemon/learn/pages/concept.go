package pages

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/chart"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// conceptForm is the version of conceptView and of how it is made. What an older version kept is made again.
const conceptForm = "2"

// conceptView is the concept graph with what it needs of the pages beside their places. A model never changes, so it is laid
// out once and kept in the store.
type conceptView struct {
	chart.ConceptPicture
	Titles  []string // by node: the whole title, where the picture shows a part of it
	Legend  []frame.ClusterKey
	Caption string
	Hrefs   []string `json:"-"` // by node: of the page's row in the table
	Beside  bool     `json:"-"` // a web graph on the same page has the symbols
}

// showGraph fills in the concept graph of a model's version and the part of its pages that begins with row number from.
func (s *server) showGraph(ctx context.Context, p *modelPage, b *model.Bundle) {
	p.Ancestors = len(b.Ancestors)
	p.LinkQueries, _ = linkQueries(b)
	p.Concept = s.keptConcept(ctx, p.Model.ID, b)
	for _, n := range p.Concept.Nodes {
		p.Concept.Hrefs = append(p.Concept.Hrefs, frame.RowHref(n.Page, p.From, 0))
	}
	for i, f := range b.Pages {
		p.Pages = append(p.Pages, modelPageLine{i + 1, frame.LinkTo(f.URL, f.Title), f.Cluster, chart.ClusterClass(f.Cluster), f.State, f.Words})
	}
	p.All = len(p.Pages)
	p.Pages, p.PageParts = frame.PartOf(p.Pages, p.From, frame.RowsShown)
}

// keptConcept returns the concept graph of a model, as it was kept or made now.
func (s *server) keptConcept(ctx context.Context, modelID int64, b *model.Bundle) conceptView {
	var v conceptView
	body, err := modelPicture(ctx, s.Store.DB, modelID, conceptForm)
	if err == nil && frame.Unpack(body, &v) == nil {
		return v
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) { // the page can be shown all the same
		s.Log.Warn("the concept graph that was kept cannot be read", "err", err)
	}
	v = conceptOfBundle(b)
	if body, err = frame.Pack(v); err == nil {
		err = keepModelPicture(ctx, s.Store.DB, modelID, conceptForm, body)
	}
	if err != nil {
		s.Log.Warn("the concept graph was not kept", "err", err)
	}
	return v
}

// conceptOfBundle draws the concept graph of a model.
func conceptOfBundle(b *model.Bundle) conceptView {
	var nodes []chart.ConceptPage
	var legend []frame.ClusterKey
	for _, f := range b.Pages {
		nodes = append(nodes, chart.ConceptPage{Title: frame.TitleOr(f.Title, f.URL), URL: f.URL, Cluster: f.Cluster, State: f.State})
	}
	for k, c := range b.Clusters {
		if k > 0 {
			legend = append(legend, frame.ClusterKey{N: k, Class: chart.ClusterClass(k), Shape: chart.ClusterShape(k), Pages: c.Size, Words: b.ClusterWords(k, 3)})
		}
	}
	return conceptOf(nodes, b.Edges, len(b.Transition), legend)
}

func conceptOf(nodes []chart.ConceptPage, edges [][2]int, states int, legend []frame.ClusterKey) conceptView {
	picture, whole := chart.Concept(nodes, edges, states)
	v := conceptView{ConceptPicture: picture, Legend: legend,
		Caption: "Pages stand by how many clicks they are from a useful one, useful ones last. Blue lines lead nearer to it. Colour and shape show the cluster."}
	if !whole {
		v.Caption += fmt.Sprintf(" Of the %s links, one shortest path from each page is drawn, through the page that most others lead to; "+
			"point at a page to see its other links.", chart.Number(len(edges)))
	}
	if picture.Lost > 0 {
		v.Caption += fmt.Sprintf(" %s not drawn; the table below lists all.", chart.Plural(picture.Lost, "page is", "pages are"))
	}
	for _, n := range v.Nodes {
		whole := chart.Shorten(160, frame.Printable(nodes[n.Page].Title))
		if whole == n.Title {
			whole = ""
		}
		v.Titles = append(v.Titles, whole)
	}
	return v
}

// modelPicture returns what was kept of the concept graph of a model's version in this form, or ErrNotFound.
func modelPicture(ctx context.Context, d *db.DB, modelID int64, of string) (body []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT body FROM model_pictures WHERE model_id = ? AND of = ?`, modelID, of).Scan(&body)
	return db.Found(body, err)
}

// keepModelPicture keeps the concept graph of a model's version in place of an earlier one. It keeps nothing for a version
// whose data was deleted meanwhile. When the data is deleted or changed, the picture goes (a trigger).
func keepModelPicture(ctx context.Context, d *db.DB, modelID int64, of string, body []byte) error {
	return d.Exec(ctx, `INSERT INTO model_pictures (model_id, of, body) SELECT id, ?2, ?3 FROM models
		WHERE id = ?1 AND length(bundle) > 0
		ON CONFLICT (model_id) DO UPDATE SET of = excluded.of, body = excluded.body`, modelID, of, body)
}
