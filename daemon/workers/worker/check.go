package worker

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
)

// Bounds of what a task may say. A daemon that keeps to its own rules never comes near them.
const (
	maxID           = 64
	maxAttempt      = 100
	maxValidator    = 256
	maxStartWithin  = time.Minute
	maxFetchTimeout = 5 * time.Minute
	minDelay        = time.Second
	maxDelay        = time.Hour
	maxRobots       = 16
)

// check returns an error for a task that the worker must not do, and otherwise the task with its numbers inside their bounds.
func (w *Worker) check(t work.Task) (work.Task, error) {
	canonical, err := weburl.Canonical(t.URL)
	switch {
	case t.ID == "" || len(t.ID) > maxID || strings.ContainsFunc(t.ID, notInID):
		return t, errors.New("a task has a malformed number")
	case t.Attempt < 1 || t.Attempt > maxAttempt:
		return t, errors.New("a task has a malformed attempt")
	case err != nil:
		return t, fmt.Errorf("a task's address: %w", err)
	case canonical != t.URL:
		return t, errors.New("a task's address is not canonical")
	case t.StartWithin <= 0 || t.FetchTimeout <= 0:
		return t, errors.New("a task has no time")
	case len(t.Host.Robots) > maxRobots || len(t.Host.Missing) > fetch.MaxBody:
		return t, errors.New("a task says too much of its host")
	}
	for _, f := range t.Host.Robots {
		if len(f.Body) > fetch.MaxBody || len(f.Origin) > weburl.MaxLength {
			return t, errors.New("a task says too much of its host")
		}
	}
	if !isValidator(t.ETag) || !isValidator(t.LastModified) {
		t.ETag, t.LastModified = "", ""
	}
	t.StartWithin, t.FetchTimeout = min(t.StartWithin, maxStartWithin), min(t.FetchTimeout, maxFetchTimeout)
	t.Delay = min(max(t.Delay, 0), maxDelay)
	if !w.o.opened(weburl.Host(t.URL)) {
		t.Delay = max(t.Delay, minDelay)
	}
	t.Host.Rest = min(max(t.Host.Rest, 0), maxFetchTimeout)
	return t, nil
}

func notInID(r rune) bool {
	return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-'
}

// isValidator reports whether text may be sent as a header that makes a request conditional.
func isValidator(text string) bool {
	return len(text) <= maxValidator && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f })
}
