package web

import (
	"strconv"

	"nightjar/daemon/store"
)

// nextStep says on an empty page what to do next.
type nextStep struct {
	Title  string
	Text   string
	Href   string
	Post   string // action of the button when it does the step; "" for a link to Href
	Button string
	Steps  []stepMark
}

type stepMark struct {
	Name          string
	Done, Current bool
}

// nextStep returns the first step towards the first finds that is not done.
func (s *Server) nextStep(o store.Overview, topics []store.TopicView) *nextStep {
	steps := []struct {
		name string
		done bool
		next nextStep
	}{
		{"Connect a browser", o.Browsers > 0 || o.Sessions > 0, nextStep{
			Title: "Connect a browser", Href: "/settings#browsers", Button: "Connect a browser",
			Text: "Load the extension in your browser, then connect it here. Both sides show the same six digits; no password is copied."}},
		{"Browse a session", o.Sessions > 0, nextStep{
			Title: "Start a session", Href: "/sessions", Button: "How a session works",
			Text: "Press the Nightjar button in your browser, give the session a topic, and browse as usual. Press Useful on pages you were looking for."}},
		{"Submit it", o.Models > 0, nextStep{
			Title: "Submit your session", Href: "/sessions", Button: "See your sessions",
			Text: "When you have marked at least one page Useful, press Submit in the bar. Learning takes seconds."}},
		{"Tick start pages", o.Ticked > 0, nextStep{
			Title: "Choose start pages", Href: "/sessions#starts", Button: "Choose start pages",
			Text: "Nightjar fetches nothing until you tick the pages where crawls begin."}},
		{"Let it run", o.Nights > 0, nextStep{
			Title: "Run it now, or wait for the night", Href: "/crawls", Button: "Run now",
			Text: "Crawls run by themselves in the window you set. You can also run one now and watch."}},
	}
	var marks []stepMark
	var next *nextStep
	for _, st := range steps {
		current := next == nil && !st.done
		marks = append(marks, stepMark{st.name, st.done, current})
		if current {
			next = &st.next
		}
	}
	if next == nil {
		next = &nextStep{Title: "The last crawl found nothing new", Href: "/crawls", Button: "See what it did",
			Text: "Other start pages, a lower threshold, or one more session can help."}
	}
	if next.Title == steps[4].next.Title {
		for _, t := range topics {
			if t.Ticked > 0 && t.Version > 0 && t.CrawlID == 0 {
				next.Post = "/topics/" + strconv.FormatInt(t.ID, 10) + "/run"
				break
			}
		}
		if next.Post == "" {
			next.Title, next.Button, next.Text = "A crawl is running", "Watch it", "Its finds will be listed here."
		}
	}
	next.Steps = marks
	return next
}
