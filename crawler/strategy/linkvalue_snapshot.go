package strategy

import (
	"errors"
	"fmt"
	"math"

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

// Snapshot returns what was learned so far. The words of a page and the names of the tokens were packed when they were met.
func (s *linkValue) Snapshot() []byte {
	o := online.NewOut(s.packed + s.packed/8)
	s.vocabulary.Pack(o)
	for _, x := range [...]int{s.schedule.Pages, s.schedule.Links, s.schedule.Judge, s.schedule.Missed, s.found, s.explore.Since, s.explore.Barren} {
		o.Int(x)
	}
	o.Float(s.explore.Harvest)
	closed := s.ways.state()
	o.Int(len(closed))
	for _, page := range closed {
		o.Int(page)
	}
	s.judge.Pack(o)
	s.links.Pack(o)
	s.ahead.Pack(o)
	o.Int(len(s.followed))
	for i := range s.followed {
		s.packFollowed(o, &s.followed[i])
	}
	for _, m := range s.brought {
		m.Pack(o)
	}
	online.PackKeys(o, &s.hosts, func(o *online.Out, brought *bool) { o.Bool(*brought) })
	online.PackKeys(o, &s.linked, packLinked)
	s.packed = len(o.B)
	return o.Seal(s.name, s.bundle)
}

// readState reads what Snapshot packed.
func (s *linkValue) readState(in *online.In) (*linkValueState, error) {
	state := &linkValueState{Names: online.ReadTokens(in)}
	for _, x := range [...]*int{&state.Schedule.Pages, &state.Schedule.Links, &state.Schedule.Judge, &state.Schedule.Missed, &state.Found, &state.Explore.Since, &state.Explore.Barren} {
		*x = in.Int(math.MaxInt32)
	}
	state.Explore.Harvest = in.Float()
	state.Ways = make([]int, in.Len(len(s.ways.closed), 1))
	for i := range state.Ways {
		state.Ways[i] = in.Int(len(s.ways.closed))
	}
	state.Judge = s.judge.ReadJudge(in)
	state.Links, state.Ahead = online.ReadRegression(in), online.ReadRegression(in)
	state.Followed = make([]followedLink, in.Len(maxFollowed, leastFollowed))
	for i := range state.Followed {
		state.Followed[i] = readFollowed(in, state.Names)
	}
	for i := range state.Brought {
		state.Brought[i] = online.ReadMeans(in)
	}
	state.Hosts = online.ReadKeys(in, maxHosts, 1, (*online.In).Bool)
	state.Linked = online.ReadKeys(in, maxLinked, 9, readLinked)
	return state, in.Err()
}

// leastFollowed is the length of the shortest packed link.
const leastFollowed = 3*8 + 2*8 + 4*signalCount

func (s *linkValue) packFollowed(o *online.Out, f *followedLink) {
	o.Text(f.Address)
	if o.Bool(f.URL != f.Address); f.URL != f.Address {
		o.Text(f.URL)
	}
	o.Bool(f.Marked)
	o.Bool(f.Known)
	o.Bool(f.Gone)
	o.Float(f.Ahead)
	o.Float(f.Outcome)
	o.Float(f.Weight)
	o.Word64(f.Holder)
	o.Word64(f.Place)
	for _, x := range f.Signals {
		o.Float32(x)
	}
	s.vocabulary.PackTokens(o, f.Tokens)
}

func readFollowed(in *online.In, names online.Pairs[uint32, online.Token]) (f followedLink) {
	f.Address = in.Text()
	if f.URL = f.Address; in.Bool() {
		f.URL = in.Text()
	}
	f.Marked, f.Known, f.Gone = in.Bool(), in.Bool(), in.Bool()
	f.Ahead, f.Outcome, f.Weight = in.Float(), in.Float(), in.Float()
	f.Holder, f.Place = in.Word64(), in.Word64()
	f.Signals = make([]float32, signalCount)
	for i := range f.Signals {
		f.Signals[i] = in.Float32()
	}
	f.Tokens = online.ReadTokenList(in, maxTokens, names)
	return f
}

func packLinked(o *online.Out, l *linkedFrom) {
	o.Int(int(l.N))
	o.Float32(l.Sum)
	o.Float32(l.Best)
}

func readLinked(in *online.In) linkedFrom {
	return linkedFrom{float32(in.Int(1 << 24)), in.Float32(), in.Float32()}
}

// Restore continues from a snapshot; anything else is online.ErrSnapshot.
func (s *linkValue) Restore(data []byte) error {
	in, err := online.Unseal(s.name, s.bundle, data)
	var state *linkValueState
	if err == nil {
		state, err = s.readState(in)
	}
	if err == nil {
		err = s.restore(state)
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", s.name, err)
	}
	return nil
}

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
