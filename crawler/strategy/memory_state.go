package strategy

import (
	"fmt"

	"nightjar/model/online"
)

// memoryState is a memory as it is stored.
type memoryState struct {
	Judged int
	Pages  []remembered
}

func (m *memory) state() memoryState { return memoryState{m.judged, m.pages} }

// memoryOf restores a memory for a model with that many features; online.ErrSnapshot when it cannot.
func memoryOf(s memoryState, features int) (memory, error) {
	m := newMemory()
	m.judged, m.pages = s.Judged, s.Pages
	if len(s.Pages) > maxRemembered+forgottenAtOnce {
		return m, fmt.Errorf("%w: too many pages", online.ErrSnapshot)
	}
	last := -1
	for _, p := range s.Pages {
		if p.Number <= last || p.Number >= s.Judged || !p.sound(features) {
			return m, fmt.Errorf("%w: malformed page", online.ErrSnapshot)
		}
		last = p.Number
		m.latest[online.Key(p.URL)] = p.Number
	}
	return m, nil
}

// sound reports whether a page's lists are as the strategy expects them.
func (p *remembered) sound(features int) bool {
	if len(p.Words.Index) != len(p.Words.Count) || len(p.Words.Index) > maxWords || len(p.Links) > maxLinks || p.Mark < online.Unmarked || p.Mark > online.NotUseful {
		return false
	}
	for i, f := range p.Words.Index {
		if f < 0 || int(f) >= features || i > 0 && f <= p.Words.Index[i-1] || p.Words.Count[i] < 1 {
			return false
		}
	}
	for i := range p.Links {
		if i > 0 && p.Links[i] <= p.Links[i-1] {
			return false
		}
	}
	return true
}
