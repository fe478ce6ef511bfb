package strategy

import (
	"errors"
	"fmt"

	"nightjar/model/online"
)

// linkValueState is what was learned.
type linkValueState struct {
	Schedule online.Schedule
	Judge    online.JudgeState
	Links    online.RegressionState
	Ahead    online.RegressionState
	Followed []followedLink
	Found    int
	Brought  [4]online.MeansState
	Ways     []int // pages of the session that were fetched
	Explore  explore
	Hosts    online.Pairs[uint64, bool]
	Linked   online.Pairs[uint64, linkedFrom]
	Names    online.Pairs[uint32, online.Token]
}

// Snapshot returns what was learned so far.
func (s *linkValue) Snapshot() []byte {
	state := linkValueState{
		Schedule: s.schedule, Judge: s.judge.State(), Links: s.links.State(), Ahead: s.ahead.State(),
		Followed: s.followed, Found: s.found, Ways: s.ways.state(), Explore: s.explore,
		Hosts: online.PairsIn[uint64](&s.hosts), Linked: online.PairsIn[uint64](&s.linked), Names: s.vocabulary.State(),
	}
	for i, m := range s.brought {
		state.Brought[i] = m.State()
	}
	return s.pack(state)
}

// Restore continues from a snapshot; anything else is online.ErrSnapshot.
func (s *linkValue) Restore(data []byte) error { return restore(s.reader, data, s.restore) }

// restore takes over a state, all of it or nothing.
func (s *linkValue) restore(state *linkValueState) error {
	if len(state.Followed) > maxFollowed || state.Found < 0 {
		return fmt.Errorf("%w: too many links", online.ErrSnapshot)
	}
	for i := range state.Followed {
		if err := state.Followed[i].Check(signalCount); err != nil {
			return err
		}
		if a := state.Followed[i].Ahead; !(a >= 0 && a <= 1) {
			return fmt.Errorf("%w: a probability out of range", online.ErrSnapshot)
		}
	}
	var linked online.Keys[linkedFrom]
	var hosts online.Keys[bool]
	if err := errors.Join(state.Linked.Into(&linked, maxLinked), state.Hosts.Into(&hosts, maxHosts)); err != nil {
		return err
	}
	ways, err := s.ways.restored(state.Ways)
	if err != nil {
		return err
	}
	if x := state.Explore; !(x.Harvest >= 0 && x.Harvest <= 1) || x.Since < 0 || x.Barren < 0 {
		return fmt.Errorf("%w: a share out of range", online.ErrSnapshot)
	}
	var b brought
	for i := range b {
		if b[i], err = online.MeansOf(state.Brought[i]); err != nil {
			return err
		}
	}
	next := linkValue{
		judge: s.freshJudge(), links: online.NewRegression(usualWeights()), ahead: online.NewRegression(aheadWeights()),
		vocabulary: s.newVocabulary(),
	}
	for _, err := range []error{
		next.judge.SetState(state.Judge), next.links.SetState(state.Links), next.ahead.SetState(state.Ahead), next.vocabulary.SetState(state.Names),
	} {
		if err != nil {
			return err
		}
	}
	s.judge, s.links, s.ahead, s.vocabulary = next.judge, next.links, next.ahead, next.vocabulary
	s.found, s.ways, s.explore, s.hosts = state.Found, ways, state.Explore, hosts
	s.schedule, s.followed, s.brought, s.linked = state.Schedule, state.Followed, b, linked
	return nil
}
