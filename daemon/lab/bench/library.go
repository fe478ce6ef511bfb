package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/corpus"
)

// library opens each recording and table once for all tasks and seeds.
type library struct {
	dir    string // base of relative names
	warn   func(format string, args ...any)
	opened shelf[*fetch.Replay]
	labels shelf[*corpus.Labels]
	games  shelf[[]corpus.Game]
	webs   shelf[*corpus.Web]
}

// shelf makes values by name, each once.
type shelf[T any] struct {
	mu     sync.Mutex
	things map[string]func() (T, error)
}

func (s *shelf[T]) get(name string, make1 func() (T, error)) (T, error) {
	s.mu.Lock()
	if s.things == nil {
		s.things = make(map[string]func() (T, error))
	}
	thing, ok := s.things[name]
	if !ok {
		thing = sync.OnceValues(make1)
		s.things[name] = thing
	}
	s.mu.Unlock()
	return thing()
}

// paths resolves file names relative to the folder.
func (l *library) paths(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = name
		if !filepath.IsAbs(name) {
			all[i] = filepath.Join(l.dir, filepath.FromSlash(name))
		}
	}
	return all
}

func key(names []string) string { return strings.Join(names, "\n") }

// replay opens recordings.
func (l *library) replay(names []string) (*fetch.Replay, error) {
	return l.opened.get(key(names), func() (*fetch.Replay, error) {
		replay, report, err := fetch.OpenReplay(l.paths(names))
		if err != nil {
			return nil, &Problem{Err: err, Hint: "nightjar corpus list shows the contents of a recording"}
		}
		for _, p := range report.Problems {
			l.warn("%s; the readable part is used", p)
		}
		return replay, nil
	})
}

// labelled reads labels and warns of URLs that the recordings lack.
func (l *library) labelled(names, archives []string) (*corpus.Labels, error) {
	return l.labels.get(key(names)+"\n\n"+key(archives), func() (*corpus.Labels, error) {
		labels, err := corpus.ReadLabels(l.paths(names))
		if err != nil {
			return nil, err
		}
		replay, err := l.replay(archives)
		if err != nil {
			return nil, err
		}
		if n := labels.Unknown(replay.Pages()); n > 0 {
			l.warn("%d of %d labelled URLs are not in the recording", n, labels.Len())
		}
		return labels, nil
	})
}

func (l *library) played(names []string) ([]corpus.Game, error) {
	return l.games.get(key(names), func() ([]corpus.Game, error) { return corpus.ReadGames(l.paths(names)) })
}

// web reads the part of recordings that can be reached from start pages.
func (l *library) web(ctx context.Context, archives, starts []string) (*corpus.Web, error) {
	return l.webs.get(key(archives)+"\n\n"+key(starts), func() (*corpus.Web, error) {
		replay, err := l.replay(archives)
		if err != nil {
			return nil, err
		}
		web, err := corpus.ReadWeb(ctx, replay, starts)
		if err != nil {
			return nil, fmt.Errorf("read the recording's links: %w", err)
		}
		return web, nil
	})
}

// close closes the recordings.
func (l *library) close() error {
	var err error
	for _, open := range l.opened.things {
		if replay, failed := open(); failed == nil {
			err = errors.Join(err, replay.Close())
		}
	}
	return err
}
