package api

import (
	"context"
	"errors"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/thesus/operators"
)

// maxProgram is the maximal length of a program of link operators in bytes, so that an address has room for it.
const maxProgram = 8000

// Exploration is what a program of link operators gives. Its lists are never null.
type Exploration struct {
	Kind    string         `json:"kind"`              // pages, words or text
	Counted string         `json:"counted,omitempty"` // what n of pages and words is, in words; absent when nothing was counted
	Total   int            `json:"total"`             // of pages or words; 1 for a text
	Pages   []ExploredPage `json:"pages"`
	Words   []ExploredWord `json:"words"`
	Text    *ExploredText  `json:"text,omitempty"`
	Notes   []string       `json:"notes"` // what the person should know of the answer
	TookMS  int64          `json:"took_ms"`
}

// ExploredPage is a page that links have to do with.
type ExploredPage struct {
	N          int        `json:"n"` // 0 when nothing was counted
	FromTheWeb FromTheWeb `json:"from_the_web"`
}

// ExploredWord is a word of links.
type ExploredWord struct {
	N          int         `json:"n"` // 0 when nothing was counted
	FromTheWeb WordFromWeb `json:"from_the_web"`
}

// WordFromWeb is a word that strangers wrote.
type WordFromWeb struct {
	Word string `json:"word"`
}

// ExploredText is the text of a page as it is stored.
type ExploredText struct {
	FromTheWeb TextFromWeb `json:"from_the_web"`
}

// TextFromWeb is a text that strangers wrote.
type TextFromWeb struct {
	URL   string   `json:"url"`
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// explore evaluates a program of link operators.
func (r *Reader) explore(ctx context.Context, q *query) (any, error) {
	text, limit := q.values.Get("q"), q.limit(1000, operators.MaxRows)
	switch {
	case strings.TrimSpace(text) == "":
		q.bad("q must have an expression, such as %s", "crawl([https://example.org/], 1)")
	case len(text) > maxProgram:
		q.bad("q must have at most %d bytes; save parts of it as sets, and use these by @name", maxProgram)
	}
	if q.err != nil {
		return nil, q.err
	}
	result, err := operators.New(r.Store, operators.Options{WordNet: r.WordNet}).Run(ctx, text)
	if fault, ok := errors.AsType[*operators.Fault](err); ok {
		return nil, BadRequest{fault.Error()}
	}
	if err != nil {
		return nil, err
	}
	return ExplorationOf(result, limit), nil
}

// ExplorationOf returns at most this many rows of a result.
func ExplorationOf(r *operators.Result, most int) Exploration {
	e := Exploration{Kind: string(r.Kind), Total: r.Total, Pages: []ExploredPage{}, Words: []ExploredWord{},
		Notes: []string{}, TookMS: r.Took.Milliseconds()}
	e.Counted = r.Counted
	for _, note := range r.Notes {
		e.Notes = append(e.Notes, Plain(note))
	}
	for _, row := range r.Rows[:min(most, len(r.Rows))] {
		if r.Kind == operators.Words {
			e.Words = append(e.Words, ExploredWord{row.N, WordFromWeb{Plain(row.Word)}})
			continue
		}
		e.Pages = append(e.Pages, ExploredPage{row.N, FromTheWeb{URL: Plain(row.URL), Site: Plain(weburl.Host(row.URL)), Title: Plain(row.Title)}})
	}
	if r.Kind == operators.Text {
		e.Text = &ExploredText{TextFromWeb{Plain(r.Page.URL), Plain(r.Page.Title), []string{}}}
		for line := range strings.Lines(r.Text) {
			if line = Plain(line); line != "" {
				e.Text.FromTheWeb.Lines = append(e.Text.FromTheWeb.Lines, line)
			}
		}
	}
	return e
}
