package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/web/frame"
)

// tonightCard says what the next night does, and switches it on and off.
type tonightCard struct {
	Titled     bool // the page has the title Tonight already
	On         bool
	Start, End string // of the window
	Zone       string // that the window has, "" for the machine's
	Pages      int    // the budget
	RunPages   int    // of a crawl that the person starts
	Opens      time.Time
	Closes     time.Time // of the window that is open now, else zero
	Topics     []tonightTopic
	Shown      string        // "1 to 5 of 40" topics, or "" when all are shown
	Others     string        // address of the card with the next topics, or ""
	Untrained  []string      // names of topics without a model
	Waiting    []crawls.View // crawls that have not ended and wait; only on the page of its own
	Early      []earlyLine   // crawls of the last night that ended since they promised too little; only on the page of its own
}

// tonightTopic is a topic that can be crawled, with its start pages.
type tonightTopic struct {
	overview.TopicView
	startChoices
	Foreseen *foreseenView // nil without start pages
}

// tonight returns the card of the next night with some topics, from the first-th on.
func (s *Server) tonight(ctx context.Context, topics []overview.TopicView, first int) (*tonightCard, error) {
	trained := slices.DeleteFunc(slices.Clone(topics), func(t overview.TopicView) bool { return t.Version == 0 })
	shown, says, next := topicsPart(trained, first)
	now, err := s.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	c := &tonightCard{On: now.Night.Enabled, Start: now.Night.Start, End: now.Night.End, Zone: now.Night.Zone,
		Pages: now.Budget.Pages, RunPages: pagesOfRun(now.Budget)}
	if says != "" {
		c.Shown, c.Others = says, "/tonight?topics="+strconv.Itoa(next)
	}
	status := s.Scheduler.Status()
	if status.Open {
		c.Closes = status.Closes
	} else {
		c.Opens = status.Opens
	}
	for _, t := range topics {
		if t.Version == 0 {
			c.Untrained = append(c.Untrained, t.Name)
		}
	}
	for _, t := range shown {
		choices, err := s.choices(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		if err := s.chooseVisited(ctx, &choices); err != nil {
			return nil, err
		}
		foreseen, err := s.foreseenNight(ctx, t.ID, choices.URLs(), now)
		if err != nil {
			return nil, err
		}
		c.Topics = append(c.Topics, tonightTopic{TopicView: t, startChoices: choices, Foreseen: foreseen})
	}
	return c, nil
}

func (s *Server) handleTonight(w http.ResponseWriter, r *http.Request) error {
	topics, err := overview.Topics(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	first, _ := strconv.Atoi(r.URL.Query().Get("topics")) // anything else means the first topics
	card, err := s.tonight(r.Context(), topics, first)
	if err != nil {
		return err
	}
	card.Titled = true
	if card.Waiting, err = s.waitingCrawls(r.Context()); err != nil {
		return err
	}
	if card.Early, err = s.endedEarly(r.Context()); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "tonight", frame.Layout{Title: "Tonight", Section: "crawls"}, card)
}

// handleTonightSave saves window, budget and start pages, and switches the night on or off.
func (s *Server) handleTonightSave(w http.ResponseWriter, r *http.Request) error {
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
		wrong = problemsOf(err)
	}
	if len(wrong) > 0 {
		return wrong
	}
	if err != nil {
		return err
	}
	for _, t := range sent {
		if err := errors.Join(s.tick(ctx, t.ID, t.urls), s.followVisited(r, t.ID)); err != nil {
			return err
		}
	}
	s.tell("settings")
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
func (s *Server) sentStarts(r *http.Request, topics []overview.TopicView) (sent []topicStarts, ticked int, err error) {
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
func (s *Server) handleTonightSwitch(w http.ResponseWriter, r *http.Request) error {
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
	s.tell("settings")
	return frame.Done(w, r, backTo(r, "/tonight"), nightNotice(was, now.Night.Enabled))
}

// nightOff is what pages say while the night is off.
type nightOff struct {
	Back  string // path of the page
	Ready bool   // a topic has a model and a ticked start page
}

// nightOff returns the note that the night is off, nil while it is on or nothing could be crawled yet.
func (s *Server) nightOff(ctx context.Context, topics []overview.TopicView, back string) (*nightOff, error) {
	now, err := s.Store.Settings(ctx)
	if err != nil || now.Night.Enabled {
		return nil, err
	}
	trained := slices.ContainsFunc(topics, func(t overview.TopicView) bool { return t.Version > 0 })
	if !trained {
		return nil, nil
	}
	ready := slices.ContainsFunc(topics, func(t overview.TopicView) bool { return t.Version > 0 && t.Ticked > 0 })
	return &nightOff{Back: back, Ready: ready}, nil
}
