package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
	"nightjar/model"
)

// modelsPage lists the topics when there is not exactly one.
type modelsPage struct {
	Next   *nextStep
	Topics []store.TopicView
}

// modelPage shows what was learned of one topic.
type modelPage struct {
	Topic    store.Topic
	Topics   []store.TopicView
	Model    *store.Model // nil when the topic has none yet
	Latest   bool
	Versions []*store.Model
	Bundle   *model.Bundle
	Clusters []clusterCard
	Concept  graphView
	States   graphView
	A, B     matrix
	Pages    []modelPageLine
}

// clusterCard is a cluster with its words.
type clusterCard struct {
	N      int
	Class  string
	Size   int
	Odds   []string
	Mutual []string
}

// matrix is a heat map with its headings.
type matrix struct {
	Caption string
	Columns []string
	Rows    []matrixRow
}

type matrixRow struct {
	Name  string
	Cells []float64
}

type modelPageLine struct {
	Link    link
	Cluster int
	Class   string
	State   int
	Words   int
}

func (s *Server) handleModels(w http.ResponseWriter, r *http.Request) error {
	topics, err := s.Store.TopicViews(r.Context())
	if err != nil {
		return err
	}
	if len(topics) == 1 {
		http.Redirect(w, r, "/model/"+strconv.FormatInt(topics[0].ID, 10), http.StatusSeeOther)
		return nil
	}
	p := modelsPage{Topics: topics}
	if len(topics) == 0 {
		overview, err := s.Store.Overview(r.Context())
		if err != nil {
			return err
		}
		p.Next = s.nextStep(overview, topics)
	}
	return s.render(w, r, http.StatusOK, "models", layout{Title: "Models", Section: "model"}, p)
}

func (s *Server) handleModel(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	topic, err := s.topic(r)
	if err != nil {
		return err
	}
	p := modelPage{Topic: topic}
	if p.Topics, err = s.Store.TopicViews(ctx); err != nil {
		return err
	}
	if p.Versions, err = s.Store.Models(ctx, topic.ID); err != nil {
		return err
	}
	if len(p.Versions) > 0 {
		if p.Model, err = pick(p.Versions, chi.URLParam(r, "version")); err != nil {
			return err
		}
		p.Latest = p.Model == p.Versions[0]
		bundle, _, err := s.bundles.get(ctx, s.Store, p.Model.ID)
		if err == nil {
			p.show(bundle)
		} else if !errors.Is(err, store.ErrNotFound) { // which says that what it knew was erased
			return err
		}
	}
	return s.render(w, r, http.StatusOK, "model", layout{Title: "Model: " + topic.Name, Section: "model"}, p)
}

// pick finds a version, the newest when none is named.
func pick(all []*store.Model, version string) (*store.Model, error) {
	if version == "" {
		return all[0], nil
	}
	for _, m := range all {
		if strconv.Itoa(m.Version) == version {
			return m, nil
		}
	}
	return nil, store.ErrNotFound
}

// show turns a bundle into tables and pictures.
func (p *modelPage) show(b *model.Bundle) {
	p.Bundle = b
	states := len(b.Transition)
	for k, c := range b.Clusters {
		p.Clusters = append(p.Clusters, clusterCard{k, chart.ClusterClass(k), c.Size, words(c.LogOdds, 30), words(c.MutualInformation, 30)})
	}
	var nodes []chart.ConceptPage
	for _, f := range b.Pages {
		name := titleOr(f.Title, f.URL)
		nodes = append(nodes, chart.ConceptPage{Title: name, URL: f.URL, Cluster: f.Cluster, State: f.State})
		p.Pages = append(p.Pages, modelPageLine{link{f.URL, name}, f.Cluster, chart.ClusterClass(f.Cluster), f.State, f.Words})
	}
	p.Concept = graphView{ID: "concept", Class: "concept", Title: "Concept graph with hop labels",
		Picture: chart.Concept(nodes, b.Edges, states),
		Caption: "Every page of the training in the column of its state; the number is its cluster. Blue arrows lead nearer to a useful page."}
	p.States = graphView{ID: "states", Class: "states fit", Title: "Hidden states and how likely a link leads from one to another",
		Picture: chart.States(b.Transition),
		Caption: "Arcs above lead towards useful pages, arcs below away from them. Below 1 % is not drawn."}
	p.A = matrix{Caption: "A: from the state of a page (row) to the state of a page it links to (column)"}
	p.B = matrix{Caption: "B: how often a page in a state (row) is of a cluster (column)"}
	for j := states - 1; j >= 0; j-- {
		p.A.Columns = append(p.A.Columns, "T"+strconv.Itoa(j))
	}
	for k := range b.Clusters {
		p.B.Columns = append(p.B.Columns, strconv.Itoa(k))
	}
	for i := states - 1; i >= 0; i-- {
		row := matrixRow{Name: "T" + strconv.Itoa(i)}
		for j := states - 1; j >= 0; j-- {
			row.Cells = append(row.Cells, b.Transition[i][j])
		}
		p.A.Rows = append(p.A.Rows, row)
		p.B.Rows = append(p.B.Rows, matrixRow{Name: row.Name, Cells: b.Emission[i]})
	}
}

func words(scored []model.Word, count int) []string {
	var all []string
	for _, w := range scored[:min(count, len(scored))] {
		all = append(all, w.Word)
	}
	return all
}
