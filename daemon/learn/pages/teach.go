package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/questions"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/measure"
)

const (
	teachMost    = 20  // questions of a round
	teachOfSite  = 4   // of them from one site, when a round is put together from stored pages
	teachChoice  = 300 // stored pages to choose from
	passageRunes = 700
)

// teachPage asks about one page after another.
type teachPage struct {
	Topic    topics.Topic
	Model    bool // the topic has one
	Total    int
	Done     int
	Useful   int
	Not      int
	Skipped  int
	Question *teachQuestion // nil when all are answered, or there are none
	Learning bool
	Problem  string
	Learn    bool // there are answers that no training has learned from
	Gained   []gain
	From, To int // versions that are compared
}

// teachQuestion is the page that the person is asked about.
type teachQuestion struct {
	FetchID int64
	N       int
	Link    frame.Link
	Passage string
}

// gain is one measure of a model before and after.
type gain struct {
	What      string
	Was, Is   measure.Figure
	Low, High float64 // 95 % interval of the difference
	Verdict   string
}

func (s *server) handleTeach(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	p, err := s.teach(r.Context(), t)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "teach", frame.Layout{Title: "Teach " + frame.Printable(t.Name), Section: "model"}, p)
}

// teach reads the state of a topic's round.
func (s *server) teach(ctx context.Context, t topics.Topic) (teachPage, error) {
	p := teachPage{Topic: t}
	latest, err := models.Latest(ctx, s.Store.DB, t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Model = true
	asked, err := s.round(ctx, t.ID)
	if err != nil {
		return p, err
	}
	p.Total = len(asked)
	for _, q := range asked {
		switch q.Answer {
		case store.MarkUseful:
			p.Useful++
		case store.MarkNotUseful:
			p.Not++
		case questions.Skip:
			p.Skipped++
		default:
			if p.Question == nil {
				if p.Question, err = s.question(ctx, q, latest.ID); err != nil {
					return p, err
				}
			}
			continue
		}
		p.Done++
		p.From = q.Version
	}
	status := s.Trainer.Status(t.ID)
	p.Learning, p.Problem = status.Running, frame.Sentence(status.Problem)
	p.Learn = p.Useful+p.Not > 0 && latest.Version == p.From && !p.Learning
	if p.Done > 0 && latest.Version > p.From {
		return p, s.gained(ctx, &p, latest)
	}
	return p, nil
}

// round lists the first questions of a topic whose pages can be shown.
func (s *server) round(ctx context.Context, topicID int64) ([]questions.Question, error) {
	all, err := questions.All(ctx, s.Store.DB, topicID)
	all = slices.DeleteFunc(all, func(q questions.Question) bool { return q.Hash == nil })
	return all[:min(teachMost, len(all))], err
}

// question reads the passage of a page that says most about it.
func (s *server) question(ctx context.Context, q questions.Question, modelID int64) (*teachQuestion, error) {
	v := &teachQuestion{FetchID: q.FetchID, N: q.N, Link: frame.LinkTo(q.URL, q.Title)}
	html, err := s.Store.Content(ctx, q.Hash)
	if errors.Is(err, store.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	parsed, err := page.Parse(q.URL, page.ContentUTF8, html)
	if err != nil {
		return v, nil // it is shown by its title
	}
	bundle, _, err := s.Bundles.Bundle(ctx, modelID)
	if err != nil && !models.Unreadable(err) {
		return nil, err
	}
	if bundle != nil {
		v.Passage = reason.Of(bundle, parsed.Language, parsed.Title, parsed.Text, nil).Passage
	}
	v.Passage = chart.Shorten(passageRunes, frame.Printable(cmp.Or(v.Passage, parsed.Text)))
	return v, nil
}

// handleTeachStart puts a round together from stored pages: those whose probability lies nearest to the judge's boundary.
func (s *server) handleTeachStart(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	ctx := r.Context()
	threshold := 0.5
	if m, err := models.Latest(ctx, s.Store.DB, t.ID); err == nil {
		if b, _, err := s.Bundles.Bundle(ctx, m.ID); err == nil {
			threshold = b.Judge.Threshold
		}
	}
	all, err := questions.Askable(ctx, s.Store.DB, t.ID, teachChoice)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b questions.Question) int {
		return cmp.Compare(math.Abs(a.Useful-threshold), math.Abs(b.Useful-threshold))
	})
	var ids []int64
	sites, urls := map[string]int{}, map[string]bool{}
	for _, q := range all {
		site := weburl.Site(q.URL)
		if len(ids) < teachMost && sites[site] < teachOfSite && !urls[q.URL] {
			sites[site]++
			urls[q.URL] = true
			ids = append(ids, q.FetchID)
		}
	}
	if err := questions.Ask(ctx, s.Store.DB, t.ID, ids); err != nil {
		return err
	}
	return s.taught(w, r, t)
}

// handleTeachAnswer stores an answer. After the last one of the round, the model learns from all.
func (s *server) handleTeachAnswer(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	ctx := r.Context()
	fetch, err := strconv.ParseInt(r.PostFormValue("page"), 10, 64)
	answer := r.PostFormValue("answer")
	if err != nil || answer != store.MarkUseful && answer != store.MarkNotUseful && answer != questions.Skip {
		return frame.BadInput("answer with Useful, Not useful or Skip")
	}
	version := 0
	if m, err := models.Latest(ctx, s.Store.DB, t.ID); err == nil {
		version = m.Version
	}
	_, err = questions.Answer(ctx, s.Store.DB, t.ID, fetch, answer, version)
	if errors.Is(err, store.ErrNotFound) {
		return s.taught(w, r, t) // another crawl has brought other questions
	}
	if err != nil {
		return err
	}
	asked, err := s.round(ctx, t.ID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(asked, func(q questions.Question) bool { return q.Answer == "" }) {
		s.learnAnswers(t.ID, asked)
	}
	return s.taught(w, r, t)
}

// learnAnswers trains the model, unless every question was skipped.
func (s *server) learnAnswers(topicID int64, asked []questions.Question) {
	if slices.ContainsFunc(asked, func(q questions.Question) bool { return q.Answer != "" && q.Answer != questions.Skip }) {
		s.Trainer.Submit(topicID)
	}
}

// handleTeachLearn trains the model with the answers given so far.
func (s *server) handleTeachLearn(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	asked, err := s.round(r.Context(), t.ID)
	if err != nil {
		return err
	}
	s.learnAnswers(t.ID, asked)
	return s.taught(w, r, t)
}

// handleTeachUndo takes back the last answer.
func (s *server) handleTeachUndo(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	if _, err := questions.Undo(r.Context(), s.Store.DB, t.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return s.taught(w, r, t)
}

// taught shows the next question: as a part for a script, otherwise as a page.
func (s *server) taught(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	if r.Header.Get("X-Fragment") == "" {
		return frame.SeeOther(w, r, "/teach/"+strconv.FormatInt(t.ID, 10))
	}
	p, err := s.teach(r.Context(), t)
	if err != nil {
		return err
	}
	return s.Execute(w, http.StatusOK, "teach", "teach", p)
}

// gained compares the reports of the model before the first answer and of the newest one.
func (s *server) gained(ctx context.Context, p *teachPage, latest *models.Model) error {
	versions, err := models.All(ctx, s.Store.DB, p.Topic.ID)
	if err != nil {
		return err
	}
	report := func(version int) (*model.Report, error) {
		i := slices.IndexFunc(versions, func(m *models.Model) bool { return m.Version == version })
		if i < 0 {
			return nil, nil
		}
		b, _, err := s.Bundles.Bundle(ctx, versions[i].ID)
		if err != nil {
			return nil, nil // erased or unreadable: there is nothing to compare with
		}
		return b.Report, nil
	}
	was, err := report(p.From)
	if err != nil {
		return err
	}
	is, err := report(latest.Version)
	if err != nil || was == nil || is == nil {
		return err
	}
	p.To = latest.Version
	p.Gained = gains(was, is)
	return nil
}

// gains compares what both reports measured.
func gains(was, is *model.Report) []gain {
	var all []gain
	for _, f := range []struct {
		what    string
		was, is measure.Figure
		less    bool // is better
	}{
		{"tells useful pages from others (ROC AUC, 1 is perfect)", was.AUC.Judge, is.AUC.Judge, false},
		{"right link placed first (mean reciprocal rank, 1 is perfect)", was.LinkMRR, is.LinkMRR, false},
		{"error of its probabilities (Brier score, 0 is perfect)", was.Brier, is.Brier, true},
	} {
		if f.was.N == 0 || f.is.N == 0 {
			continue
		}
		g := gain{What: f.what, Was: f.was, Is: f.is}
		g.Low, g.High = difference(f.was, f.is)
		switch {
		case g.Low <= 0 && g.High >= 0:
			g.Verdict = "no difference that is beyond chance"
		case g.Low > 0 != f.less:
			g.Verdict = "better, beyond chance"
		default:
			g.Verdict = "worse, beyond chance"
		}
		all = append(all, g)
	}
	return all
}

// difference is the 95 % interval of b - a from the intervals of both, by the method of variance estimates recovery (Zou &
// Donner 2008, Statistics in Medicine 27, eq. 11). It takes both as independent. They are measured on mostly the same
// pages, so that the interval is rather too wide.
func difference(a, b measure.Figure) (low, high float64) {
	d := b.Value - a.Value
	return d - math.Hypot(b.Value-b.Low, a.High-a.Value), d + math.Hypot(b.High-b.Value, a.Value-a.Low)
}

// Interval writes the interval of the difference.
func (g gain) Interval() string { return fmt.Sprintf("%+.2f to %+.2f", g.Low, g.High) }

// Difference writes the difference.
func (g gain) Difference() string { return fmt.Sprintf("%+.2f", g.Is.Value-g.Was.Value) }
