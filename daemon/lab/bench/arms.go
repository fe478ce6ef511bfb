package bench

import (
	"context"
	"fmt"
	"os"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/corpus"
	"nightjar/model"
	"nightjar/model/arms"
)

// ArmsPlan says which two strategies choose links in turn, and for how many nights.
type ArmsPlan struct {
	First, Second string
	Share         int // percent of the picks that are Second's
	Nights        int // crawls with both; each has its own draws
}

// ArmsResult is what two strategies brought on one task with one seed.
type ArmsResult struct {
	Task       string  `json:"task"`
	First      string  `json:"first"`
	Second     string  `json:"second"`
	Seed       uint64  `json:"seed"`
	Alone      int     `json:"alone"`       // relevant pages found by First alone
	SecondAlso int     `json:"second_also"` // by Second alone
	Found      []int   `json:"found"`       // by both in turn, each night
	Seen       Told    `json:"seen"`        // when a person marks each find
	Unseen     Told    `json:"unseen"`      // when nobody does, so that probabilities count
	Loss       float64 `json:"loss"`        // share of the finds of First alone that are lost, on average
}

// Told is when the nights told the two apart.
type Told struct {
	Nights  int          `json:"nights"` // 0 when they did not
	Last    arms.Verdict `json:"last"`   // after the last night
	Winner  string       `json:"winner"`
	brought []arms.Night
}

// CompareArms crawls a task with two strategies in turn, several times, and with each of them alone. A night is a crawl of the
// whole task: a real topic has other pages each night, so the number of nights says how much evidence is needed, not more.
func (r *Runner) CompareArms(ctx context.Context, t Task, p ArmsPlan, seed uint64) (*ArmsResult, error) {
	t.Strategies, t.Seeds = []string{p.First, p.Second}, []uint64{seed}
	if err := t.complete(); err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer r.close()
	trials, err := r.prepare(ctx, &t)
	if err != nil {
		return nil, err
	}
	c := &armsCrawls{runner: r, task: &t, trial: trials[0]}
	out := &ArmsResult{Task: t.Name, First: p.First, Second: p.Second, Seed: seed}
	if out.Alone, err = c.crawl(ctx, p.First, "", arms.Design{}, nil); err != nil {
		return nil, err
	}
	if out.SecondAlso, err = c.crawl(ctx, p.Second, "", arms.Design{}, nil); err != nil {
		return nil, err
	}
	found := 0
	for i := range p.Nights {
		seen, unseen := arms.Night{Share: p.Share}, arms.Night{Share: p.Share}
		n, err := c.crawl(ctx, p.First, p.Second, arms.Design{Share: p.Share, Seed: uint64(i + 1)}, func(f *crawler.Fetch, hit bool) {
			countArm(&seen, f, hit, 1)
			countArm(&unseen, f, f.Find(), f.Judgement.Useful)
		})
		if err != nil {
			return nil, err
		}
		found += n
		out.Found = append(out.Found, n)
		out.Seen.add(seen, p)
		out.Unseen.add(unseen, p)
	}
	if out.Alone > 0 && p.Nights > 0 {
		out.Loss = 1 - float64(found)/float64(p.Nights*out.Alone)
	}
	return out, nil
}

// countArm adds a fetch to a night, with what it is worth if it is a find.
func countArm(n *arms.Night, f *crawler.Fetch, find bool, worth float64) {
	if f.Pick.N == 0 || f.Cost == 0 {
		return
	}
	k := 0
	if f.Pick.Second {
		k = 1
	}
	n.Picks[k]++
	if find {
		n.Finds = append(n.Finds, arms.Find{Pick: f.Pick.N, Second: f.Pick.Second, Worth: worth})
	}
}

// add adds a night and compares.
func (t *Told) add(n arms.Night, p ArmsPlan) {
	t.brought = append(t.brought, n)
	t.Last = arms.Compare(t.brought)
	if t.Nights == 0 && t.Last.Winner != arms.None {
		t.Nights = len(t.brought)
		t.Winner = map[arms.Winner]string{arms.A: p.First, arms.B: p.Second}[t.Last.Winner]
	}
}

// armsCrawls are the crawls of one trial.
type armsCrawls struct {
	runner *Runner
	task   *Task
	trial  *trial
}

// crawl crawls with one strategy or two and returns how many relevant pages it found. each is called for each fetch, with
// whether it found a new one.
func (c *armsCrawls) crawl(ctx context.Context, first, second string, design arms.Design, each func(f *crawler.Fetch, hit bool)) (int, error) {
	text, err := os.ReadFile(c.trial.Model)
	if err != nil {
		return 0, err
	}
	b, err := model.Decode(text)
	if err != nil {
		return 0, err
	}
	replay, err := c.runner.library.replay(c.task.Corpus)
	if err != nil {
		return 0, err
	}
	s, err := strategy.New(ctx, first, b)
	if err != nil {
		return 0, err
	}
	score := corpus.Score{Relevant: set(c.trial.Relevant), Budget: c.task.Budget}
	o := crawler.Options{
		Starts: c.trial.Starts, Budget: crawler.Budget{Pages: c.task.Budget}, DomainCap: c.task.DomainCap, Arms: design,
		OnFetch: func(f *crawler.Fetch) {
			if hit := score.Add(f); each != nil {
				each(f, hit)
			}
		},
	}
	if second != "" {
		if o.Second, err = strategy.New(ctx, second, b); err != nil {
			return 0, err
		}
	}
	if _, err := crawler.Run(ctx, replay, s, o); err != nil {
		return 0, fmt.Errorf("crawl with %s: %w", first, err)
	}
	return score.Found(), ctx.Err()
}
