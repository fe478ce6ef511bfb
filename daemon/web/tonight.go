package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/settings"
	"nightjar/daemon/store"
)

// tonightCard says what the next night does, and switches it on and off.
type tonightCard struct {
	Titled     bool // the page has the title Tonight already
	On         bool
	Start, End string // of the window
	Zone       string // that the window has, "" for the machine's
	Pages      string // the budget
	Opens      time.Time
	Closes     time.Time // of the window that is open now, else zero
	Running    int       // crawls that have not ended
	Topics     []tonightTopic
	Shown      string            // "1 to 5 of 40" topics, or "" when all are shown
	Others     string            // address of the card with the next topics, or ""
	elsewhere  int               // ticked start pages of topics that are not shown
	Untrained  []string          // names of topics without a model
	Waiting    []store.CrawlView // crawls that have not ended and wait; only on the page of its own
	Early      []earlyLine       // crawls of the last night that ended since they promised too little; only on the page of its own
	Problems   problems
}

// tonightTopic is a topic that can be crawled, with its start pages.
type tonightTopic struct {
	store.TopicView
	startChoices
	Foreseen *foreseenView // nil without start pages
	sent     bool          // by the form: only then its ticks are saved
}

// tonight returns the card of the next night with some topics, from the first-th on.
func (s *Server) tonight(ctx context.Context, topics []store.TopicView, first int) (*tonightCard, error) {
	trained := slices.DeleteFunc(slices.Clone(topics), func(t store.TopicView) bool { return t.Version == 0 })
	shown, says, next := topicsPart(trained, first)
	c, err := s.tonightOf(ctx, topics, shown)
	if err == nil && says != "" {
		c.Shown, c.Others = says, "/tonight?topics="+strconv.Itoa(next)
	}
	return c, err
}

// tonightOf returns the card with these of the topics. All of them must have a model.
func (s *Server) tonightOf(ctx context.Context, topics, shown []store.TopicView) (*tonightCard, error) {
	now, err := s.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	c := &tonightCard{On: now.Night.Enabled, Start: now.Night.Start, End: now.Night.End, Zone: now.Night.Zone,
		Pages: strconv.Itoa(now.Budget.Pages)}
	status := s.Scheduler.Status()
	c.Running = len(status.Crawls)
	if status.Open {
		c.Closes = status.Closes
	} else {
		c.Opens = status.Opens
	}
	for _, t := range topics {
		if t.Version == 0 {
			c.Untrained = append(c.Untrained, t.Name)
		} else {
			c.elsewhere += t.Ticked
		}
	}
	for _, t := range shown {
		c.elsewhere -= t.Ticked
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

// Starts counts the start pages that are ticked once the form is saved, of all topics, shown or not.
func (c *tonightCard) Starts() int {
	n := c.elsewhere
	for _, t := range c.Topics {
		if t.sent {
			n += t.Checked()
		} else {
			n += t.Ticked
		}
	}
	return n
}

func (s *Server) handleTonight(w http.ResponseWriter, r *http.Request) error {
	topics, err := s.Store.TopicViews(r.Context())
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
	return s.render(w, r, http.StatusOK, "tonight", layout{Title: "Tonight", Section: "crawls"}, card)
}

// handleTonightSave saves window, budget and start pages, and switches the night on or off.
func (s *Server) handleTonightSave(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	shown := slices.DeleteFunc(slices.Clone(topics), func(t store.TopicView) bool { // topics missing from the form stay unchanged
		return t.Version == 0 || !slices.Contains(r.PostForm["topic"], strconv.FormatInt(t.ID, 10))
	})
	card, err := s.tonightOf(ctx, topics, shown)
	if err == nil && len(shown) == 0 {
		card, err = s.tonight(ctx, topics, 0)
	}
	if err != nil {
		return err
	}
	card.read(r)
	old, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	next := old
	next.Night.Start, next.Night.End = card.Start, card.End
	switch r.PostForm.Get("night") {
	case "on":
		next.Night.Enabled = true
	case "off":
		next.Night.Enabled = false
	}
	card.Problems = card.check(&next)
	run, lacks := card.runs(r), 0 // topic to run, -1 for none; topic that lacks a start page
	if run >= 0 && card.Topics[run].Checked() == 0 {
		card.Problems["starts"] = "Tick at least one page from which to crawl " + printable(card.Topics[run].Name) + "."
		lacks = run
	}
	if len(card.Problems) == 0 {
		err := s.Store.SaveSettings(ctx, next)
		if card.Problems = problemsOf(err); err != nil && len(card.Problems) == 0 {
			return err
		}
	}
	if says := card.Problems["starts"]; len(card.Problems) == 1 && says != "" && len(card.Topics) > 0 {
		return at("start-"+strconv.FormatInt(card.Topics[lacks].ID, 10), badInput{says})
	}
	if len(card.Problems) > 0 {
		l := layout{Title: "Tonight", Section: "crawls", Problem: "Nothing was saved: correct " + card.Problems.count() + " below."}
		card.Titled = true
		return s.render(w, r, http.StatusUnprocessableEntity, "tonight", l, card)
	}
	for _, t := range card.Topics {
		if !t.sent {
			continue
		}
		if err := errors.Join(s.tick(ctx, t.ID, t.URLs()), s.followVisited(r, t.ID)); err != nil {
			return err
		}
	}
	s.tell("settings")
	if run >= 0 {
		return s.run(w, r, card.Topics[run].ID)
	}
	return done(w, r, "/tonight", nightNotice(old.Night.Enabled, next.Night.Enabled))
}

// read takes what the person typed and ticked into the card.
func (c *tonightCard) read(r *http.Request) {
	v := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	c.Start, c.End, c.Pages = v("night_start"), v("night_end"), v("pages")
	for i := range c.Topics {
		t := &c.Topics[i]
		id := strconv.FormatInt(t.ID, 10)
		if !slices.Contains(r.PostForm["topic"], id) {
			continue // trained while the form was open: its proposals were not seen
		}
		t.sent = true
		all := slices.Concat(t.Best, t.Rest)
		for j := range all {
			all[j].Checked = slices.Contains(r.PostForm["start-"+id], all[j].URL)
		}
		t.Proposed = false
		if t.Visited != nil {
			t.Visited.Follow = r.PostForm.Has("visited-" + id)
		}
		t.split(all)
	}
}

// runs is the index of the topic that the person wants to run at once, -1 for none.
func (c *tonightCard) runs(r *http.Request) int {
	run := r.PostForm.Get("run")
	return slices.IndexFunc(c.Topics, func(t tonightTopic) bool { return t.sent && strconv.FormatInt(t.ID, 10) == run })
}

// check reads the budget into the settings, and says what else is wrong before they are saved.
func (c *tonightCard) check(next *settings.Settings) problems {
	wrong := problems{}
	pages, err := strconv.Atoi(c.Pages)
	if err != nil || pages < 0 {
		wrong["pages"] = "This must be a whole number, 0 for no limit."
	}
	next.Budget.Pages = pages
	if next.Night.Enabled && c.Starts() == 0 {
		wrong["starts"] = "Tick at least one page where the night begins, or leave the night off."
	}
	return wrong
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
		ready, err := s.Store.CrawlableTopics(ctx)
		if err != nil {
			return err
		}
		if len(ready) == 0 {
			return seeOther(w, r, "/tonight")
		}
	}
	if err := s.Store.SaveSettings(ctx, now); err != nil {
		return err
	}
	s.tell("settings")
	return done(w, r, backTo(r, "/tonight"), nightNotice(was, now.Night.Enabled))
}

// nightOff is what pages say while the night is off.
type nightOff struct {
	Back  string // path of the page
	Ready bool   // a topic has a model and a ticked start page
}

// nightOff returns the note that the night is off, nil while it is on or nothing could be crawled yet.
func (s *Server) nightOff(ctx context.Context, topics []store.TopicView, back string) (*nightOff, error) {
	now, err := s.Store.Settings(ctx)
	if err != nil || now.Night.Enabled {
		return nil, err
	}
	trained := slices.ContainsFunc(topics, func(t store.TopicView) bool { return t.Version > 0 })
	if !trained {
		return nil, nil
	}
	ready := slices.ContainsFunc(topics, func(t store.TopicView) bool { return t.Version > 0 && t.Ticked > 0 })
	return &nightOff{Back: back, Ready: ready}, nil
}
