package strategy

import (
	"context"

	"nightjar/model"
)

var bestFirstKind = Kind{
	Name:    "best-first",
	Summary: "follows links from the page most similar to your useful pages in the LSI space",
	Look:    6,
	Best:    "no other was on a page more like your useful pages",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &bestFirst{reader{b, "best-first"}}, nil
	},
}

// bestFirst follows the links of the page most similar to a target first, [HMM] §5.2.1. The paper compares words;
// this compares in the LSI space.
type bestFirst struct{ reader }

func (s *bestFirst) Read(_ context.Context, v Visit) (Judgement, error) {
	j, o := s.read(v)
	j.Priorities = same(v, fine(o.Similarity))
	return j, nil
}
