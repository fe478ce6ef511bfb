package strategy

import (
	"context"
	"encoding/binary"
	"hash/fnv"

	"nightjar/model"
)

var randomKind = Kind{
	Name:    "random",
	Summary: "follows links in random order",
	Look:    9,
	Best:    "it was picked at random",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &random{reader{b, "random"}, b.Settings.Seed}, nil
	},
}

// random follows links in random order, the baseline for any order. A link's priority depends on its address and the
// model's seed alone, so that the same link always has the same priority.
type random struct {
	reader
	seed uint64
}

func (s *random) Read(_ context.Context, v Visit) (Judgement, error) {
	j, _ := s.read(v)
	j.Priorities = make([]Priority, len(v.Page.Links))
	for i, l := range v.Page.Links {
		j.Priorities[i] = Priority{draw(s.seed, l.URL)}
	}
	return j, nil
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
