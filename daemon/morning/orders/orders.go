// Package orders lets programs ask for searches and mark finds, as far as the person allows each.
//
// Desk is the start. What a program asks for is an Order, which stays where the person sees it. A search waits for the person's
// yes, unless the person chose otherwise for that program; a mark is given at once, and can be undone.
package orders

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

const (
	MostPages = 5_000 // that a program may ask for within a day
	MarksADay = 200   // by one program
	maxShown  = 200   // finds of a search that a program gets at once
)

// Errors for the program and the person who runs it.
var (
	ErrNotAllowed = errors.New("the person has not allowed this program to write: they can, in Nightjar's dashboard under Settings, Programs")
	ErrMark       = errors.New("mark must be useful, not-useful or undo")
	ErrNoMark     = errors.New("this program has not marked this find, or the mark was undone")
	ErrLate       = errors.New("this request does not wait any more")
	errPages      = fmt.Errorf("pages must be from 1 to %d", MostPages)
	errMarks      = fmt.Errorf("a program may mark %d finds within a day; go on tomorrow", MarksADay)
)

type tooMany int // pages that are left

func (left tooMany) Error() string {
	return fmt.Sprintf("the person allows this program a number of pages within 24 hours, of which %d are left", max(0, int(left)))
}

// Runner starts crawls; see scheduler.RunNow.
type Runner interface {
	RunNow(ctx context.Context, topicID int64, pages int) (crawlID int64, err error)
}

// Echoes hears of marks; see echo.Echoes.
type Echoes interface {
	Marked(topics []int64, since int64)
}

// Desk takes orders. It is safe for concurrent use.
type Desk struct {
	Store  *store.Store
	Tokens *token.Keeper
	Runner Runner
	Echoes Echoes
	Bus    *notify.Bus

	deciding sync.Mutex // held while an order that waits gets its answer
}

// Ask is a request of a program: exactly one of its pointers is set.
type Ask struct {
	Token  string    `json:"token"`
	Search *Search   `json:"search,omitempty"`
	Task   *TaskID   `json:"task,omitempty"`     // how far a search is
	Cancel *TaskID   `json:"withdraw,omitempty"` // a search that waits
	Mark   *FindMark `json:"mark,omitempty"`
}

// Search asks for a crawl.
type Search struct {
	Topic int64 `json:"topic"`
	Pages int   `json:"pages"`
}

// TaskID names a search.
type TaskID struct {
	Task int64 `json:"task"`
}

// FindMark marks a find, or takes a mark back.
type FindMark struct {
	Find int64  `json:"find"`
	Mark string `json:"mark"`
}

// Answer carries out what a program asks. The answer is an api.Task or an api.Marked.
func (k *Desk) Answer(ctx context.Context, ask Ask) (any, error) {
	t, err := k.Tokens.Check(ctx, ask.Token)
	if err != nil {
		return nil, err
	}
	if t.Scope != token.ScopeRead || t.May == token.MayNothing {
		return nil, ErrNotAllowed
	}
	switch {
	case ask.Search != nil:
		return k.search(ctx, t, *ask.Search)
	case ask.Mark != nil:
		return k.mark(ctx, t, *ask.Mark)
	case ask.Task != nil:
		return k.task(ctx, t, ask.Task.Task)
	case ask.Cancel != nil:
		return k.cancel(ctx, t, ask.Cancel.Task)
	}
	return nil, errors.New("nothing was asked for")
}

func (k *Desk) search(ctx context.Context, t token.Token, s Search) (api.Task, error) {
	if s.Pages < 1 || s.Pages > MostPages {
		return api.Task{}, errPages
	}
	id, err := putSearch(ctx, k.Store.DB, t, s.Topic, s.Pages)
	defer k.Bus.Tell(notify.News{Kind: "settings"})
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("there is no topic %d; the tool topics lists them", s.Topic)
	}
	if err == nil && t.May == token.MayAct {
		err = k.Decide(ctx, id, true)
	}
	if err != nil {
		return api.Task{}, err
	}
	return k.task(ctx, t, id)
}

// Decide answers an order that waits. A yes starts the search; what keeps it from starting is stored as its problem. The error is
// ErrLate when the order does not wait, or one of the store.
func (k *Desk) Decide(ctx context.Context, id int64, yes bool) error {
	k.deciding.Lock()
	defer k.deciding.Unlock()
	o, err := ByID(ctx, k.Store.DB, id)
	if err != nil {
		return err
	}
	if o.State != Waiting {
		return ErrLate
	}
	state, problem := Declined, ""
	var crawl int64
	if yes {
		state = Accepted
		if crawl, err = k.Runner.RunNow(ctx, o.TopicID, o.Pages); err != nil {
			if ctx.Err() != nil {
				return err
			}
			state, problem, crawl = Failed, err.Error(), 0
		}
	}
	if err := end(ctx, k.Store.DB, id, state, problem, crawl); errors.Is(err, store.ErrNotFound) {
		return ErrLate
	} else {
		return err
	}
}

// cancel takes back a search that waits. One that runs goes on: the person said yes to it.
func (k *Desk) cancel(ctx context.Context, t token.Token, id int64) (api.Task, error) {
	if _, err := k.own(ctx, t, id); err != nil {
		return api.Task{}, err
	}
	k.deciding.Lock()
	err := end(ctx, k.Store.DB, id, Withdrawn, "", 0)
	k.deciding.Unlock()
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return api.Task{}, err
	}
	return k.task(ctx, t, id)
}

// own returns a search of a token.
func (k *Desk) own(ctx context.Context, t token.Token, id int64) (Order, error) {
	o, err := ByID(ctx, k.Store.DB, id)
	if err == nil && (o.TokenID != t.ID || !o.Search()) {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		err = api.ErrNoTask
	}
	return o, err
}

// task says how far a search of a token is.
func (k *Desk) task(ctx context.Context, t token.Token, id int64) (api.Task, error) {
	o, err := k.own(ctx, t, id)
	if err != nil {
		return api.Task{}, err
	}
	a := api.Task{ID: o.ID, State: o.State, TopicID: o.TopicID, Topic: api.Plain(o.Topic), Pages: o.Pages, CrawlID: o.CrawlID,
		AskedAt: o.AskedAt.UTC(), ChangedAt: o.ChangedAt.UTC(), Finds: []api.Find{}}
	switch o.State {
	case Waiting:
		a.Says = "It waits for the person's yes in the dashboard. Ask again later; nothing is fetched before."
	case Declined:
		a.Says = "The person declined this search. Do not ask for it again unless they tell you to."
	case Withdrawn:
		a.Says = "The search was withdrawn before the person answered."
	case Failed:
		a.Says = "The search could not start: " + api.Plain(o.Problem) + "."
	case Accepted:
		return a, k.course(ctx, o, &a)
	}
	return a, nil
}

// course adds how far the crawl of a search is, and what it found.
func (k *Desk) course(ctx context.Context, o Order, a *api.Task) error {
	c, err := crawls.ByID(ctx, k.Store.DB, o.CrawlID)
	if errors.Is(err, store.ErrNotFound) {
		a.State, a.Says = api.TaskDone, "The crawl of this search was deleted."
		return nil
	}
	if err != nil {
		return err
	}
	f := finds.Page{}
	f.Crawl, f.Limit = c.ID, maxShown
	all, err := finds.Before(ctx, k.Store.DB, f)
	if err != nil {
		return err
	}
	a.Finds = db.ListOf(all, func(v finds.View) api.Find { return api.FindOf(v, k.Store.Now()) })
	a.Fetched, a.Found = c.Fetched, c.Finds
	a.State, a.Says = api.TaskRunning, "The crawl runs."
	if c.Paused != "" {
		a.Says = "The crawl waits: " + api.Plain(c.Paused) + "."
	}
	if !c.Live() {
		a.State, a.Says = api.TaskDone, "The crawl ended: "+api.Plain(c.StopReason)+"."
	}
	if o.Joined {
		a.Says += " The topic had a crawl already, with its own number of pages; this is that one."
	}
	return nil
}

func (k *Desk) mark(ctx context.Context, t token.Token, m FindMark) (api.Marked, error) {
	if m.Mark == "undo" {
		o, err := lastMark(ctx, k.Store.DB, t.ID, m.Find)
		if errors.Is(err, store.ErrNotFound) {
			err = ErrNoMark
		}
		if err == nil {
			err = k.Undo(ctx, o.ID)
		}
		return api.Marked{Find: m.Find, Says: "The mark was taken back."}, err
	}
	if m.Mark != store.MarkUseful && m.Mark != store.MarkNotUseful {
		return api.Marked{}, ErrMark
	}
	id, acted, err := putMark(ctx, k.Store.DB, t, m.Find, m.Mark)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return api.Marked{}, fmt.Errorf("there is no find %d; the tool finds lists them", m.Find)
	case err != nil:
		return api.Marked{}, err
	case id == 0:
		return api.Marked{Find: m.Find, Says: "The find has this mark already."}, nil
	}
	k.heard(acted)
	return api.Marked{Find: m.Find, Says: "Marked " + m.Mark + ". The person sees this mark, and that this program gave it."}, nil
}

// Undo takes back the mark that a program gave.
func (k *Desk) Undo(ctx context.Context, id int64) error {
	o, err := ByID(ctx, k.Store.DB, id)
	if err == nil && o.ActionID == 0 {
		err = ErrLate
	}
	if err != nil {
		return err
	}
	acted, err := marks.Undo(ctx, k.Store.DB, o.ActionID)
	if err == nil {
		k.heard(acted)
	}
	return err
}

func (k *Desk) heard(acted store.Acted) {
	if acted.Action != 0 && len(acted.Topics) > 0 {
		k.Echoes.Marked(acted.Topics, acted.Since)
	}
}
