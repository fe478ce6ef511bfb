package strategy

import "nightjar/model"

// breadthFirst gives all links the same priority, so that the order of insertion decides: first in, first out. It reads
// pages only to say how relevant they are.
type breadthFirst struct{ judge }

func newBreadthFirst(b *model.Bundle) Strategy { return &breadthFirst{judge{b}} }

func (s *breadthFirst) Name() string { return "breadth-first" }

func (s *breadthFirst) Judge(v Visit) Judgement {
	j, _ := s.judge.judge(v)
	j.Priorities = same(v, Priority{})
	return j
}
