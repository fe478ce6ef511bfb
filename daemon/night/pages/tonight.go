package pages

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web/frame"
)

func (s *server) handleTonight(w http.ResponseWriter, r *http.Request) error {
	topics, err := overview.Topics(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	first, _ := strconv.Atoi(r.URL.Query().Get("topics")) // anything else means the first topics
	card, err := s.night.Card(r.Context(), topics, first)
	if err != nil {
		return err
	}
	card.Titled = true
	if card.Waiting, err = s.night.Waiting(r.Context()); err != nil {
		return err
	}
	if card.Early, err = s.night.EndedEarly(r.Context()); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "tonight", frame.Layout{Title: "Tonight", Section: "crawls"}, card)
}

// handleTonightSave saves window, budget and start pages, and switches the night on or off.
func (s *server) handleTonightSave(w http.ResponseWriter, r *http.Request) error {
	ctx, form := r.Context(), r.PostForm
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	sent, starts, err := s.sentStarts(r, topics)
	if err != nil {
		return err
	}
	old, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	next, wrong := old, frame.Problems{}
	next.Night.Start, next.Night.End = strings.TrimSpace(form.Get("night_start")), strings.TrimSpace(form.Get("night_end"))
	if night := form.Get("night"); night == "on" || night == "off" {
		next.Night.Enabled = night == "on"
	}
	if next.Budget.Pages, err = strconv.Atoi(strings.TrimSpace(form.Get("pages"))); err != nil || next.Budget.Pages < 0 {
		wrong["pages"] = "This must be a whole number, 0 for no limit."
	}
	run := slices.IndexFunc(sent, func(t topicStarts) bool { return strconv.FormatInt(t.ID, 10) == form.Get("run") })
	switch {
	case run >= 0 && len(sent[run].urls) == 0:
		wrong[sent[run].field()] = "Tick at least one page from which to crawl " + frame.Printable(sent[run].Name) + "."
	case next.Night.Enabled && starts == 0:
		wrong[append(sent, topicStarts{})[0].field()] = "Tick at least one page where the night begins, or leave the night off."
	}
	if len(wrong) == 0 {
		err = s.Store.SaveSettings(ctx, next)
		wrong = tonight.ProblemsOf(err)
	}
	if len(wrong) > 0 {
		return wrong
	}
	if err != nil {
		return err
	}
	for _, t := range sent {
		if err := errors.Join(s.night.Tick(ctx, t.ID, t.urls), s.night.FollowVisited(ctx, form, t.ID)); err != nil {
			return err
		}
	}
	s.Bus.Tell(notify.News{Kind: "settings"})
	if run >= 0 {
		return s.handleRun(w, r, sent[run].ID)
	}
	return frame.Done(w, r, "/tonight", nightNotice(old.Night.Enabled, next.Night.Enabled))
}

// topicStarts are the start pages of a topic that a form ticks.
type topicStarts struct {
	overview.TopicView
	urls []string
}

// field is the name of the boxes in forms.
func (t topicStarts) field() string { return "start-" + strconv.FormatInt(t.ID, 10) }

// sentStarts reads the start pages of the topics that a form has, and counts those that are ticked once it is saved, of all topics.
// A topic that was trained while the form was open is not in it: its proposals were not seen.
func (s *server) sentStarts(r *http.Request, topics []overview.TopicView) (sent []topicStarts, ticked int, err error) {
	for _, t := range topics {
		switch {
		case t.Version == 0:
		case slices.Contains(r.PostForm["topic"], strconv.FormatInt(t.ID, 10)):
			known, err := startpages.All(r.Context(), s.Store.DB, t.ID)
			if err != nil {
				return nil, 0, err
			}
			one := topicStarts{TopicView: t}
			for _, st := range known {
				if slices.Contains(r.PostForm[one.field()], st.URL) {
					one.urls = append(one.urls, st.URL)
				}
			}
			sent, ticked = append(sent, one), ticked+len(one.urls)
		default:
			ticked += t.Ticked
		}
	}
	return sent, ticked, nil
}

// nightNotice is the notice after the night was saved.
func nightNotice(was, is bool) string {
	switch {
	case is && !was:
		return "night-on"
	case was && !is:
		return "night-off"
	}
	return "saved"
}

// handleTonightSwitch switches the night on, with the ticked start pages, or off.
func (s *server) handleTonightSwitch(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	now, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	was := now.Night.Enabled
	now.Night.Enabled = r.PostFormValue("night") == "on"
	if now.Night.Enabled {
		ready, err := startpages.Topics(ctx, s.Store.DB)
		if err != nil {
			return err
		}
		if len(ready) == 0 {
			return frame.SeeOther(w, r, "/tonight")
		}
	}
	if err := s.Store.SaveSettings(ctx, now); err != nil {
		return err
	}
	s.Bus.Tell(notify.News{Kind: "settings"})
	return frame.Done(w, r, frame.BackTo(r, "/tonight"), nightNotice(was, now.Night.Enabled))
}
