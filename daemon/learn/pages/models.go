package pages

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/overview"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// modelsPage lists the topics, unless there is exactly one.
type modelsPage struct {
	Topics []overview.TopicView
}

// modelPage shows a version of a topic's model.
type modelPage struct {
	Topic    topics.Topic
	Topics   []overview.TopicView
	Model    *models.Model // nil when the topic has none yet
	Latest   bool
	Versions []*models.Model
	Gone     string // why the version cannot be shown, in words
	Bundle   *model.Bundle
	Sure     sureView
	Foreseen *tonight.Foreseen // what a night is expected to bring with the newest version; nil without start pages
	Relevant relevantView
	Clusters []clusterCard
	Words    wordsView
	Concept  conceptView
	States   statesView
	A, B     matrix
	Pages    []modelPageLine // the part that is shown

	All       int // pages it was trained on
	PageParts []frame.RowsPart
	Ways      waysView

	Part  string    // which part of the page is shown, "" for the overview
	Parts []partTab // nil without a model that can be shown
	Base  string    // address of the version, to which a part's name is added

	// The overview.
	Says, LinkSays, GraphSays, SureSays string
	Hops                                []hopLine
	TopWords                            wordsView

	Ancestors   int      // known pages that lead to useful ones
	LinkQueries []string // about the useful pages, for a search instance

	OnlyWrong bool // of the ways, those with a wrong label
	From      int  // number of the first way or page shown

	Milestones any // for the template "milestones"
	Arms       night.Arms
}

func (s *server) handleModels(w http.ResponseWriter, r *http.Request) error {
	topics, err := overview.Topics(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	if len(topics) == 1 {
		return frame.SeeOther(w, r, protocol.ModelPath(topics[0].ID))
	}
	p := modelsPage{Topics: topics}
	return s.Render(w, r, http.StatusOK, "models", frame.Layout{Title: "Topics", Section: "model"}, p)
}

func (s *server) handleModel(w http.ResponseWriter, r *http.Request, topic topics.Topic) error {
	ctx := r.Context()
	p := modelPage{Topic: topic, OnlyWrong: r.URL.Query().Get("ways") == "wrong", Part: r.PathValue("part"), From: frame.QueryInt(r, "from")}
	if !slices.ContainsFunc(modelParts, func(known struct{ key, name string }) bool { return known.key == p.Part }) {
		return frame.ErrNoPage
	}
	var err error
	if p.Topics, err = overview.Topics(ctx, s.Store.DB); err != nil {
		return err
	}
	if p.Versions, err = models.All(ctx, s.Store.DB, topic.ID); err != nil {
		return err
	}
	if len(p.Versions) > 0 {
		if p.Model, err = pick(p.Versions, r.PathValue("version")); err != nil {
			return err
		}
		p.Latest = p.Model == p.Versions[0]
	}
	if err := s.showModel(ctx, &p); err != nil {
		return err
	}
	p.link(topic.ID)
	if p.Latest && p.Bundle != nil && p.Part == "" {
		if p.Foreseen, err = s.Night.ForeseenTopic(ctx, topic.ID); err != nil {
			return err
		}
	}
	if p.Milestones, err = s.Milestones.MilestonesPart(ctx, topic, p.Versions); err != nil {
		return err
	}
	if p.Arms, err = night.ArmsOf(ctx, s.Store, topic.ID); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "model", frame.Layout{Title: "Model: " + topic.Name, Section: "model"}, p)
}

// link fills in the links to the parts of the page. Those of the newest version stay with the newest.
func (p *modelPage) link(topic int64) {
	if p.Bundle == nil {
		return
	}
	overview := protocol.ModelPath(topic)
	p.Base = overview + "/" + newest
	if !p.Latest {
		overview += "/" + strconv.Itoa(p.Model.Version)
		p.Base = overview
	}
	for _, part := range modelParts {
		href := overview
		if part.key != "" {
			href = p.Base + "/" + part.key
		}
		p.Parts = append(p.Parts, partTab{Href: href, Name: part.name, Current: part.key == p.Part})
	}
}

// newest stands for the number of the newest version in addresses.
const newest = "newest"

// showModel fills in the model of the picked version, or why it cannot be shown.
func (s *server) showModel(ctx context.Context, p *modelPage) error {
	if p.Model == nil {
		p.Gone = "This topic has no model yet. Submit a session of this topic."
		return nil
	}
	bundle, err := s.Bundles.Assessed(ctx, p.Model.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		p.Gone = "The data of this version was erased."
	case errors.Is(err, model.ErrOlderFormat):
		p.Gone = "An older Nightjar made this version, and this one cannot read it. Train again to make a new version."
	case errors.Is(err, model.ErrNewerFormat):
		p.Gone = "A newer Nightjar made this version, and this one cannot read it."
	case err != nil:
		return err
	default:
		p.show(bundle)
		p.Ways = waysOf(bundle.Ways, bundle.NoWays, p.OnlyWrong, p.From)
		p.Sure = sureOf(bundle, s.assessing(p))
		p.overview(bundle)
		if p.Part == "graph" {
			s.showGraph(ctx, p, bundle)
		}
	}
	return nil
}

// assessing returns the percentage that is done of the assessment of the version shown, nil when none is running.
func (s *server) assessing(p *modelPage) *int {
	status := s.Trainer.Status(p.Topic.ID)
	if !status.Running || !p.Latest || status.Stage != model.StageAssess && status.Stage != model.StageRehearse {
		return nil
	}
	percent := status.Percent()
	return &percent
}

// pick returns a version, the newest one for "" and "newest".
func pick(all []*models.Model, version string) (*models.Model, error) {
	if version == "" || version == newest {
		return all[0], nil
	}
	if i := slices.IndexFunc(all, func(m *models.Model) bool { return strconv.Itoa(m.Version) == version }); i >= 0 {
		return all[i], nil
	}
	return nil, store.ErrNotFound
}

// partTab leads to a part of the page.
type partTab struct {
	Href, Name string
	Current    bool
}

// Orders of other forms than the services have them: train trains a topic's model again, stopTraining keeps the previous one, and
// stopCrawl keeps a crawl's finds.
func train(t Trainer, _ context.Context, topic int64) error {
	t.Submit(topic)
	return nil
}

func stopTraining(t Trainer, _ context.Context, topic int64) error {
	t.Cancel(topic)
	return nil
}
