package pages

import (
	"context"
	"net/http"
	"sync"
	"time"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/web/frame"
)

// spacePage says what takes the space.
type spacePage struct {
	Kinds []spaceLine // empty before it was counted
	Total int64
	At    time.Time      // when it was counted
	Wait  *frame.Waiting // nil unless it is being counted
}

// spaceLine is one kind of data with its size.
type spaceLine struct {
	Name  string
	Bytes int64
	Share float64 // of all
}

// space keeps what takes the space: to count it means to look at the whole database.
type space struct {
	mu   sync.Mutex
	kept spacePage
}

// handleSpace shows the size of the data by kind as it was counted last. With "count" in the query the
// sizes are counted now; see handleEraseAsk.
func (s *server) handleSpace(w http.ResponseWriter, r *http.Request) error {
	p := s.space.last()
	now, wait, err := frame.CountedIfAsked(r, s.Counts, "space", s.countSpace)
	if err != nil {
		return err
	}
	if now != nil {
		p = *now
	}
	p.Wait = wait
	return s.Show(w, r, "space", "sizes", frame.Layout{Title: "What takes the space", Section: "settings"}, p)
}

func (k *space) last() spacePage {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept
}

// countSpace counts the sizes and keeps them.
func (s *server) countSpace(ctx context.Context) (spacePage, error) {
	p := spacePage{At: s.Now()}
	sizes, err := backup.Sizes(ctx, s.Store.DB)
	if err != nil {
		return p, err
	}
	use, err := s.Archive.Use()
	if err != nil {
		return p, err
	}
	for _, k := range append(sizes, backup.KindSize{Kind: "Archive of pages as they were sent", Bytes: use.Bytes}) {
		p.Kinds = append(p.Kinds, spaceLine{Name: k.Kind, Bytes: k.Bytes})
		p.Total += k.Bytes
	}
	for i, k := range p.Kinds {
		if p.Total > 0 {
			p.Kinds[i].Share = float64(k.Bytes) / float64(p.Total)
		}
	}
	s.space.mu.Lock()
	s.space.kept = p
	s.space.mu.Unlock()
	return p, nil
}

// handlePrune deletes archive files beyond the limit, as the start of a night does.
func (s *server) handlePrune(w http.ResponseWriter, r *http.Request) error {
	settings, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	notice := "nothing-pruned"
	pruned, err := s.Archive.Prune(settings.Archive.Megabytes)
	if err != nil {
		return err
	}
	if pruned.Files > 0 {
		notice = "pruned"
	}
	return frame.Done(w, r, "/settings", notice)
}
