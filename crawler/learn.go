package crawler

import (
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// hear hands the person's new words to a strategy that learns.
func (c *Crawl) hear() {
	l, ok := c.s.(strategy.Learner)
	if !ok || c.o.Marks == nil {
		return
	}
	for _, m := range c.o.Marks() {
		l.Teach(m)
	}
}

// reorder asks a strategy that learns anew what the queued links are worth. Links without a note keep their priority:
// start pages, and those of a page whose text was read before.
func (c *Crawl) reorder() {
	l, ok := c.s.(strategy.Learner)
	if !ok {
		return
	}
	c.frontier.Reorder(func(e *frontier.Entry) strategy.Priority {
		if len(e.Note) == 0 {
			return e.Priority
		}
		return l.Priority(e.URL, e.Note)
	})
}
