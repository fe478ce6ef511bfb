package strategy

import (
	"context"
	"encoding/binary"
	"hash/fnv"

	"nightjar/model"
)

// pageOrder values the links of a page by what is on the page, with no memory of the path to it: the baselines.
type pageOrder struct {
	reader
	values func(v Visit, o model.Observation) []Priority // one for each link
}

func (s *pageOrder) Read(_ context.Context, v Visit) (Judgement, error) {
	j, o := s.read(v)
	j.Priorities = s.values(v, o)
	return j, nil
}

// bestFirstKind follows the links of the page most similar to a target first, [HMM] §5.2.1. The paper compares words; this
// compares in the LSI space.
var bestFirstKind = Kind{
	Name:    "best-first",
	Summary: "follows links from the page most similar to your useful pages in the LSI space",
	Look:    6,
	Best:    "no other was on a page more like your useful pages",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &pageOrder{reader{b, "best-first"}, func(v Visit, o model.Observation) []Priority { return same(v, fine(o.Similarity)) }}, nil
	},
}

// breadthFirstKind gives all links the same priority, so that links are followed first in, first out. It reads pages only to
// report their relevance.
var breadthFirstKind = Kind{
	Name:    "breadth-first",
	Summary: "follows links in the order they were found",
	Look:    8,
	Best:    "it had waited longest",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &pageOrder{reader{b, "breadth-first"}, func(v Visit, _ model.Observation) []Priority { return same(v, Priority{}) }}, nil
	},
}

// randomKind follows links in random order, the baseline for any order. A link's priority depends on its address and the
// model's seed alone, so that the same link always has the same priority.
var randomKind = Kind{
	Name:    "random",
	Summary: "follows links in random order",
	Look:    9,
	Best:    "it was picked at random",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &pageOrder{reader{b, "random"}, func(v Visit, _ model.Observation) []Priority {
			all := make([]Priority, len(v.Page.Links))
			for i, l := range v.Page.Links {
				all[i] = Priority{draw(b.Settings.Seed, l.URL)}
			}
			return all
		}}, nil
	},
}

// draw returns a pseudo-random number in [0, 2^31): the FNV-1a hash of seed and text, mixed by the finalizer of MurmurHash3.
// Without the mixing, addresses that differ in their last letter would get similar numbers.
func draw(seed uint64, text string) int32 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed)) // a hash takes everything
	h.Write([]byte(text))                                // likewise
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return int32((x ^ x>>33) >> 33)
}
