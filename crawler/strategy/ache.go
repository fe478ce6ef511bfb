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
	Name:    "ache",
	Summary: "follows the link whose words best match links that led to relevant pages, like the crawler ACHE; keeps learning during the crawl",
	Look:    3,
	Best:    "no other had words more like those of links that led to relevant pages",
	New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
		r := reader{b, "ache"}
		judge, err := r.newJudge(ctx)
		if err != nil {
			return nil, err
		}
		return &ache{reader: r, judge: judge, words: text.NewCounter()}, nil
	},
}

// ache follows the crawler ACHE (VIDA-NYU/ache) with online learning of two classes. A linear classifier reads the words of
// a link's anchor text, of the text around it and of its address, and estimates how likely the link leads to a page that
// the page classifier calls relevant. It is trained on the links that the crawl followed. Before the first training, a link
// has the relevance of the page that holds it, as with ACHE's LinkClassifierBaseline.
//
// It differs from ACHE in five ways. It uses logistic regression, ACHE a linear support vector machine with Platt's
// probabilities. It trains on all irrelevant links, weighted so that both classes count the same; ACHE takes as many as
// there are relevant ones. It updates the priorities of queued links; ACHE only sets those of links found later. Its page
// classifier is the judge that all our learners share, retrained during the crawl; ACHE's is fixed. And a link's priority is
// the probability of the relevant class, while LinkClassifierImpl puts a link that is surely irrelevant before one that is
// perhaps irrelevant.
//
// Its memory is bounded: by the pages that online.Judge keeps, and by maxFollowedLinks.
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

// maxFollowedLinks is the maximum number of followed links kept, ACHE's 5,000 of each class. The oldest are dropped first.
const maxFollowedLinks = 10_000

func (s *ache) Read(ctx context.Context, v Visit) (Judgement, error) {
	j, _, p, in := s.readBy(s.judge, v)
	useful := online.Probability(s.judge.LogOdds(p.Row))
	if n, ok := readACHENote(v.Note); ok {
		if len(s.followed) >= maxFollowedLinks {
			s.followed = slices.Delete(s.followed, 0, 1)
		}
		s.followed = append(s.followed, acheLink{v.Page.URL, n.tokens, useful >= s.bundle.Judge.Threshold, online.Unmarked})
	}
	var err error
	if !v.Visited {
		s.judge.Add(p)
		j.Reorder, err = s.learn(ctx)
	}
	j.Priorities, j.Notes = make([]Priority, len(v.Page.Links)), make([][]byte, len(v.Page.Links))
	for i, l := range v.Page.Links {
		n := acheNote{float32(useful), s.tokens(in, l)}
		j.Priorities[i], j.Notes[i] = s.value(&n), n.bytes()
	}
	return j, err
}

// learn fits what is due, and reports whether the priorities of links changed. When a fit fails, the former one stays.
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

// relevant reports whether a link led to a relevant page. The person's mark overrules the classifier.
func (l *acheLink) relevant() bool {
	return l.Mark == online.Useful || l.Mark == online.Unmarked && l.Judged
}

// learnLinks fits the classifier of links, and reports whether it did: that needs links of both classes.
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

// binaryRow has a 1 for each token of a link that the classifier knows.
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

// probability is the probability of the relevant class.
func (c *acheClassifier) probability(link []uint32) float64 {
	x := c.Bias
	for _, t := range link {
		if i, ok := slices.BinarySearch(c.Tokens, t); ok {
			x += float64(c.Weights[i])
		}
	}
	return online.Probability(x)
}

// value is the current estimate of the link's value.
func (s *ache) value(n *acheNote) Priority {
	p := float64(n.parent)
	if s.links != nil {
		p = s.links.probability(n.tokens)
	}
	return Priority{int32(math.Round(p * 1e9))}
}

// Priority applies the current classifier to the link.
func (s *ache) Priority(_ string, note []byte) Priority {
	n, ok := readACHENote(note)
	if !ok {
		return Priority{}
	}
	return s.value(&n)
}

// Teach marks the page for the judge, and the link that led to it. The mark counts from the next training on, which comes soon.
func (s *ache) Teach(m Mark) {
	if _, changed := s.judge.Mark(m.URL, word(m)); !changed {
		return
	}
	s.schedule.Teach()
	for i := range s.followed {
		if s.followed[i].URL == m.URL {
			s.followed[i].Mark = word(m)
		}
	}
}

// Ask lists the pages that the judge is least sure of.
func (s *ache) Ask(n int) []string { return s.judge.Uncertain(n) }

// acheState is what was learned, as it is stored.
type acheState struct {
	Schedule online.Schedule
	Judge    online.JudgeState
	Followed []acheLink
	Links    *acheClassifier
}

// Snapshot returns what was learned so far.
func (s *ache) Snapshot() []byte {
	return s.pack(acheState{s.schedule, s.judge.State(), s.followed, s.links})
}

// Restore continues from a snapshot; anything else is online.ErrSnapshot.
func (s *ache) Restore(data []byte) error {
	return restore(s.reader, data, func(state *acheState) error {
		if err := state.check(); err != nil {
			return err
		}
		judge := s.freshJudge()
		if err := judge.SetState(state.Judge); err != nil {
			return err
		}
		s.schedule, s.judge, s.followed, s.links = state.Schedule, judge, state.Followed, state.Links
		return nil
	})
}

func (s *acheState) check() error {
	if len(s.Followed) > maxFollowedLinks {
		return fmt.Errorf("%w: too many links", online.ErrSnapshot)
	}
	if slices.ContainsFunc(s.Followed, func(l acheLink) bool { return l.Mark < online.Unmarked || l.Mark > online.NotUseful }) {
		return fmt.Errorf("%w: unknown mark", online.ErrSnapshot)
	}
	c := s.Links
	if c == nil {
		return nil
	}
	if len(c.Tokens) != len(c.Weights) || !slices.IsSorted(c.Tokens) || online.Infinite(c.Bias) ||
		slices.ContainsFunc(c.Weights, online.Infinite[float32]) {
		return fmt.Errorf("%w: malformed classifier of links", online.ErrSnapshot)
	}
	return nil
}

// acheNote is what was known about a link when its page was read.
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
