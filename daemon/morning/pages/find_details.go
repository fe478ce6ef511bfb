package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// findCard is one find in the list.
type findCard struct {
	Find    finds.View
	Link    frame.Link
	Name    []reason.Part // of the page, telling words marked
	Said    []reason.Part // why it is a find, in a sentence; nil when that was not worked out yet
	Like    frame.Link    // the marked page that Said names
	Snippet []reason.Part // the passage with the telling words
	Back    string        // query of the list that shows it
	Book    string        // that a chapter is part of; "" for other pages, and when it is not known
	Refused bool          // the person refused its site
}

// Line is the passage from shortly before its first telling word on, for a list that shows one line of it.
func (c findCard) Line() []reason.Part { return reason.From(c.Snippet) }

// Likely is likely in two words.
func (c findCard) Likely() string {
	if c.Find.Useful == 0 {
		return frame.Percent(c.Find.Similarity) + " similar"
	}
	return frame.Percent(c.Find.Useful) + " likely"
}

// findDetails is everything about one find.
type findDetails struct {
	findCard
	Trail   []trailLine // start page first
	Depth   depth
	Why     *whyView // why the link to the find was followed
	Hops    bool     // the trail has estimates from the whole trail
	Course  []string // labels along the trail, nil without milestones
	Version int      // of the model
}

// cardOf shows one find.
func (p Pages) cardOf(f finds.View, back string) findCard {
	c := findCard{Find: f, Link: frame.LinkTo(f.URL, f.Title), Back: back}
	c.Name = []reason.Part{{Text: c.Link.Name}}
	snippet := chart.Shorten(longestSnippet, f.Snippet)
	if f.Reason == nil {
		if snippet != "" {
			c.Snippet = []reason.Part{{Text: snippet}}
		}
		return c
	}
	snippet = cmp.Or(f.Reason.Passage, snippet)
	c.Said = p.say(f.Reason)
	for _, p := range c.Said {
		if p.Like {
			c.Like = frame.Link{URL: f.Reason.Like.URL, Name: p.Text}
		}
	}
	c.Name = reason.Mark(c.Link.Name, f.Reason.Words)
	if snippet != "" {
		c.Snippet = reason.Mark(snippet, f.Reason.Words)
	}
	return c
}

// longestSnippet is in runes; older finds have longer ones.
const longestSnippet = 420

// BackTo is the address of the list that the find was shown in, at the find.
func (c findCard) BackTo() string {
	q, err := url.ParseQuery(c.Back)
	if err != nil {
		q = nil
	}
	if len(q) == 0 {
		q = url.Values{"state": {"all"}}
	}
	return "/?" + q.Encode() + "#find-" + strconv.FormatInt(c.Find.ID, 10)
}

// say puts a reason into a sentence whose parts can be shown.
func (p Pages) say(r *finds.Reason) []reason.Part {
	parts := reason.Say(r, p.Now())
	for i := range parts {
		parts[i].Text = frame.Printable(parts[i].Text)
		if !parts[i].Word && !parts[i].Like {
			parts[i].Text = frame.Whole(parts[i].Text)
		}
	}
	return parts
}

// handleFind shows everything about one find: a page of its own, or its part for a script that shows it in the list.
func (s *server) handleFind(w http.ResponseWriter, r *http.Request, id int64) error {
	f, err := finds.ByID(r.Context(), s.Store.DB, id)
	if err != nil {
		return err
	}
	d, err := s.details(r.Context(), f, r.URL.Query().Get("back"))
	if err != nil {
		return err
	}
	return s.Show(w, r, "find-page", "find-details", frame.Layout{Title: d.Link.Name, Section: "finds"}, d)
}

// details explains one find. The reason of a find from before there were reasons is worked out now.
func (s *server) details(ctx context.Context, f finds.View, back string) (findDetails, error) {
	var d findDetails
	trail, err := finds.Trail(ctx, s.Store.DB, f.FetchID)
	if err != nil {
		return d, err
	}
	bundle, version, err := s.Bundles.Bundle(ctx, f.ModelID)
	if err != nil && !models.Unreadable(err) {
		return d, err
	}
	if f.Reason, err = s.reasonOf(ctx, f, bundle); err != nil {
		return d, err
	}
	d.findCard = s.cardOf(f, back)
	if d.Said == nil {
		d.Said = s.say(nil)
	}
	d.explain(trail, bundle, version, f.Strategy)
	return d, nil
}

// reasonOf works out why a find is one, unless that is known. It is nil when the model that judged it (bundle) or its text is gone.
func (s *server) reasonOf(ctx context.Context, f finds.View, bundle *model.Bundle) (*finds.Reason, error) {
	if f.Reason != nil || bundle == nil {
		return f.Reason, nil
	}
	r, err := reason.Make(ctx, s.Store, bundle, f.TopicID, f.ID)
	if errors.Is(err, reason.ErrUnknown) {
		return nil, nil
	}
	return r, err
}

// explainMaybe fills in the reasons of pages under Maybe. They are worked out when the page is shown, since few are looked at.
func (s *server) explainMaybe(ctx context.Context, finds []finds.View) {
	for i, f := range finds {
		bundle, _, err := s.Bundles.Bundle(ctx, f.ModelID)
		if err == nil {
			finds[i].Reason, err = s.reasonOf(ctx, f, bundle)
		}
		if err != nil && !models.Unreadable(err) && ctx.Err() == nil {
			s.Log.Warn("why a page may be a find cannot be worked out", "find", f.ID, "error", err)
		}
	}
}

// explain fills in how a page was reached, and why.
func (d *findDetails) explain(trail []finds.Step, b *model.Bundle, version int, strategy string) {
	d.Version, d.Depth = version, depthOf(trail)
	d.Trail, d.Hops = explain(trail, b, strategy)
	d.Course = course(d.Trail)
	if n := len(d.Trail); n > 1 {
		d.Why, d.Trail[n-1].Why = d.Trail[n-1].Why, nil // shown once
	}
}

// depth is the distance of a find from the start of its crawl.
type depth struct {
	Links   int
	Visited bool // it began at a page that the person had visited, otherwise at a start page
	Listed  bool // or at one that its host lists
}

// depthOf counts the links from the last page of a trail that the person had visited, or from its first page.
func depthOf(trail []finds.Step) (d depth) {
	for _, step := range trail {
		if d.Links++; step.Visited {
			d = depth{Visited: true}
		}
	}
	if !d.Visited {
		d.Links, d.Listed = max(0, d.Links-1), len(trail) > 0 && trail[0].List != ""
	}
	return d
}

// TrailPart explains how a crawl reached a page, for the template "find-details".
func (p Pages) TrailPart(ctx context.Context, crawl, fetch int64) (any, error) {
	var d findDetails
	c, err := crawls.ByID(ctx, p.Store.DB, crawl)
	if err != nil {
		return nil, err
	}
	trail, err := finds.Trail(ctx, p.Store.DB, fetch)
	if err != nil {
		return nil, err
	}
	bundle, version, err := p.Bundles.Bundle(ctx, c.ModelID)
	if err != nil && !models.Unreadable(err) {
		return nil, err
	}
	d.Find.TopicID, d.Find.CrawlID = c.TopicID, c.ID
	d.explain(trail, bundle, version, c.Strategy)
	return d, nil
}
