package operators

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/daemon/store"
	"nightjar/model/wordnet"
)

// Limits of an evaluation.
const (
	TimeLimit = 10 * time.Second
	MaxRows   = 10_000  // of a table; its total is told
	MaxPages  = 200_000 // of a set that an operator takes; [] has no limit
	MaxBody   = 200_000 // bytes of a page's text that fetch returns
	MaxName   = 60      // characters of the name of a saved set
)

// Kind is what a result holds.
type Kind string

// The kinds.
const (
	Pages Kind = "pages"
	Words Kind = "words"
	Text  Kind = "text" // of a page
)

// Result is what a program gives.
type Result struct {
	Kind    Kind
	Columns []string // headings of a row's fields: "page" and "title", or "word"; then that of N, if something was counted
	Rows    []Row    // at most MaxRows; of Text, none
	Counted string   // what N of a row is, "" if nothing was counted
	Total   int      // rows that there are
	Page    Row      // whose text it is
	Text    string   // with line ends
	Notes   []string // what the person should know, in words; addresses in them are hostile
	Took    time.Duration
}

// Row is a page or a word.
type Row struct {
	ID         int64  // in link_page or word
	URL, Title string // of a page; Title is its address when none is known
	Word       string
	N          int // what the last of Columns says
}

// Options are what an Engine may use. The zero value is valid.
type Options struct {
	WordNet wordnet.Source // for words that no link has; nil: no base forms
	Limit   time.Duration  // of a program; 0 means TimeLimit
}

// Engine evaluates programs about a store. It is safe for concurrent use.
type Engine struct {
	store *store.Store
	opts  Options
	most  int // pages of a set: MaxPages, less in tests
}

// New makes an Engine. The store may be open for reading only; then nothing can be saved.
func New(st *store.Store, opts Options) *Engine {
	if opts.Limit <= 0 {
		opts.Limit = TimeLimit
	}
	return &Engine{st, opts, MaxPages}
}

// Run evaluates a program. The error is a *Fault if the text causes it, also by taking longer than the limit; it is that of
// ctx if ctx ends first. Nothing is written and nothing is requested from the web.
func (g *Engine) Run(ctx context.Context, text string) (*Result, error) {
	began := time.Now()
	program, f := parse(text)
	if f != nil {
		return nil, f
	}
	limited, cancel := context.WithTimeout(ctx, g.opts.Limit)
	defer cancel()
	var r *Result
	e := &evaluator{engine: g, text: text, open: map[string]bool{}, notes: &[]string{}}
	err := ReadLinks(limited, g.store.DB, func(graph *LinkGraph) error {
		e.graph = graph
		last, err := e.program(limited, program)
		if err == nil {
			r, err = e.result(limited, last)
		}
		return err
	})
	switch {
	case err == nil:
		r.Notes, r.Took = *e.notes, time.Since(began)
		return r, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, faultAt(text, e.at, "this took longer than %v and was stopped; ask about fewer pages: a longer beginning of addresses, "+
			"fewer steps, or a part of the set by | top 1000", g.opts.Limit)
	}
	return nil, err
}

// Check returns what is wrong with a program as far as its text tells, a *Fault, or nil.
func Check(text string) error {
	if _, f := parse(text); f != nil {
		return f
	}
	return nil
}

// Errors of saved sets, for people.
var (
	ErrSetName = fmt.Errorf("the name of a set has 1 to %d characters", MaxName)
	ErrNoSet   = errors.New("only pages and words can be saved as a set")
)

// SavedSets lists the saved sets by name.
func (g *Engine) SavedSets(ctx context.Context) ([]SavedSet, error) {
	return SavedSets(ctx, g.store.DB)
}

// Save keeps a program under a name, for @name. The errors are ErrSetName, ErrNoSet, ErrManySets, and a *Fault of the
// text.
func (g *Engine) Save(ctx context.Context, name, text string) error {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > MaxName || strings.ContainsFunc(name, unprintable) || !utf8.ValidString(name) {
		return ErrSetName
	}
	program, f := parse(text)
	if f != nil {
		return f
	}
	if last := program[len(program)-1]; last.kind == call && last.op.gives == Text {
		return ErrNoSet
	}
	return SaveSet(ctx, g.store.DB, name, text)
}

// Forget deletes a saved set. The error is store.ErrNotFound if there is none with the name.
func (g *Engine) Forget(ctx context.Context, name string) error {
	return ForgetSet(ctx, g.store.DB, name)
}

// Note keeps a program for the history; MaxOperations are kept.
func (g *Engine) Note(ctx context.Context, text string) error {
	if f := Check(text); f != nil {
		return f
	}
	return NoteOperation(ctx, g.store.DB, text)
}

// History returns the n newest programs that were noted, the newest first.
func (g *Engine) History(ctx context.Context, n int) ([]Operation, error) {
	return Operations(ctx, g.store.DB, n)
}
