package strategy

import (
	"context"
	"math"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/online"
)

var bestClassifierKind = Kind{
	Name:    "best-classifier",
	Summary: "follows links from the page most likely to be useful, according to a classifier that is retrained during the crawl",
	Look:    2,
	Best:    "no other was on a page likelier to be useful",
	New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
		r := reader{b, "best-classifier"}
		judge, err := r.newJudge(ctx)
		if err != nil {
			return nil, err
		}
		return &bestClassifier{reader: r, judge: judge, worth: map[uint64]int32{}}, nil
	},
}

// bestClassifier follows the links of the page most likely to be useful first. It is best-first with a text classifier that
// also knows unrelated pages: the baseline for strategies that read more than the page. The classifier is the model's judge,
// retrained during the crawl with the fetched pages as further background; the priorities of queued links then change.
//
// Its memory is bounded: by the pages that online.Judge keeps, and by maxWorth.
type bestClassifier struct {
	reader
	judge    *online.Judge
	schedule online.Schedule
	worth    map[uint64]int32 // of the links of each page, by the hash of the page's address
}

// maxWorth bounds the pages with a known value: those that the judge keeps, and those fetched until its next training.
const maxWorth = 10_000

func (s *bestClassifier) Read(ctx context.Context, v Visit) (Judgement, error) {
	j, _, page, _ := s.readBy(s.judge, v)
	var err error
	if !v.Visited {
		j.Reorder, err = s.learn(ctx)
		s.judge.Add(page)
	}
	p := s.value(page.Row)
	s.worth[online.Key(v.Page.URL)] = p
	j.Priorities, j.Notes = same(v, Priority{p}), sameNote(v, pageNote(v.Page.URL, Priority{p}))
	return j, err
}

// value is the log odds that a page is useful, so that values near certainty differ too. They are shifted to begin at 0:
// no link is worth less than one without a priority.
func (s *bestClassifier) value(r logistic.Row) int32 {
	const most = 1000 // larger log odds count as equal
	return int32(math.Round((max(-most, min(most, s.judge.LogOdds(r))) + most) * fineSteps))
}

// learn retrains the judge with the fetched pages when that is due, and reports whether it was. When the fit fails, the
// former one stays.
func (s *bestClassifier) learn(ctx context.Context) (due bool, err error) {
	former := s.schedule
	if _, due = s.schedule.Next(); !due {
		return false, nil
	}
	err = s.judge.Retrain(ctx)
	if ctx.Err() != nil {
		s.schedule.Postpone(former)
		return false, nil
	}
	clear(s.worth)
	for _, f := range s.judge.Fetched {
		s.worth[online.Key(f.URL)] = s.value(f.Row)
	}
	return true, err
}

// Priority is the value of the page that holds the link. For a page that was forgotten, it is the value in the note.
func (s *bestClassifier) Priority(_ string, note []byte) Priority {
	holder, was, ok := readPageNote(note)
	if !ok {
		return Priority{}
	}
	if p, known := s.worth[holder]; known {
		return Priority{p}
	}
	return was
}

// Teach marks the page. The mark counts from the next training on, which comes soon.
func (s *bestClassifier) Teach(m Mark) {
	if _, changed := s.judge.Mark(m.URL, word(m)); changed {
		s.schedule.Teach()
	}
}

// Ask lists the pages that the judge is least sure of.
func (s *bestClassifier) Ask(n int) []string { return s.judge.Uncertain(n) }

// bestClassifierState is what was learned, as it is stored.
type bestClassifierState struct {
	Schedule online.Schedule
	Judge    online.JudgeState
	Worth    online.Pairs[uint64, int32]
}

// Snapshot returns what was learned so far.
func (s *bestClassifier) Snapshot() []byte {
	return s.pack(bestClassifierState{s.schedule, s.judge.State(), online.PairsOf(s.worth)})
}

// Restore continues from a snapshot; anything else is online.ErrSnapshot.
func (s *bestClassifier) Restore(data []byte) error {
	return restore(s.reader, data, func(state *bestClassifierState) error {
		worth, err := state.Worth.Map(maxWorth)
		if err != nil {
			return err
		}
		judge := s.freshJudge()
		if err := judge.SetState(state.Judge); err != nil {
			return err
		}
		s.schedule, s.judge, s.worth = state.Schedule, judge, worth
		return nil
	})
}
