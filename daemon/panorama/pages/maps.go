package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// mapsPath lists the maps of communities, and takes an uploaded document.
const mapsPath = "/communities"

// maxDocument is the maximal size of a form with a document in bytes.
const maxDocument = document.MaxBytes + 2<<20

// mapsShown is the number of maps in the list.
const mapsShown = 100

// mapsPage lists maps, and has the forms that start one.
type mapsPage struct {
	Maps   []mapLine
	Left   int                  // maps that are not shown
	Topic  *topics.Topic        // whose maps these are; nil for all
	Crawl  *crawls.View         // whose maps these are; nil for all
	Topics []overview.TopicView // with a model or useful pages
	Crawls []crawls.View        // that have ended with pages
	Search searchForm
	Limits mapLimits
}

// mapLimits are numbers that the forms name.
type mapLimits struct{ Pages, Usual int }

// usualPages is the budget of a crawl for a map when the person asks for none.
const usualPages = 5000

var limits = mapLimits{communities.MaxPages, usualPages}

// mapLine is a map in a list.
type mapLine struct {
	maps.Map
	Tag   string // style class of the state
	State string // in words
	Says  string // the problem, or the step that comes next
}

// At is when the map was finished, or begun.
func (l mapLine) At() time.Time {
	if l.EndedAt.IsZero() {
		return l.CreatedAt
	}
	return l.EndedAt
}

// Of says what the map is made from.
func (l mapLine) Of() string {
	switch l.Source {
	case maps.FromTopic:
		return "topic"
	case maps.FromCrawl:
		return "crawl " + strconv.FormatInt(l.Crawl, 10)
	}
	return "document"
}

func lineOf(m maps.Map) mapLine {
	l := mapLine{Map: m}
	switch m.State {
	case maps.Done:
		l.Tag, l.State = "good", "done"
	case maps.Working:
		l.Tag, l.State, l.Says = "live", "working", stepNames[m.Step]
	case maps.Failed:
		l.Tag, l.State, l.Says = "bad", "failed", frame.Sentence(frame.Printable(m.Problem))
		if m.Problem == communities.Stopped {
			l.Tag, l.State = "warn", "stopped"
		}
	default:
		l.Tag, l.State, l.Says = "warn", "waits for you", frame.Sentence(frame.Printable(m.Problem))
		if i := slices.Index(mapSteps, m.Step) + 1; m.Problem == "" && i < len(mapSteps) {
			l.Says = "next: " + stepNames[mapSteps[i]]
		}
	}
	return l
}

func (s *server) handleMaps(w http.ResponseWriter, r *http.Request) error {
	p := mapsPage{Search: searchForm{Choice: "local", ID: "new"}, Limits: limits}
	maps, err := s.mapsOf(r, &p)
	if err != nil {
		return err
	}
	p.Left = max(0, len(maps)-mapsShown)
	for _, m := range maps[:len(maps)-p.Left] {
		p.Maps = append(p.Maps, lineOf(m))
	}
	if err := s.mapSources(r.Context(), &p); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "communities", frame.Layout{Title: "Communities", Section: "communities"}, p)
}

// mapsOf lists the maps that the address asks for: all, or those of a topic or of a crawl.
func (s *server) mapsOf(r *http.Request, p *mapsPage) ([]maps.Map, error) {
	ctx, q := r.Context(), r.URL.Query()
	switch {
	case q.Get("topic") != "":
		id, err := frame.ReadID(q.Get("topic"))
		if err != nil {
			return nil, err
		}
		topic, err := topics.ByID(ctx, s.Store.DB, id)
		if err != nil {
			return nil, err
		}
		p.Topic = &topic
		return maps.OfTopic(ctx, s.Store.DB, id)
	case q.Get("crawl") != "":
		id, err := frame.ReadID(q.Get("crawl"))
		if err != nil {
			return nil, err
		}
		crawl, err := crawls.ByID(ctx, s.Store.DB, id)
		if err != nil {
			return nil, err
		}
		p.Crawl = &crawl
		return maps.OfCrawl(ctx, s.Store.DB, id)
	}
	return maps.All(ctx, s.Store.DB)
}

// mapSources lists the topics and crawls that a map can be made of.
func (s *server) mapSources(ctx context.Context, p *mapsPage) error {
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if t.Version > 0 && (p.Topic == nil || p.Topic.ID == t.ID) && p.Crawl == nil {
			p.Topics = append(p.Topics, t)
		}
	}
	if p.Topic != nil {
		return nil
	}
	shown, err := crawls.Views(ctx, s.Store.DB, mapsShown)
	if err != nil {
		return err
	}
	if p.Crawl != nil {
		shown = []crawls.View{*p.Crawl}
	}
	for _, c := range shown {
		if !c.Live() && c.Fetched > 0 {
			p.Crawls = append(p.Crawls, c)
		}
	}
	return nil
}

// searchForm is the choice of who is asked for the titles of a document.
type searchForm struct {
	ID       string // begins the ids of the fields
	Form     string // id of the fields' form; "" for the form around them
	Choice   string // "local", "searxng" or "list"
	Instance string
	List     string
}

func searchOf(o maps.Options, form string) searchForm {
	f := searchForm{ID: "map", Form: form, Choice: cmp.Or(o.Search, "local"), List: strings.Join(o.List, "\n")}
	if instance, ok := strings.CutPrefix(o.Search, "searxng="); ok {
		f.Choice, f.Instance = "searxng", instance
	}
	return f
}

// readSearch reads the choice of a search from a form.
func readSearch(form url.Values, o *maps.Options) error {
	o.Search, o.List = "", nil
	switch form.Get("search") {
	case "", "local":
	case "searxng":
		address := strings.TrimSpace(form.Get("instance"))
		if address == "" {
			return frame.At("instance", frame.BadInput("write the address of a SearXNG instance, such as https://searx.example.org"))
		}
		if _, err := trainingset.NewSearXNG(address, nil, 0); err != nil {
			return frame.At("instance", frame.BadInput(err.Error()))
		}
		o.Search = "searxng=" + address
	case "list":
		o.Search = "list"
		for line := range strings.Lines(form.Get("list")) {
			o.List = append(o.List, strings.TrimRight(line, "\r\n"))
		}
		_, wrong, err := trainingset.ReadList(strings.NewReader(form.Get("list")))
		if err != nil {
			return frame.At("list", frame.BadInput(err.Error()))
		}
		if len(wrong) > 0 {
			return frame.At("list", frame.BadInput(wrong[0].Error()))
		}
	default:
		return frame.At("search", frame.BadInput("choose who is asked: this computer, a SearXNG instance, or a list of addresses"))
	}
	return nil
}

// readOptions reads what a form asks of a crawl and of the map. Fields that the form lacks stay as they are.
func readOptions(form url.Values, o *maps.Options) error {
	if form.Has("pages") {
		n, err := strconv.Atoi(strings.TrimSpace(form.Get("pages")))
		if err != nil || n < 50 || n > communities.MaxPages {
			return frame.At("pages", frame.BadInput("pages must be a whole number from 50 to "+chart.Number(communities.MaxPages)))
		}
		o.Pages = n
	}
	if form.Has("clusters") {
		n, err := strconv.Atoi(form.Get("clusters"))
		o.Auto = form.Get("clusters") == "auto"
		if !o.Auto && (err != nil || n < 2 || n > 8) {
			return frame.At("clusters", frame.BadInput("choose 2 to 8 communities, or let Nightjar choose"))
		}
		o.Clusters = n
	}
	if form.Has("when") {
		o.Night = form.Get("when") == "night"
	}
	if form.Has("labels") {
		o.Words = form.Get("labels") == "words"
	}
	if form.Has("links") {
		if o.Links = form.Get("links"); o.Links == "auto" {
			o.Links = ""
		}
	}
	return nil
}

// handleMapNew starts a map of a document, of a topic or of a crawl.
func (s *server) handleMapNew(w http.ResponseWriter, r *http.Request) error {
	closed, err := s.ParseUpload(r, url.Values{"from": {"document"}}, document.ErrTooLarge.Error(), "choose a file, or write an address or titles")
	defer closed()
	if err != nil {
		return err
	}
	o := maps.Options{Hold: true}
	if err := readOptions(r.PostForm, &o); err != nil {
		return err
	}
	m, err := s.newMap(r, o)
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, mapPath(m.ID))
}

func mapPath(id int64) string { return mapsPath + "/" + strconv.FormatInt(id, 10) }

func (s *server) newMap(r *http.Request, o maps.Options) (maps.Map, error) {
	ctx := r.Context()
	switch from := r.PostFormValue("from"); from {
	case "topic", "crawl":
		id, err := strconv.ParseInt(r.PostFormValue(from), 10, 64)
		if err != nil {
			return maps.Map{}, frame.At(from, frame.BadInput("choose a "+from))
		}
		start := s.Maps.NewTopic
		if from == "crawl" {
			start = s.Maps.NewCrawl
		}
		m, err := start(ctx, id, o)
		if errors.Is(err, store.ErrNotFound) {
			return m, frame.At(from, frame.BadInput("this "+from+" was deleted meanwhile: choose another one"))
		}
		return m, frame.At(from, err)
	}
	if err := readSearch(r.PostForm, &o); err != nil {
		return maps.Map{}, err
	}
	sources, field, err := s.documentsOf(r)
	if err != nil {
		return maps.Map{}, frame.At(field, err)
	}
	m, err := s.Maps.NewDocument(ctx, sources[0], o, sources[1:]...)
	return m, frame.At(field, err)
}

// documentsOf reads the documents of a form, at least one: files, an address or titles, and the name of its field.
func (s *server) documentsOf(r *http.Request) (all []communities.Source, field string, err error) {
	titles, address := strings.TrimSpace(r.PostFormValue("titles")), strings.TrimSpace(r.PostFormValue("url"))
	if r.MultipartForm != nil {
		for _, header := range r.MultipartForm.File["file"] {
			name, body, err := frame.ReadFile(header)
			if err != nil {
				return nil, "file", err
			}
			all = append(all, communities.Source{Name: name, Body: body})
		}
	}
	given := 0
	for _, is := range []bool{len(all) > 0, titles != "", address != ""} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return nil, "file", frame.BadInput("choose a file, or write an address or titles")
	case given > 1:
		return nil, "file", frame.BadInput("choose one of the three: files, an address or titles")
	case address != "":
		address, err = s.Night.StartURL(r.Context(), address)
		return []communities.Source{{URL: address}}, "url", err
	case titles != "":
		return []communities.Source{{Name: "pasted titles", Body: []byte(titles), TitlePerLine: true}}, "titles", nil
	}
	return all, "file", nil
}
