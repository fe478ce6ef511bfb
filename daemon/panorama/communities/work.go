package communities

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nightjar/daemon/base/jobs"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
)

// work does the steps of a map until it waits, fails or is done. When ctx ends, the map stays as it is stored, so that the
// next Run does the step again.
func (m *Maker) work(ctx context.Context, id int64) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	loop := jobs.Loop{Retry: retryStep, Failed: func(err error) {
		m.Log.Error("the end of a step of a map could not be stored", "map", id, "error", err)
	}}
	loop.Step = func(ctx context.Context) (time.Duration, error) {
		works, err := m.step(ctx, id)
		if err == nil && !works {
			end()
		}
		return 0, err
	}
	_ = loop.Run(ctx) // always nil
}

// step does the current step of a map, and reports whether the map was working. The error is one of the store; those of the
// step are stored.
func (m *Maker) step(ctx context.Context, id int64) (works bool, err error) {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil || one.State != maps.Working {
		return false, ignoreGone(err)
	}
	m.note(id, Progress{Step: one.Step})
	note, err := m.do(ctx, one)
	if ctx.Err() != nil {
		return false, nil
	}
	if err == nil {
		err = m.advance(ctx, one, note)
	}
	if err != nil {
		return true, m.fail(ctx, one, err)
	}
	m.tell(id)
	return true, nil
}

// do does one step. note is what the person should know of it when it succeeded.
func (m *Maker) do(ctx context.Context, one maps.Map) (note string, err error) {
	switch one.Step {
	case maps.StepPages:
		return m.findPages(ctx, one)
	case maps.StepTraining:
		return "", m.train(ctx, one)
	case maps.StepCrawl:
		return m.crawl(ctx, one)
	case maps.StepDrawing:
		return "", m.draw(ctx, one)
	}
	return "", nil
}

// advance stores that a step is done.
func (m *Maker) advance(ctx context.Context, done maps.Map, note string) error {
	if done.Step == maps.StepDrawing {
		return nil // it was stored with the map
	}
	_, err := maps.Change(ctx, m.Store.DB, done.ID, func(one *maps.Map) error {
		switch {
		case one.State != maps.Working || one.Step != done.Step:
			return maps.ErrChanged
		case one.Options.Hold:
			one.State, one.Problem = maps.Waiting, note
		default:
			one.Step = steps[slices.Index(steps, one.Step)+1]
		}
		return nil
	})
	return err
}

// fail stores why a step failed.
func (m *Maker) fail(ctx context.Context, done maps.Map, why error) error {
	if errors.Is(why, maps.ErrChanged) || errors.Is(why, store.ErrNotFound) {
		if _, err := maps.ByID(ctx, m.Store.DB, done.ID); errors.Is(err, store.ErrNotFound) {
			return nil // it was deleted meanwhile
		}
	}
	m.Log.Warn("a step of a map failed", "map", done.ID, "step", done.Step, "error", why)
	_, err := maps.Change(context.WithoutCancel(ctx), m.Store.DB, done.ID, func(one *maps.Map) error {
		if one.State != maps.Working {
			return maps.ErrChanged
		}
		one.State, one.Problem = maps.Failed, problem(why)
		return nil
	})
	if errors.Is(err, maps.ErrChanged) {
		return nil
	}
	return ignoreGone(err)
}

// problem says an error to the person.
func problem(err error) string {
	if p, ok := errors.AsType[*document.Problem](err); ok {
		return p.Error()
	}
	if trainer.Untrainable(err) || errors.Is(err, trainer.ErrStopped) {
		return trainer.Problem(err)
	}
	return err.Error()
}

// sentence makes a sentence of the words of an error.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
