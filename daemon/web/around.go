package web

import (
	_ "embed" // the notices
	"net/http"
	"slices"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/trainer"
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
	Key     string // of the notice when nothing is running, which can be closed
}

//go:embed notices.txt
var noticeLines string

// notices are the sentences that a page shows after an action, by the key in the page's address.
var notices = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(noticeLines) {
		if key, says, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			all[key] = says
		}
	}
	return all
}()

// fill adds the parts of the layout that every page shows.
func (s *Server) fill(r *http.Request, l *layout) error {
	ctx := r.Context()
	l.Troubles = s.Troubles.Now()
	o, err := s.Store.Overview(ctx)
	if err != nil {
		return err
	}
	l.NewFinds = o.NewFinds
	closed, err := s.dismissed(ctx)
	if err != nil {
		return err
	}
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if line, ok := s.training(t.ID, t.Name); ok && !slices.Contains(closed, line.Key) {
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
		if l.Undo = s.undoOffer(r); l.Undo != 0 {
			if l.Left, err = s.Store.LeftTopics(ctx, l.Undo); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Server) training(topic int64, name string) (trainingLine, bool) {
	st := s.Trainer.Status(topic)
	if !st.Running && st.Problem == "" {
		return trainingLine{}, false
	}
	line := trainingLine{TopicID: topic, Topic: name, Running: st.Running, Stopped: st.Stage == "stopped",
		Stage: trainer.InWords(st.Stage), Problem: sentence(st.Problem)}
	if !line.Running {
		line.Key = noticeKey("training", name, line.Problem)
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
	Counted    bool
	Count      int
}

// nav makes the entry of the pages of some sections, which are separated by spaces.
func nav(v view, sections, href, name string) navItem {
	item := navItem{Href: href, Name: name, Current: slices.Contains(strings.Fields(sections), v.Layout.Section)}
	if sections == "finds" {
		item.Counted, item.Count = true, v.Layout.NewFinds
	}
	return item
}

type graphView struct {
	ID      string
	Class   string
	Title   string
	Picture chart.Picture
}
