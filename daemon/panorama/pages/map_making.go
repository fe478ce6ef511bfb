package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// stepNames say what each step of a map does.
var stepNames = map[maps.Step]string{
	maps.StepTitles: "Read the titles", maps.StepPages: "Find pages for the titles", maps.StepTraining: "Train the classifier",
	maps.StepCrawl: "Crawl around the pages", maps.StepDrawing: "Draw the map",
}

// mapSteps are all steps in their order.
var mapSteps = []maps.Step{maps.StepTitles, maps.StepPages, maps.StepTraining, maps.StepCrawl, maps.StepDrawing}

// stepsOf are the steps of a map: one of a topic begins with the classifier, one of a crawl with the map.
func stepsOf(m maps.Map) []maps.Step {
	switch m.Source {
	case maps.FromTopic:
		return mapSteps[2:]
	case maps.FromCrawl:
		return mapSteps[4:]
	}
	return mapSteps
}

// mapStep is a step of a map in the making.
type mapStep struct {
	N    int // from 1
	Key  maps.Step
	Name string
	Is   string // "done", "now" while it is being done, "failed", "stopped", "next" or "later"
}

// Done reports whether the step is done.
func (s mapStep) Done() bool { return s.Is == "done" }

// Current reports whether the step is the one to look at.
func (s mapStep) Current() bool { return s.Is != "done" && s.Is != "later" }

// makingPage shows a map in the making.
type makingPage struct {
	Map      maps.Map
	Steps    []mapStep
	Next     *mapStep // that “Go on” does; nil while one is being done
	Progress communities.Progress

	Document  *titlesView    // nil unless the map is of a document
	Positives *positivesView // nil until they were looked for
	Crawl     any            // as the dashboard shows it; nil until there is one
	Options   optionsForm
}

// titlesView is what was read out of a document, and who is asked for its titles.
type titlesView struct {
	Main       string
	Titles     string // one a line
	Count      int    // of titles that are no addresses
	Addresses  int
	Read       maps.ReadDocument
	Editable   bool // the titles can be changed
	Searchable bool // who is asked can be changed
	Search     searchForm
	Plan       trainingset.Plan
	Sends      int                   // queries of the plan that are sent
	Queries    []trainingset.Planned // of the plan, without those beyond the limit
	Over       int                   // queries beyond the limit, which are not sent
	PlanSays   string
}

// kinds and languages name what document.Read tells of a document.
var (
	kinds = map[string]string{"pdf": "PDF", "bibtex": "BibTeX", "ris": "RIS", "nbib": "PubMed", "endnote": "EndNote",
		"wos": "Web of Science", "refworks": "RefWorks", "csl-json": "CSL-JSON", "table": "table", "html": "web page", "markdown": "Markdown", "text": "text",
		"titles": "titles, one a line", communities.KindSeveral: "of several kinds", communities.KindOntology: "ontology; the words of each path are looked for in any order"}
	languages = map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pt": "Portuguese"}
)

// About says what was read out of the document, beside its titles.
func (v titlesView) About() string {
	var parts []string
	if n := v.Read.Documents; n > 1 {
		parts = append(parts, chart.Plural(n, "document", "documents")+" together")
		if v.Read.Shared > 0 {
			parts = append(parts, chart.Plural(v.Read.Shared, "title is", "titles are")+" in more than one of them, and first in the list")
		}
	}
	for _, part := range []string{kinds[v.Read.Kind], languages[v.Read.Language], strings.Join(v.Read.Authors, ", ")} {
		if part != "" {
			parts = append(parts, frame.Printable(part))
		}
	}
	return strings.Join(parts, " · ")
}

// Most is the maximum number of queries sent for a document.
func (titlesView) Most() int { return trainingset.MaxQueries }

// positivesView lists the positive pages of a document.
type positivesView struct {
	Pages    []positiveLine
	All      int      // with those that are not shown
	Kept     int      // that are left in, and whose content is known
	Missing  []string // titles to which none answers; nil while the person may have named the pages
	Editable bool
}

// positivesShown bounds the list of positive pages.
const positivesShown = 200

type positiveLine struct {
	communities.PositivePage
	Link  frame.Link
	State string // "" where the outcome says it
	Bad   bool
}

type optionsForm struct {
	Map    maps.Map
	Limits mapLimits
	Crawl  bool // the crawl's options can be changed
	Draw   bool // the map's options can be changed
}

// Pages is the budget of the crawl.
func (f optionsForm) Pages() int {
	if f.Map.Options.Pages > 0 {
		return f.Map.Options.Pages
	}
	return f.Limits.Usual
}

// Clusters are the numbers of communities to choose from.
func (f optionsForm) Clusters() []choice { return clusterChoices(f.Map.Options) }

func clusterChoices(o maps.Options) []choice {
	n := o.Clusters
	if n == 0 {
		n = 5
	}
	all := []choice{{"auto", "as many as fit best, 2 to 8", o.Auto}}
	for k := 2; k <= 8; k++ {
		all = append(all, choice{strconv.Itoa(k), strconv.Itoa(k), !o.Auto && n == k})
	}
	return all
}

// Links are the rules of which links count.
func (f optionsForm) Links() (all []choice) {
	for _, c := range []choice{
		{Value: "auto", Name: "as fits: between sites, between folders, or all"}, {Value: "sites", Name: "those between sites"},
		{Value: "folders", Name: "those between folders"}, {Value: "all", Name: "all"},
	} {
		c.On = c.Value == cmp.Or(f.Map.Options.Links, "auto")
		all = append(all, c)
	}
	return all
}

// choice is an entry of a list to choose from.
type choice struct {
	Value, Name string
	On          bool
}

// usualClusters are the choices of a new map.
func usualClusters() []choice { return clusterChoices(maps.Options{}) }

// goOnForm is the button that runs the next step, or runs a step again.
type goOnForm struct {
	ID    int64
	Key   maps.Step
	Go    string // what the button says; "" for no button
	Pages bool   // the form with the positive pages is on the page

	Options bool // the form with the options is in the step
}

// goes says what the button of each step does.
var goes = map[maps.Step]string{
	maps.StepPages: "Find pages", maps.StepTraining: "Train the classifier", maps.StepCrawl: "Start the crawl", maps.StepDrawing: "Draw the map",
}

func mapGo(p makingPage, step mapStep) goOnForm {
	f := goOnForm{ID: p.Map.ID, Key: step.Key, Pages: p.Positives != nil && p.Positives.Editable}
	f.Options = step.Key == maps.StepCrawl && p.Options.Crawl || step.Key == maps.StepDrawing && p.Options.Draw && !p.Options.Crawl
	switch step.Is {
	case "next":
		f.Go = goes[step.Key]
	case "failed":
		f.Go = "Try again"
	case "stopped":
		f.Go = "Go on"
	}
	if step.Key == maps.StepTitles {
		f.Go = "" // nothing to repeat: the person writes titles
	}
	return f
}

func (s *server) handleMap(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	if m.State == maps.Done {
		return s.showMap(w, r, m)
	}
	p, err := s.making(r.Context(), m)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "map-making", frame.Layout{Title: "Map: " + frame.Printable(m.Title), Section: "communities"}, p)
}

func (s *server) making(ctx context.Context, m maps.Map) (p makingPage, err error) {
	p = makingPage{Map: m, Progress: s.Maps.Progress(m.ID), Options: optionsForm{Map: m, Limits: limits}}
	p.follow()
	idle := m.State != maps.Working
	p.Options.Crawl = idle && m.Source != maps.FromCrawl && p.before(maps.StepCrawl)
	p.Options.Draw = idle
	if m.Source == maps.FromDocument {
		if p.Document, err = s.titlesView(ctx, p); err != nil {
			return p, err
		}
		if slices.Index(mapSteps, m.Step) >= slices.Index(mapSteps, maps.StepPages) {
			if p.Positives, err = s.positivesView(ctx, p); err != nil {
				return p, err
			}
		}
	}
	if m.Crawl != 0 {
		if p.Crawl, err = s.Crawls.CrawlPart(ctx, m.Crawl); err != nil && !errors.Is(err, store.ErrNotFound) {
			return p, err
		}
	}
	return p, nil
}

// follow says how far each step is.
func (p *makingPage) follow() {
	steps := stepsOf(p.Map)
	at := slices.Index(steps, p.Map.Step)
	for i, key := range steps {
		one := mapStep{N: i + 1, Key: key, Name: stepNames[key], Is: "later"}
		switch {
		case i < at, i == at && p.Map.State == maps.Waiting:
			one.Is = "done"
		case i == at && p.Map.State == maps.Working:
			one.Is = "now"
		case i == at && p.Map.Problem == communities.Stopped:
			one.Is = "stopped"
		case i == at:
			one.Is = "failed"
		case i == at+1 && p.Map.State == maps.Waiting:
			one.Is = "next"
		}
		p.Steps = append(p.Steps, one)
		if one.Current() && one.Is != "now" {
			p.Next = &one
		}
	}
	if p.Map.Step == maps.StepTitles && p.Map.Problem != "" { // a document without titles
		p.Steps[0].Is = "failed"
	}
}

// before reports whether a step has not used its options yet.
func (p *makingPage) before(step maps.Step) bool {
	at, of := slices.Index(mapSteps, p.Map.Step), slices.Index(mapSteps, step)
	return at < of || at == of && p.Map.State == maps.Failed
}

func (s *server) titlesView(ctx context.Context, p makingPage) (*titlesView, error) {
	main, titles, read, err := s.Maps.Titles(ctx, p.Map.ID)
	if err != nil {
		return nil, err
	}
	idle := p.Map.State != maps.Working
	v := &titlesView{Main: main, Titles: strings.Join(titles, "\n"), Read: read,
		Editable: idle && p.before(maps.StepTraining), Searchable: idle && p.before(maps.StepPages), Search: searchOf(p.Map.Options, "map-titles")}
	for _, t := range titles {
		if _, address := trainingset.Address(t); address {
			v.Addresses++
		} else {
			v.Count++
		}
	}
	if v.Searchable {
		v.Plan, err = s.Maps.Plan(ctx, p.Map.ID)
		if text := s.Mistake(err); text != "" {
			v.PlanSays = frame.Sentence(text)
		} else if err != nil {
			return nil, err
		}
		v.Sends = len(v.Plan.Sends())
		for _, q := range v.Plan.Queries {
			if q.Fate == trainingset.OverLimit {
				v.Over++
			} else {
				v.Queries = append(v.Queries, q)
			}
		}
	}
	return v, nil
}

func (s *server) positivesView(ctx context.Context, p makingPage) (*positivesView, error) {
	pages, err := s.Maps.Positives(ctx, p.Map.ID)
	if err != nil {
		return nil, err
	}
	v := &positivesView{All: len(pages), Editable: p.Map.State != maps.Working && p.before(maps.StepTraining) && len(pages) > 0}
	positives := make([]trainingdata.Positive, len(pages))
	for i, one := range pages {
		positives[i] = one.Positive
		if one.Known && !one.LeftOut {
			v.Kept++
		}
		if i < positivesShown {
			v.Pages = append(v.Pages, lineOfPositive(one))
		}
	}
	if p.Map.Step != maps.StepTitles && p.Map.State != maps.Working && p.Map.Options.Search != "list" {
		main, titles, read, err := s.Maps.Titles(ctx, p.Map.ID)
		if err != nil {
			return nil, err
		}
		if main != read.Named {
			titles = append([]string{main}, titles...)
		}
		v.Missing = communities.Missing(titles, positives)
	}
	return v, nil
}

func lineOfPositive(one communities.PositivePage) positiveLine {
	l := positiveLine{PositivePage: one, Link: frame.LinkTo(one.URL, one.Title)}
	switch {
	case one.Known:
		l.State = "known"
	case one.Reason != "":
		l.State, l.Bad = frame.Sentence(frame.Printable(one.Reason)), true
	case one.Outcome != "":
		l.Bad = one.Outcome != "ok" // its name is the state
	default:
		l.State = "not requested yet"
	}
	return l
}

// stages says how a title found a page.
var stages = map[string]string{
	search.TitlePhrase: "contains the exact title", search.TitleNear: "contains all its words near each other, as at most 1 in 20 unrelated titles would have it", search.TitleWords: "contains most of its words",
	trainingset.StageSearXNG: "found by the instance", trainingset.StageList: "in your list", trainingset.StageNamed: "named in the document",
}

// Because says which titles found the page, and how.
func (l positiveLine) Because() []string {
	var all []string
	for i, r := range l.Reasons {
		if i == 3 {
			all = append(all, chart.Plural(len(l.Reasons)-i, "more title", "more titles"))
			break
		}
		how := stages[r.Stage]
		if how == "" {
			how = frame.Printable(r.Stage)
		}
		if r.Title != "" && r.Stage != trainingset.StageNamed { // whose title is the address
			how = "“" + frame.Printable(r.Title) + "”: " + how
		}
		all = append(all, how)
	}
	return all
}
