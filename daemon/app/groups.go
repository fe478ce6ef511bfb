package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/wordnet"
)

// GroupsRequest asks for groups of pages by what links say about them: of a topic, a crawl, a session, or of all pages.
type GroupsRequest struct {
	Topic    string // its name
	Crawl    int64
	Session  string // its UUID, as in the address of its page
	Ontology string // its name; "" for none
	Options  explore.GroupingOptions
	Newest   bool // AskGroups: the latest groups, of any scope
}

// GroupsWatch reports the progress of a grouping. Each function may be nil.
type GroupsWatch struct {
	Read     func(pages int)          // before anything else: pages whose links still had to be read
	Began    func(here bool)          // the request is stored; here: this process makes them, not a daemon
	Progress func(p explore.Progress) // whenever it changes
}

// MakeGroups makes groups of pages, with the daemon that serves the data folder of a completed configuration or, when none does,
// in this process. When ctx ends, a running daemon continues; without one, the next daemon makes the groups.
func MakeGroups(ctx context.Context, c Config, log *slog.Logger, r GroupsRequest, w GroupsWatch) (v *explore.View, err error) {
	if Running(c.Data) {
		call := func(what string, request groupsQuestion, into any) error {
			return Call(ctx, c.Data, "/control/groups/"+what, request, into)
		}
		return w.follow(ctx, false, call, r)
	}
	if err := hasData(c.Data); err != nil {
		return nil, err
	}
	err = withShelf(ctx, c.Data, log, func(a *App) error {
		x := links.NewIndexer(a.Store, links.Options{WordNet: a.WordNet, NavigationFile: NavigationWords(c.Data), Log: log})
		if err := stepAll(ctx, x.Step, w.Read); err != nil {
			return err
		}
		inner, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- a.Groupings.Run(inner) }()
		call := func(what string, request groupsQuestion, into any) error {
			answer, err := a.groupsAnswer(ctx, what, request)
			if err != nil {
				return err
			}
			text, err := json.Marshal(answer) // as from a daemon
			if err != nil {
				return err
			}
			return json.Unmarshal(text, into)
		}
		var err error
		v, err = w.follow(ctx, true, call, r)
		cancel()
		return errors.Join(err, <-ended)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err() // whatever could not be asked any more
	}
	return v, err
}

// groupsPoll is the interval between two requests for the progress.
const groupsPoll = 100 * time.Millisecond

// groupsState is the progress of a grouping.
type groupsState struct {
	Grouping explore.Grouping
	Progress explore.Progress
}

// follow starts a grouping, waits for its end, and returns it.
func (w GroupsWatch) follow(ctx context.Context, here bool, call func(what string, request groupsQuestion, into any) error,
	r GroupsRequest) (*explore.View, error) {
	var s groupsState
	if err := call("begin", groupsQuestion{GroupsRequest: r}, &s); err != nil {
		return nil, err
	}
	if w.Began != nil {
		w.Began(here)
	}
	for s.Grouping.State == explore.GroupingWorks {
		if w.Progress != nil && s.Progress.Step != "" {
			w.Progress(s.Progress)
		}
		if !clock.Sleep(ctx, clock.System, groupsPoll) {
			return nil, ctx.Err()
		}
		id := s.Grouping.ID
		s = groupsState{}
		if err := call("state", groupsQuestion{ID: id}, &s); err != nil {
			return nil, err
		}
	}
	if s.Grouping.State != explore.GroupingDone {
		return nil, fmt.Errorf("make groups: %s", s.Grouping.Problem)
	}
	var v *explore.View
	err := call("view", groupsQuestion{ID: s.Grouping.ID}, &v)
	return v, err
}

// GroupsAnswer is what AskGroups found.
type GroupsAnswer struct {
	Title string // of the grouped topic, crawl or session
	*explore.Answer
}

// AskGroups finds pages by words in groups that were made before.
func AskGroups(ctx context.Context, c Config, log *slog.Logger, r GroupsRequest, words string) (a *GroupsAnswer, err error) {
	request := groupsQuestion{GroupsRequest: r, Words: words}
	if err = Call(ctx, c.Data, "/control/groups/ask", request, &a); !errors.Is(err, ErrNotRunning) {
		return a, err
	}
	if err := hasData(c.Data); err != nil {
		return nil, err
	}
	err = withShelf(ctx, c.Data, log, func(app *App) error {
		a, err = app.askGroups(ctx, request)
		return err
	})
	return a, err
}

// groupsQuestion is the body of every request about groups.
type groupsQuestion struct {
	GroupsRequest        // to begin and ask
	ID            int64  // of the grouping, for its state and view
	Words         string // to ask
}

// withShelf opens the data folder dir, which no daemon may be using, for what concerns ontologies and groups: do gets an App with the
// parts for these alone.
func withShelf(ctx context.Context, dir string, log *slog.Logger, do func(*App) error) error {
	return WithStore(ctx, dir, func(st *store.Store) error {
		a := &App{Store: st, WordNet: wordnet.New(wordnet.Options{Dir: dir, Log: log})}
		a.Ontologies = ontologies.New(st, a.WordNet)
		a.Groupings = explore.New(explore.Deps{Store: st, Bus: &notify.Bus{}, Log: log, WordNet: a.WordNet, Shelf: a.Ontologies})
		return do(a)
	})
}

// stepAll takes the steps of an indexer until nothing waits for it, and tells how many pages it has done. A daemon does this in the
// background.
func stepAll(ctx context.Context, step func(context.Context) (int, error), tell func(pages int)) error {
	for pages := 0; ; {
		n, err := step(ctx)
		if err != nil || n == 0 {
			return err
		}
		if pages += n; tell != nil {
			tell(pages)
		}
	}
}

// answerGroups answers the requests of MakeGroups and AskGroups.
func (a *App) answerGroups(w http.ResponseWriter, r *http.Request) (any, error) {
	var asked groupsQuestion
	if err := decode(w, r, 1<<20, &asked); err != nil {
		return nil, err
	}
	return a.groupsAnswer(r.Context(), strings.TrimPrefix(r.URL.Path, "/control/groups/"), asked)
}

// groupsAnswer answers one request.
func (a *App) groupsAnswer(ctx context.Context, what string, asked groupsQuestion) (any, error) {
	switch what {
	case "begin":
		r, err := a.grouped(ctx, asked.GroupsRequest)
		if err != nil {
			return nil, err
		}
		g, err := a.Groupings.Group(ctx, r)
		return groupsState{Grouping: g}, err
	case "state":
		g, err := explore.GroupingByID(ctx, a.Store.DB, asked.ID)
		return groupsState{g, a.Groupings.Progress(asked.ID)}, err
	case "view":
		return a.Groupings.View(ctx, asked.ID)
	case "ask":
		return a.askGroups(ctx, asked)
	}
	return nil, errors.New("unknown request")
}

// grouped finds what a request names.
func (a *App) grouped(ctx context.Context, asked GroupsRequest) (explore.Request, error) {
	r := explore.Request{Options: asked.Options}
	switch {
	case asked.Topic != "":
		topic, err := a.topicNamed(ctx, asked.Topic)
		if err != nil {
			return r, err
		}
		r.Scope, r.ScopeID = links.PagesOfTopic, topic.ID
	case asked.Crawl != 0:
		if _, err := crawls.Get(ctx, a.Store.DB, asked.Crawl); err != nil {
			return r, command.WithHint(fmt.Errorf("crawl %d: %w", asked.Crawl, err), "the dashboard lists the crawls under Nights; the number is in their address")
		}
		r.Scope, r.ScopeID = links.PagesOfCrawl, asked.Crawl
	case asked.Session != "":
		session, err := sessions.ByUUID(ctx, a.Store.DB, asked.Session)
		if err != nil {
			return r, command.WithHint(fmt.Errorf("session %s: %w", asked.Session, err), "the dashboard lists the sessions; what it takes is in the address of a session's page")
		}
		r.Scope, r.ScopeID = links.PagesOfSession, session.ID
	default:
		r.Scope = links.AllPages
	}
	if asked.Ontology != "" {
		o, err := a.Ontologies.ByName(ctx, asked.Ontology)
		if err != nil {
			return r, command.WithHint(err, "%s lists the ontologies", terminal.Command("explore ontology"))
		}
		r.Ontology = o.ID
	}
	return r, nil
}

// askGroups finds pages in groups that were made before.
func (a *App) askGroups(ctx context.Context, asked groupsQuestion) (*GroupsAnswer, error) {
	id, err := a.madeGroups(ctx, asked.GroupsRequest)
	if err != nil {
		return nil, err
	}
	v, err := a.Groupings.View(ctx, id)
	if err != nil {
		return nil, err
	}
	answer, err := a.Groupings.Ask(ctx, id, asked.Words)
	return &GroupsAnswer{Title: v.Title, Answer: answer}, err
}

// madeGroups finds the groups that a request names.
func (a *App) madeGroups(ctx context.Context, asked GroupsRequest) (int64, error) {
	r, err := a.grouped(ctx, asked)
	if err != nil {
		return 0, err
	}
	all, err := explore.Groupings(ctx, a.Store.DB)
	if err != nil {
		return 0, err
	}
	for _, g := range all {
		same := g.Scope == r.Scope && g.ScopeID == r.ScopeID && g.Ontology == r.Ontology
		if same || asked.Newest && g.State == explore.GroupingDone {
			return g.ID, nil
		}
	}
	return 0, command.WithHint(errors.New("there are no such groups of pages"), "make them with: %s", terminal.Command("explore groups"))
}
