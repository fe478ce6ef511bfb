package strategy

import (
	"context"

	"nightjar/model"
)

var breadthFirstKind = Kind{
	Name:    "breadth-first",
	Summary: "follows links in the order they were found",
	Look:    8,
	Best:    "it had waited longest",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &breadthFirst{reader{b, "breadth-first"}}, nil
	},
}

// breadthFirst gives all links the same priority, so that links are followed first in, first out. It reads pages only to
// report their relevance.
type breadthFirst struct{ reader }

func (s *breadthFirst) Read(_ context.Context, v Visit) (Judgement, error) {
	j, _ := s.read(v)
	j.Priorities = same(v, Priority{})
	return j, nil
}
