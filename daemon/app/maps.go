package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
)

// MapRequest asks for a map of communities. Exactly one of Map, Documents, Ontology, Topic and Crawl is set.
type MapRequest struct {
	Map       int64                // existing map to resume
	Documents []communities.Source // of one map
	Ontology  string               // its name
	Topic     string               // its name
	Crawl     int64                // a crawl that has ended
	Options   maps.Options         // not with Map; Hold is not used
}

// MapWatch reports the progress of a map. Each function may be nil.
type MapWatch struct {
	Began    func(id int64, here bool)    // the map is stored; here: this process makes it, not a daemon
	Plan     func(trainingset.Plan)       // called before anything is sent: what, and to whom
	Progress func(communities.Progress)   // whenever it changes
	Read     func([]maps.DocumentWarning) // what the person should know of the document
	Indexed  func(pages int)              // before anything else: pages added to the search index
}

// MakeMap makes a map, with the daemon that serves the data folder of a completed configuration or, when none does, with one
// that runs on a free port for as long as it takes. It does not stop between the steps. When ctx ends, the finished steps
// are kept; a running daemon continues the map, and so does MakeMap with its number.
func MakeMap(ctx context.Context, c Config, log *slog.Logger, r MapRequest, w MapWatch) (v *communities.View, err error) {
	defer machine.HoldMemory()() // a document may be large
	here := !Running(c.Data)
	if here {
		if err := hasData(c.Data); err != nil && len(r.Documents) == 0 {
			return nil, err
		}
		stop, err := runHere(ctx, c, log, w.Indexed)
		if err != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	m := mapMaking{dir: c.Data, watch: w, here: here}
	v, err = m.make(ctx, r)
	if ctx.Err() != nil {
		return nil, ctx.Err() // whatever could not be asked any more
	}
	return v, err
}

// runHere runs a daemon in this process, on a free port, until stop is called. First it brings the search index up to date. A daemon does
// that in the background, so that after an import without a daemon nothing is indexed yet.
func runHere(ctx context.Context, c Config, log *slog.Logger, indexed func(pages int)) (stop func() error, err error) {
	c.Listen = "127.0.0.1:0"
	a, err := Open(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if err := stepAll(ctx, search.NewIndexer(a.Store, log).Step, indexed); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stop = func() error {
		cancel()
		return errors.Join(<-ended, a.Close())
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		// A daemon that was killed leaves its own behind.
		if info, err := readRunInfo(c.Data); err == nil && info.PID == os.Getpid() && info.Listen == a.Addr() {
			return stop, nil
		}
		select {
		case err := <-ended:
			return nil, errors.Join(err, ctx.Err(), a.Close())
		case <-tick.C:
		}
	}
}

// mapMaking is a map that MakeMap makes, seen from outside the daemon.
type mapMaking struct {
	dir   string
	watch MapWatch
	here  bool
}

// mapState is the progress of a map.
type mapState struct {
	Map      maps.Map
	Progress communities.Progress
	Plan     trainingset.Plan       // while it waits at its titles
	Warnings []maps.DocumentWarning // of its document, while it waits at its titles
}

// mapPoll is the interval between two requests for the progress.
const mapPoll = 200 * time.Millisecond

func (m *mapMaking) make(ctx context.Context, r MapRequest) (*communities.View, error) {
	var s mapState
	asked, files := mapMessage{MapRequest: r}, []io.Reader{nil}
	for _, d := range r.Documents {
		asked.Sizes, files = append(asked.Sizes, len(d.Body)), append(files, bytes.NewReader(d.Body))
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	files[0] = bytes.NewReader(text)
	if err := Call(ctx, m.dir, "/control/map/begin", io.MultiReader(files...), &s); err != nil {
		return nil, err
	}
	if m.watch.Began != nil {
		m.watch.Began(s.Map.ID, m.here)
	}
	number := "?" + url.Values{"map": {strconv.FormatInt(s.Map.ID, 10)}}.Encode()
	if s, err = m.ready(ctx, s, number); err != nil {
		return nil, err
	}
	for s.Map.State == maps.Working {
		if m.watch.Progress != nil && s.Progress.Step != "" {
			m.watch.Progress(s.Progress)
		}
		if !clock.Sleep(ctx, clock.System, mapPoll) {
			return nil, ctx.Err()
		}
		s = mapState{}
		if err := Call(ctx, m.dir, "/control/map/state"+number, nil, &s); err != nil {
			return nil, err
		}
	}
	if s.Map.State != maps.Done {
		return nil, fmt.Errorf("map %d: %s", s.Map.ID, s.Map.Problem)
	}
	var v communities.View
	err = Call(ctx, m.dir, "/control/map/view"+number, nil, &v)
	return &v, err
}

// ready resumes a waiting or failed map after reporting what will be sent.
func (m *mapMaking) ready(ctx context.Context, s mapState, number string) (mapState, error) {
	if s.Map.State == maps.Working || s.Map.State == maps.Done {
		return s, nil
	}
	if s.Map.Step == maps.StepTitles && s.Map.Problem != "" {
		return s, command.WithHint(fmt.Errorf("map %d: %s", s.Map.ID, s.Map.Problem),
			"write the titles on the map's page of the dashboard, then go on with: %s", terminal.On(m.dir, fmt.Sprintf("communities --map %d", s.Map.ID)))
	}
	if m.watch.Read != nil && len(s.Warnings) > 0 {
		m.watch.Read(s.Warnings)
	}
	if m.watch.Plan != nil && s.Map.Step == maps.StepTitles {
		m.watch.Plan(s.Plan)
	}
	var next mapState
	err := Call(ctx, m.dir, "/control/map/go"+number, nil, &next)
	return next, err
}

// answerMap answers the requests of MakeMap.
func (a *App) answerMap(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.URL.Query().Get("map"), 10, 64)
	what := r.URL.Path[len("/control/map/"):]
	if what == "begin" {
		defer machine.HoldMemory()()
		asked, rerr := readMapRequest(w, r)
		if rerr != nil {
			return nil, rerr
		}
		id, err = a.beginMap(r.Context(), asked)
	}
	if err != nil {
		return nil, err
	}
	switch what {
	case "view":
		return a.Communities.View(r.Context(), id)
	case "go":
		if err := a.goOn(r.Context(), id); err != nil {
			return nil, err
		}
	}
	return a.stateOfMap(r.Context(), id)
}

// mapMessage is a request as it is sent. The bytes of its documents follow it, since in JSON they would take several times their size of
// memory.
type mapMessage struct {
	MapRequest
	Sizes []int // of the documents
}

func readMapRequest(w http.ResponseWriter, r *http.Request) (MapRequest, error) {
	var asked mapMessage
	body := http.MaxBytesReader(w, r.Body, document.MaxBytes+4<<20) // with the rest of the request
	request := json.NewDecoder(body)
	err := request.Decode(&asked)
	if err == nil && len(asked.Sizes) != len(asked.Documents) {
		err = errors.New("sizes and documents differ in number")
	}
	files := io.MultiReader(request.Buffered(), body)
	for i := range asked.Documents {
		if d := &asked.Documents[i]; err == nil && d.URL == "" {
			d.Body = make([]byte, min(max(asked.Sizes[i], 0), document.MaxBytes+1))
			_, err = io.ReadFull(files, d.Body)
		}
	}
	if err != nil {
		return MapRequest{}, fmt.Errorf("read the request: %w", err)
	}
	return asked.MapRequest, nil
}

// beginMap makes or finds the requested map. A map of a document or an ontology waits, so that the person can first be told what will be
// sent.
func (a *App) beginMap(ctx context.Context, r MapRequest) (int64, error) {
	var one maps.Map
	var err error
	switch {
	case len(r.Documents) > 0:
		r.Options.Hold = true
		one, err = a.Communities.NewDocument(ctx, r.Documents[0], r.Options, r.Documents[1:]...)
	case r.Ontology != "":
		r.Options.Hold = true
		if one, err = a.Communities.NewOntology(ctx, r.Ontology, r.Options); errors.Is(err, store.ErrNotFound) {
			return 0, command.WithHint(fmt.Errorf("ontology %q: %w", r.Ontology, store.ErrNotFound), "%s lists those there are", terminal.Command("explore ontology"))
		}
	case r.Topic != "":
		topic, terr := a.topicNamed(ctx, r.Topic)
		if terr != nil {
			return 0, terr
		}
		one, err = a.Communities.NewTopic(ctx, topic.ID, r.Options)
	case r.Crawl != 0:
		if one, err = a.Communities.NewCrawl(ctx, r.Crawl, r.Options); errors.Is(err, store.ErrNotFound) {
			return 0, command.WithHint(fmt.Errorf("crawl %d: %w", r.Crawl, store.ErrNotFound), "the dashboard lists the crawls under Nights; the number is in their address")
		}
	default:
		if one, err = maps.ByID(ctx, a.Store.DB, r.Map); errors.Is(err, store.ErrNotFound) {
			return 0, command.WithHint(fmt.Errorf("map %d: %w", r.Map, store.ErrNotFound), "the dashboard lists the maps under Topics, Communities")
		}
	}
	return one.ID, err
}

// goOn resumes a map, without stops between its steps.
func (a *App) goOn(ctx context.Context, id int64) error {
	err := a.Communities.SetOptions(ctx, id, func(o *maps.Options) { o.Hold = false })
	if err == nil {
		err = a.Communities.Go(ctx, id)
	}
	if errors.Is(err, communities.ErrWorking) {
		return nil
	}
	return err
}

func (a *App) stateOfMap(ctx context.Context, id int64) (s mapState, err error) {
	if s.Map, err = maps.ByID(ctx, a.Store.DB, id); err != nil {
		return s, err
	}
	s.Progress = a.Communities.Progress(id)
	if s.Map.Step == maps.StepTitles && s.Map.State == maps.Waiting && s.Map.Problem == "" {
		var read maps.ReadDocument
		if _, _, read, err = a.Communities.Titles(ctx, id); err == nil {
			s.Warnings = read.Warnings
			s.Plan, err = a.Communities.Plan(ctx, id)
		}
	}
	return s, err
}
