package strategy

import (
	"math"

	"nightjar/model"
)

// cosineSteps is into how many steps a cosine of 0 to 1 is cut to be a priority: finer than anything a page's text says.
const cosineSteps = 1_000_000

// bestFirst follows the links of the page most similar to a target first, [HMM] §5.2.1. The paper takes the cosine of
// words; this takes that in the LSI space.
type bestFirst struct{ judge }

func newBestFirst(b *model.Bundle) Strategy { return &bestFirst{judge{b}} }

func (s *bestFirst) Name() string { return "best-first" }

func (s *bestFirst) Judge(v Visit) Judgement {
	j, o := s.judge.judge(v)
	j.Priorities = same(v, Priority{int32(math.Round(o.Similarity * cosineSteps))})
	return j
}
