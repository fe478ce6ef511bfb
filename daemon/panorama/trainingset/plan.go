package trainingset

import (
	"context"
	"slices"
)

// Plan is what a Run would send.
type Plan struct {
	To      string    // address of the instance that is asked; "" when nothing leaves this computer
	Queries []Planned // for each different title with words; empty when nothing leaves this computer
	Named   []string  // addresses among the titles: these pages are positive themselves
}

// Planned is a title of a Plan.
type Planned struct {
	Title string
	Query string // as it is sent, with its quotes if it is a phrase
	Fate  Fate
}

// Fate is what a Run does with a query.
type Fate string

// Fates of a query.
const (
	WillSend  Fate = "send"  // it is sent
	WillReuse Fate = "kept"  // it was answered before
	WillMiss  Fate = "lost"  // it was sent before, its answer was lost, and it is not sent twice
	OverLimit Fate = "limit" // the document has sent, or will have sent, MaxQueries
)

// Sends returns the queries that are sent.
func (p Plan) Sends() (all []string) {
	for _, q := range p.Queries {
		if q.Fate == WillSend {
			all = append(all, q.Query)
		}
	}
	return all
}

// PlanOf lists every query that Run would send for titles, and to whom. It sends nothing.
func PlanOf(ctx context.Context, p Provider, titles []string) (Plan, error) {
	var plan Plan
	if s, ok := p.(*SearXNG); ok {
		var err error
		if plan, err = s.plan(ctx, distinctTitles(titles)); err != nil {
			return Plan{}, err
		}
	}
	for _, t := range titles {
		if url, ok := Address(t); ok && !slices.Contains(plan.Named, url) {
			plan.Named = append(plan.Named, url)
		}
	}
	return plan, nil
}

func (p *SearXNG) plan(ctx context.Context, titles []string) (Plan, error) {
	plan := Plan{To: p.To()}
	sent, err := RequestsSent(ctx, p.store.DB, p.document)
	if err != nil {
		return Plan{}, err
	}
	for _, title := range titles {
		text := p.kept(Query(title))
		state, _, err := QueryAnswer(ctx, p.store.DB, TitleQuery{Provider: p.To(), Text: text})
		if err != nil {
			return Plan{}, err
		}
		one := Planned{Title: title, Query: p.sent(text), Fate: WillSend}
		switch {
		case state == QueryAnswered:
			one.Fate = WillReuse
		case state == QuerySent:
			one.Fate = WillMiss
		case sent >= MaxQueries:
			one.Fate = OverLimit
		default:
			sent++
		}
		plan.Queries = append(plan.Queries, one)
	}
	return plan, nil
}
