package strategy

import "nightjar/model"

// bestFirst follows the links of the page most similar to a target first, [HMM] §5.2.1. The paper takes the cosine of
// words; this takes that in the LSI space.
type bestFirst struct{ judge }

func newBestFirst(b *model.Bundle) Strategy { return &bestFirst{judge{b}} }

func (s *bestFirst) Name() string { return "best-first" }

func (s *bestFirst) Judge(v Visit) Judgement {
	j, o := s.judge.judge(v)
	j.Priorities = same(v, fine(o.Similarity))
	return j
}
