package pages

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/echo"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// undoTime is how long the last action can be undone.
const undoTime = time.Hour

// echoView is the line that says what was done last, with its undo, and what it changed.
type echoView struct {
	Did      string
	Undo     int64 // action, 0 for none
	Undoes   string
	Back     string
	Learning bool
	Topics   []echoTopic
}

// echoTopic is what the marks changed for one topic.
type echoTopic struct {
	TopicID       int64
	Site          string // that was refused or allowed; then no words are compared
	Topic         string
	Of            string   // number of actions covered, "" for one
	More, Less    []string // words
	Sites, Links  string   // sentences
	Before, After []echoLink
	Problem       string
}

// echoLink is one of the links that the next crawl follows first.
type echoLink struct {
	Link frame.Link
	Was  int // its place before, 0 when it was not among them
}

// echoView says what was done last and what it changed; nil when there is nothing to say. did replaces what the last
// action says, and back is the query of the list.
func (s *server) echoView(ctx context.Context, did, back string) (*echoView, error) {
	v := &echoView{Did: did, Back: back}
	last, err := finds.LastAction(ctx, s.Store.DB, s.Now().Add(-undoTime))
	switch {
	case err == nil:
		v.Undo = last.ID
		if says := actionSays(last); did == "" {
			v.Did = says + consequence(last)
		} else {
			v.Undoes = says
		}
	case !errors.Is(err, store.ErrNotFound):
		return nil, err
	}
	now := s.Echoes.Now()
	if s.Now().Sub(now.At) < undoTime {
		v.Learning = now.Learning
		settings, err := s.Store.Settings(ctx)
		if err != nil {
			return nil, err
		}
		whose := "The next crawl's"
		if settings.Night.Enabled {
			whose = "Tonight's"
		}
		for _, c := range now.Topics {
			v.Topics = append(v.Topics, echoOf(c, whose))
		}
		if now.Site != "" && !now.Learning && len(now.Topics) == 0 {
			v.Did = strings.TrimSpace(v.Did + " " + whose + " first links stay the same.")
		}
	}
	if v.Did == "" && !v.Learning && len(v.Topics) == 0 {
		return nil, nil
	}
	return v, nil
}

// actionSays puts an action into words.
func actionSays(a finds.Action) string {
	switch {
	case a.Kind == store.ActionRefuse:
		return "Never again: " + a.Site + "."
	case a.Kind == store.ActionAllow:
		return "Allowed again: " + a.Site + "."
	case a.Finds > 1:
		return verdicts[a.Kind] + ": " + chart.Plural(a.Finds, "find", "finds") + "."
	}
	return verdicts[a.Kind] + ": “" + chart.Shorten(80, frame.Printable(a.Title)) + "”."
}

// consequence describes the effect of an action from which training learns nothing.
func consequence(a finds.Action) string {
	switch a.Kind {
	case store.ActionRefuse:
		return " Its finds are hidden and crawls never request it. Settings lists it."
	case store.MarkLater:
		return " It is listed under Later. This teaches nothing."
	}
	return ""
}

func echoOf(c echo.Change, whose string) echoTopic {
	t := echoTopic{TopicID: c.TopicID, Site: c.Site, Topic: c.Topic, More: c.Gained, Less: c.Lost, Problem: frame.Sentence(c.Problem)}
	if c.Problem != "" {
		return t
	}
	if c.Marks > 1 {
		t.Of = "your last " + chart.Plural(c.Marks, "action", "actions") + " together: "
	}
	t.Sites = sitesSay(c.Sites)
	t.Links = linksSay(&c, whose)
	if !c.NoLinks && !c.Same() && !c.Usual {
		t.Before, t.After = echoLinks(c.Before, nil), echoLinks(c.After, c.Before)
	}
	return t
}

// linksSay says how the first links changed.
func linksSay(c *echo.Change, whose string) string {
	fresh := 0
	for _, l := range echoLinks(c.After, c.Before) {
		if l.Was == 0 {
			fresh++
		}
	}
	n := len(c.After)
	switch {
	case c.NoLinks:
		return "Which links a crawl follows first is known once a start page is ticked and was read."
	case c.Same():
		return fmt.Sprintf("%s first %s stay the same.", whose, chart.Plural(n, "link", "links"))
	case c.Usual:
		return fmt.Sprintf("%s first %s change no more than when the model is trained again without this.", whose, chart.Plural(n, "link", "links"))
	case fresh == 0:
		return fmt.Sprintf("%s first %s are the same, in another order.", whose, chart.Plural(n, "link", "links"))
	}
	verb := "are"
	if fresh == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %s first %s %s new.", fresh, strings.ToLower(whose[:1])+whose[1:], chart.Plural(n, "link", "links"), verb)
}

// sitesSay says of which sites more or fewer links come first.
func sitesSay(sites []echo.Site) string {
	var more, fewer []string
	for _, s := range sites {
		text := fmt.Sprintf("%s (%d → %d)", s.Name, s.Was, s.Is)
		if s.Is > s.Was {
			more = append(more, text)
		} else {
			fewer = append(fewer, text)
		}
	}
	var parts []string
	if len(more) > 0 {
		parts = append(parts, "more links of "+strings.Join(more, ", "))
	}
	if len(fewer) > 0 {
		parts = append(parts, "fewer of "+strings.Join(fewer, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Among the first 50 links: " + strings.Join(parts, "; ") + "."
}

// echoLinks are links with their places among those before.
func echoLinks(links, before []scheduler.PreviewLink) []echoLink {
	was := map[string]int{}
	for i, l := range before {
		was[l.URL] = i + 1
	}
	var all []echoLink
	for _, l := range links {
		all = append(all, echoLink{frame.Link{URL: l.URL, Name: frame.TitleOr(chart.Shorten(90, l.Anchor), frame.PageName(l.URL))}, was[l.URL]})
	}
	return all
}
