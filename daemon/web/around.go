package web

import (
	"net/http"

	"nightjar/daemon/web/chart"
	"nightjar/model"
)

// trainingLine is a topic whose training is running, failed or was stopped.
type trainingLine struct {
	TopicID int64
	Topic   string
	Running bool
	Stopped bool // by the person
	Stage   string
	Percent int
	Problem string
}

// notices are the sentences that a page shows after an action, by the key in the page's address.
var notices = map[string]string{
	"saved":    "Saved.",
	"pruned":   "The files beyond the limits were deleted from the archive.",
	"added":    "The start page was added.",
	"ticked":   "The start pages were saved.",
	"deleted":  "The session was deleted.",
	"training": "The model is being trained again.",
	"stopped":  "The crawl is being stopped.",
	"paused":   "The crawl is paused. It stays paused, even after a restart, until you resume it.",
	"resumed":  "The crawl was resumed.",
	"revoked":  "The browser was disconnected.",
	"approved": "The browser is connected.",
	"refused":  "The browser was refused.",
	"erased":   "The site was erased. Models that had learned from it are trained again.",
	"all-gone": "Everything was erased.",

	"nothing-pruned": "The archive is within its limits, so nothing was deleted.",

	"train-stopped":     "The training was stopped.",
	"combined":          "The topics were combined. The combined topic is trained on all their sessions.",
	"renamed":           "The topic was renamed.",
	"milestone-named":   "The page is a milestone now.",
	"milestone-removed": "The page is no milestone any more.",
	"milestone-renamed": "The milestone was renamed.",
	"milestone-merged":  "There was a milestone with this name already, so the two are one now. Undo takes them apart again.",
	"milestone-deleted": "The milestone was deleted. Its pages stay.",
	"milestone-undone":  "Undone.",

	"dissolved": "The combined topic was dissolved. The topics it was made of did not change.",
}

// fill adds the parts of the layout that every page shows.
func (s *Server) fill(r *http.Request, l *layout) error {
	ctx := r.Context()
	o, err := s.Store.Overview(ctx)
	if err != nil {
		return err
	}
	l.NewFinds = o.NewFinds
	settings, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	l.Openings = append(l.Openings, s.Openings...)
	l.Openings = append(l.Openings, settings.Resolve...)
	l.Openings = append(l.Openings, settings.AllowPrivate...)
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if line, ok := s.training(t.ID, t.Name); ok {
			l.Training = append(l.Training, line)
		}
	}
	switch p := s.Ingest.Pairing(); {
	case p.Pending != nil:
		l.PairState = "asking"
	case p.Open:
		l.PairState = "open"
	}
	if l.Notice == "" {
		l.Notice = notices[r.URL.Query().Get("done")]
	}
	return nil
}

// stages names the stages of a training for people.
var stages = map[string]string{
	"waiting": "waiting for its turn", "reading": "reading the sessions", "saving": "saving the model",
	"text": "counting words", "space": "finding what the pages are about", "clusters": "grouping the pages",
	"states": "learning how links lead to useful pages", "words": "learning which words lead there", "judge": "learning what is useful", "threshold": "setting the threshold",
	model.StageWays: "learning from the ways you took", model.StageAssess: "measuring how sure it is",
}

func (s *Server) training(topic int64, name string) (trainingLine, bool) {
	st := s.Trainer.Status(topic)
	if !st.Running && st.Problem == "" {
		return trainingLine{}, false
	}
	line := trainingLine{TopicID: topic, Topic: name, Running: st.Running, Stopped: st.Stage == "stopped",
		Stage: stages[st.Stage], Problem: sentence(st.Problem)}
	if line.Stage == "" {
		line.Stage = "starting"
	}
	if st.Total > 0 {
		line.Percent = min(100, 100*st.Done/st.Total)
	}
	return line, true
}

// navItem is one entry of the navigation.
type navItem struct {
	Href, Name string
	Current    bool
	Count      int
}

func nav(v view, section, href, name string) navItem {
	item := navItem{Href: href, Name: name, Current: v.Layout.Section == section}
	if section == "finds" {
		item.Count = v.Layout.NewFinds
	}
	return item
}

// graphView is a graph with its title and caption.
type graphView struct {
	ID      string
	Class   string
	Title   string
	Caption string
	Picture chart.Picture
}
