package trainingset

import (
	"context"
	"errors"
	"strings"

	"nightjar/daemon/learn/trainingdata"
)

// Progress says how far a Run is.
type Progress struct {
	Title string // asked for last
	Done  int    // titles
	Of    int    // titles
	Pages int    // found so far
}

// Result is what the titles of a document found.
type Result struct {
	Pages    []trainingdata.Positive // in the order in which they were found, each address once
	Missing  []string                // titles that found nothing
	Lost     []string                // titles that were sent before, and whose answers were lost with a program that was killed
	NotAsked []string                // titles that were not sent: the provider had refused, or the document had sent enough
	Ended    error                   // why the asking ended early: a *Refusal, or ErrQueryLimit; nil if it did not
}

// Run takes the addresses among titles as positive pages, asks a provider for each different other one, MaxHits pages each, and joins
// the hits by address. It tells progress after
// each title; progress may be nil. A provider that refuses ends the asking only: what is known counts. When ctx ends, Run
// returns what it has, with the error of ctx. Another Run goes on where one was stopped, since SearXNG keeps answers.
func Run(ctx context.Context, p Provider, titles []string, progress func(Progress)) (Result, error) {
	j := joiner{at: map[string]int{}}
	for _, title := range titles {
		if url, ok := Address(title); ok {
			j.add(title, []Hit{{URL: url, Stage: StageNamed}})
		}
	}
	titles = distinctTitles(titles)
	if l, ok := p.(List); ok {
		hits, err := l.Search(ctx, "", maxList)
		if err != nil {
			return j.Result, err
		}
		j.add("", hits)
	}
	for i, title := range titles {
		if err := ctx.Err(); err != nil {
			return j.Result, err
		}
		hits, err := p.Search(ctx, title, MaxHits)
		if err := j.note(title, hits, err); err != nil {
			return j.Result, err
		}
		if progress != nil {
			progress(Progress{Title: title, Done: i + 1, Of: len(titles), Pages: len(j.Pages)})
		}
	}
	return j.Result, nil
}

// Address returns the address of a page if a title is one.
func Address(title string) (url string, ok bool) {
	if lower := strings.ToLower(title); !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") || strings.Contains(title, " ") {
		return "", false
	}
	return webPage(title)
}

// distinctTitles returns the titles with words, without addresses and those that make the same query as an earlier one.
func distinctTitles(titles []string) []string {
	var all []string
	known := map[string]bool{"": true}
	for _, t := range titles {
		if _, address := Address(t); address {
			continue
		}
		if q := Query(t); !known[q] {
			known[q] = true
			all = append(all, t)
		}
	}
	return all
}

// joiner joins hits by address.
type joiner struct {
	Result
	at map[string]int // address to its place in Pages
}

// note adds what a title found, or why it found nothing. It returns errors of this computer.
func (j *joiner) note(title string, hits []Hit, err error) error {
	var refusal *Refusal
	switch {
	case err == nil && len(hits) == 0:
		j.Missing = append(j.Missing, title)
	case err == nil:
		j.add(title, hits)
	case errors.Is(err, ErrLost):
		j.Lost = append(j.Lost, title)
	case errors.As(err, &refusal), errors.Is(err, ErrQueryLimit):
		j.NotAsked = append(j.NotAsked, title)
		if j.Ended == nil {
			j.Ended = err
		}
	default:
		return err
	}
	return nil
}

func (j *joiner) add(title string, hits []Hit) {
	for i, h := range hits {
		at, ok := j.at[h.URL]
		if !ok {
			at = len(j.Pages)
			j.at[h.URL] = at
			j.Pages = append(j.Pages, trainingdata.Positive{URL: h.URL})
		}
		p := &j.Pages[at]
		if p.Title == "" {
			p.Title = h.Title
		}
		if p.Snippet == "" {
			p.Snippet = h.Snippet
		}
		p.Reasons = append(p.Reasons, trainingdata.PositiveReason{Title: title, Stage: h.Stage, Place: i + 1})
	}
}
