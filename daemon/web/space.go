package web

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
	At    time.Time // when it was counted
	Wait  *waiting  // nil unless it is being counted
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
func (s *Server) handleSpace(w http.ResponseWriter, r *http.Request) error {
	p := s.space.last()
	now, wait, err := countedIfAsked(r, s.counts, "space", s.countSpace)
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
func (s *Server) countSpace(ctx context.Context) (spacePage, error) {
	p := spacePage{At: s.Now()}
	sizes, err := backup.Sizes(ctx, s.Store.DB)
	if err != nil {
		return p, err
	}
	use, err := s.archiveUse()
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
