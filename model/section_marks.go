package model

import "errors"

// marksSection is the section "marks": the targets that the person marked Useful among finds. Pages marked Not useful are in the
// section "graph".
type marksSection struct {
	Useful []int `cbor:"useful"` // indices of pages, ascending
}

func (s *marksSection) from(b *Bundle) bool {
	for i := range b.Pages {
		if b.Pages[i].Marked {
			s.Useful = append(s.Useful, i)
		}
	}
	return len(s.Useful) > 0
}

func (s *marksSection) into(b *Bundle) error {
	for _, i := range s.Useful {
		if i < 0 || i >= len(b.Pages) {
			return errors.New("a page with a mark is not in the graph")
		}
		b.Pages[i].Marked = true
	}
	return nil
}

func (b *Bundle) checkMarks() error {
	for _, p := range b.Pages {
		if p.Marked && !p.Target {
			return errors.New("a page marked Useful is no target")
		}
	}
	return nil
}
