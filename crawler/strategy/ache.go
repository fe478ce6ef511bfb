package strategy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/online"
	"nightjar/model/text"
)

var acheKind = Kind{
	Name:     "ache",
	Summary:  "follows the link whose words are most like those of links that led to relevant pages, as the crawler ACHE does; learns while it crawls",
	Contrast: "tells the links of one page apart by the words in and around them, and learns on in the crawl",
	Look:     3,
	New:      newACHE,
}

// ache does what the crawler ACHE (VIDA-NYU/ache) does when it learns online with two classes: a linear classifier reads
// the words of a link's anchor, of the text around it and of its address, and says how probable it is that the link leads
// to a page that the page classifier calls relevant. It is learned from the links that the crawl followed. Before the first
// of them, links have the relevance of the page that holds them, as by ACHE's LinkClassifierBaseline.
//
// What is ours: logistic regression where ACHE has a linear support vector machine with Platt's probabilities; all
// irrelevant links, weighed so that both classes count the same, where ACHE takes as many as there are relevant ones; links
// in the queue are valued anew, where ACHE does so only for links that it finds from then on; the page classifier is the
// judge that all of our learners share, retrained in the crawl, where ACHE's is fixed; and a link's priority is the
// probability of the relevant class, where LinkClassifierImpl puts a link that is surely irrelevant before one that is
// perhaps so.
//
// Its memory is bounded by the pages that online.Judge keeps and by maxFollowedLinks.
type ache struct {
	reader
	judge    *online.Judge
	schedule online.Schedule
	words    *text.Counter
	followed []acheLink
	links    *acheClassifier // nil before the first
}

// acheLink is a link that was followed.
type acheLink struct {
	URL    string // final, of the page it led to
	Tokens []uint32
	Judged bool // by the page classifier when the page was read
	Mark   online.Mark
}

// acheClassifier is the linear classifier of links.
type acheClassifier struct {
	Tokens  []uint32 // ascending
	Weights []float32
	Bias    float64
}

// maxFollowedLinks are learned from at most, ACHE's 5,000 of each class; the oldest go first.
const maxFollowedLinks = 10_000

func newACHE(_ context.Context, b *model.Bundle) (Strategy, error) {
	return &ache{reader: reader{b}, judge: online.NewJudge(b), words: text.NewCounter()}, nil
}

func (s *ache) Name() string { return "ache" }

func (s *ache) Read(ctx context.Context, v Visit) (Judgement, error) {
	j, _, row := s.readBy(s.judge, v)
	useful := online.Probability(s.judge.LogOdds(row))
	if n, ok := readACHENote(v.Note); ok {
		if len(s.followed) >= maxFollowedLinks {
			s.followed = slices.Delete(s.followed, 0, 1)
		}
		s.followed = append(s.followed, acheLink{v.Page.URL, n.tokens, useful >= s.bundle.Judge.Threshold, online.Unmarked})
	}
	s.judge.Add(v.Page.URL, row)
	var err error
	j.Reorder, err = s.learn(ctx)
	j.Priorities, j.Notes = make([]Priority, len(v.Page.Links)), make([][]byte, len(v.Page.Links))
	for i, l := range v.Page.Links {
		n := acheNote{float32(useful), s.tokens(l)}
		j.Priorities[i], j.Notes[i] = s.value(&n), n.bytes()
	}
	return j, err
}

// learn fits what is due, and reports whether links have other values now. What cannot be fitted stays as it is.
func (s *ache) learn(ctx context.Context) (news bool, err error) {
	former := s.schedule
	links, judge := s.schedule.Next()
	if judge {
		err = s.judge.Retrain(ctx)
	}
	if links {
		var failed error
		news, failed = s.learnLinks(ctx)
		err = errors.Join(err, failed)
	}
	if ctx.Err() != nil {
		s.schedule.Postpone(former)
		return news, nil
	}
	return news, err
}

// relevant reports whether a link led to a relevant page: the person's word before the classifier's.
func (l *acheLink) relevant() bool {
	return l.Mark == online.Useful || l.Mark == online.Unmarked && l.Judged
}

// learnLinks fits the classifier of links, and reports whether it did: there must be links of both classes.
func (s *ache) learnLinks(ctx context.Context) (bool, error) {
	tokens := selectTokens(s.followed)
	rows, use, label := make([]logistic.Row, len(s.followed)), make([]int, len(s.followed)), make([]int, len(s.followed))
	var count [2]float64
	for i := range s.followed {
		use[i] = i
		if s.followed[i].relevant() {
			label[i] = 1
		}
		count[label[i]]++
		rows[i] = binaryRow(s.followed[i].Tokens, tokens)
	}
	if count[0] == 0 || count[1] == 0 {
		return false, nil
	}
	weight := make([]float64, len(rows))
	for i, l := range label {
		weight[i] = (count[0] + count[1]) / (2 * count[l])
	}
	m, err := logistic.NewProblem(rows, len(tokens)).Fit(ctx, use, label, weight, 2, logistic.Options{C: 1})
	if err != nil {
		return false, fmt.Errorf("fit the classifier of links: %w", err)
	}
	s.links = &acheClassifier{tokens, m.Weights, m.Bias[0]}
	return true, nil
}

// binaryRow has a 1 for each of the tokens that a link has.
func binaryRow(link, tokens []uint32) logistic.Row {
	var r logistic.Row
	for _, t := range link {
		if i, ok := slices.BinarySearch(tokens, t); ok {
			r.Index = append(r.Index, int32(i))
		}
	}
	slices.Sort(r.Index)
	r.Index = slices.Compact(r.Index)
	r.Value = slices.Repeat([]float32{1}, len(r.Index))
	return r
}

// probability is that of the relevant class.
func (c *acheClassifier) probability(link []uint32) float64 {
	x := c.Bias
	for _, t := range link {
		if i, ok := slices.BinarySearch(c.Tokens, t); ok {
			x += float64(c.Weights[i])
		}
	}
	return online.Probability(x)
}

// value is what a link is worth by what is known now.
func (s *ache) value(n *acheNote) Priority {
	p := float64(n.parent)
	if s.links != nil {
		p = s.links.probability(n.tokens)
	}
	return Priority{int32(math.Round(p * 1e9))}
}

// Priority reads the link anew.
func (s *ache) Priority(_ string, note []byte) Priority {
	n, ok := readACHENote(note)
	if !ok {
		return Priority{}
	}
	return s.value(&n)
}

// Teach takes the person's word, for the judge and for the link that led to the page; it counts from the next training on.
func (s *ache) Teach(m Mark) {
	if _, changed := s.judge.Mark(m.URL, word(m)); !changed {
		return
	}
	for i := range s.followed {
		if s.followed[i].URL == m.URL {
			s.followed[i].Mark = word(m)
		}
	}
}

// Ask names the pages of which the judge knows least.
func (s *ache) Ask(n int) []string { return s.judge.Uncertain(n) }

// acheState is what a crawl taught, as stored.
type acheState struct {
	Schedule online.Schedule
	Judge    online.JudgeState
	Followed []acheLink
	Links    *acheClassifier
}

// Snapshot is what the crawl taught so far.
func (s *ache) Snapshot() []byte {
	return pack(s.Name(), s.bundle, acheState{s.schedule, s.judge.State(), s.followed, s.links})
}

// Restore goes on from a snapshot; it gives online.ErrSnapshot for anything else.
func (s *ache) Restore(data []byte) error {
	var state acheState
	if err := online.Unpack(s.Name(), s.bundle, data, &state); err != nil {
		return fmt.Errorf("restore ache: %w", err)
	}
	if err := state.check(); err != nil {
		return fmt.Errorf("restore ache: %w", err)
	}
	judge := online.NewJudge(s.bundle)
	if err := judge.SetState(state.Judge); err != nil {
		return fmt.Errorf("restore ache: %w", err)
	}
	s.schedule, s.judge, s.followed, s.links = state.Schedule, judge, state.Followed, state.Links
	return nil
}

func (s *acheState) check() error {
	if len(s.Followed) > maxFollowedLinks {
		return fmt.Errorf("%w: more links than a crawl keeps", online.ErrSnapshot)
	}
	for _, l := range s.Followed {
		if l.Mark < online.Unmarked || l.Mark > online.NotUseful {
			return fmt.Errorf("%w: a mark that there is not", online.ErrSnapshot)
		}
	}
	c := s.Links
	if c == nil {
		return nil
	}
	ok := len(c.Tokens) == len(c.Weights) && slices.IsSorted(c.Tokens) && !math.IsNaN(c.Bias) && !math.IsInf(c.Bias, 0)
	for _, w := range c.Weights {
		ok = ok && !math.IsNaN(float64(w)) && !math.IsInf(float64(w), 0)
	}
	if !ok {
		return fmt.Errorf("%w: a classifier of links that is none", online.ErrSnapshot)
	}
	return nil
}

// acheNote is what is known of a link when its page was read.
type acheNote struct {
	parent float32 // probability that the page which holds it is useful
	tokens []uint32
}

func (n *acheNote) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+4*len(n.tokens)), math.Float32bits(n.parent))
	for _, t := range n.tokens {
		b = binary.LittleEndian.AppendUint32(b, t)
	}
	return b
}

func readACHENote(b []byte) (n acheNote, ok bool) {
	if len(b) < 4 || len(b)%4 != 0 {
		return n, false
	}
	n.parent = math.Float32frombits(binary.LittleEndian.Uint32(b))
	for b = b[4:]; len(b) > 0; b = b[4:] {
		n.tokens = append(n.tokens, binary.LittleEndian.Uint32(b))
	}
	return n, n.parent >= 0 && n.parent <= 1
}
