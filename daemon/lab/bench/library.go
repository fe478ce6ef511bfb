package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// Library opens each recording and table once for all tasks and seeds. Names are relative to its folder.
type Library struct {
	dir    string // base of relative names
	warn   func(format string, args ...any)
	opened shelf[*recording.Replay]
	labels shelf[*corpus.Labels]
	games  shelf[[]corpus.Game]
	graphs shelf[*corpus.Graph]
	webs   shelf[*corpus.Web]
}

// NewLibrary makes a library of a folder, which warns of what is odd; warn may be nil.
func NewLibrary(dir string, warn func(format string, args ...any)) *Library {
	if warn == nil {
		warn = func(string, ...any) {}
	}
	return &Library{dir: dir, warn: warn}
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
func (l *Library) paths(names []string) []string {
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

// Replay opens recordings.
func (l *Library) Replay(names []string) (*recording.Replay, error) {
	return l.opened.get(key(names), func() (*recording.Replay, error) {
		replay, report, err := recording.Open(l.paths(names))
		if err != nil {
			return nil, &Problem{Err: err, Hint: "lab corpus list shows the contents of a recording"}
		}
		for _, p := range report.Problems {
			l.warn("%s; the readable part is used", p)
		}
		return replay, nil
	})
}

// Labels reads labels of recordings and adds those of rules. It warns of URLs that the recordings lack and of rules that
// match none.
func (l *Library) Labels(names, archives []string, rules []corpus.Rule) (*corpus.Labels, error) {
	return l.labels.get(key(names)+"\n\n"+key(archives)+"\n\n"+fmt.Sprint(rules), func() (*corpus.Labels, error) {
		labels, err := corpus.ReadLabels(l.paths(names))
		if err != nil {
			return nil, err
		}
		replay, err := l.Replay(archives)
		if err != nil {
			return nil, err
		}
		if n := labels.Unknown(replay.Pages()); n > 0 {
			l.warn("%d of %d labelled URLs are not in the recording", n, labels.Len())
		}
		for _, r := range labels.Apply(rules, replay.Pages()) {
			if labels.With(r.Label) == nil {
				return nil, problemf("lab corpus list names the recording's pages", "no page of the recording has the label %q: no URL matches %s", r.Label, r.URL)
			}
			l.warn("no URL of the recording matches a rule for the label %q: %s", r.Label, r.URL)
		}
		return labels, nil
	})
}

// Games reads files of games.
func (l *Library) Games(names []string) ([]corpus.Game, error) {
	return l.games.get(key(names), func() ([]corpus.Game, error) { return corpus.ReadGames(l.paths(names)) })
}

// Graph returns the links of recordings, for walks.
func (l *Library) Graph(archives []string) (*corpus.Graph, error) {
	return l.graphs.get(key(archives), func() (*corpus.Graph, error) {
		replay, err := l.Replay(archives)
		if err != nil {
			return nil, err
		}
		return corpus.NewGraph(replay), nil
	})
}

// web reads the part of recordings that can be reached from start pages.
func (l *Library) web(ctx context.Context, archives, starts []string) (*corpus.Web, error) {
	return l.webs.get(key(archives)+"\n\n"+key(starts), func() (*corpus.Web, error) {
		replay, err := l.Replay(archives)
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
func (l *Library) close() error {
	var err error
	for _, open := range l.opened.things {
		if replay, failed := open(); failed == nil {
			err = errors.Join(err, replay.Close())
		}
	}
	return err
}
