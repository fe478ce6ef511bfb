package echo

import (
	"context"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/scheduler"
	"nightjar/model"
)

// compareSite compares what crawls follow first with and without a site. It trains nothing. It reports false when a mark or another
// change came meanwhile; then this change waits for the next comparison.
func (e *Echoes) compareSite(ctx context.Context, change *siteChange) bool {
	topics, err := startpages.Topics(ctx, e.st.DB)
	if err != nil && ctx.Err() == nil {
		e.log.Warn("what a refused site changes is not known", "error", err)
	}
	var all []Change
	for _, id := range topics {
		if c := e.without(ctx, id, change); c != nil {
			all = append(all, *c)
		}
	}
	e.mu.Lock()
	if ctx.Err() != nil {
		e.mu.Unlock()
		return false
	}
	e.site = nil
	if e.now.Site == change.site { // no mark came after it
		for _, c := range all {
			e.add(c)
		}
	}
	e.now.Learning = len(e.waiting) > 0
	e.mu.Unlock()
	e.bus.Tell(notify.News{Kind: "echo"})
	return true
}

// without compares one topic; nil when its first links stay the same, or are not known.
func (e *Echoes) without(ctx context.Context, id int64, change *siteChange) *Change {
	topic, err := topics.ByID(ctx, e.st.DB, id)
	if err != nil {
		return nil
	}
	c := &Change{TopicID: id, Topic: topic.Name, Site: change.site}
	m, err := models.Latest(ctx, e.st.DB, id)
	if err != nil {
		return nil
	}
	var b *model.Bundle
	if b, err = m.Bundle(); err != nil {
		return nil // an older form, which is trained again
	}
	preview := func(refused bool) (scheduler.Preview, error) {
		return e.scheduler.Preview(ctx, scheduler.Previewed{Topic: id, Model: b, As: &scheduler.Site{Name: change.site, Refused: refused}}, ahead)
	}
	was, err := preview(!change.refused)
	if err != nil {
		return nil // not known, as for a topic whose start pages were not read
	}
	is, err := preview(change.refused)
	if err != nil && len(was.Links) == 0 {
		return nil
	}
	c.Sites = sites(was.Links, is.Links, 0)
	c.Before, c.After = first(was.Links), first(is.Links)
	if c.Same() {
		return nil
	}
	return c
}
