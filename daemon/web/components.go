package web

import (
	"fmt"
	"html/template"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
	"nightjar/model"
	places "nightjar/model/layout"
	"nightjar/model/measure"
)

// componentsPage is what the page of components shows. It is for those who change the dashboard: every part of it, made by
// the same templates and charts as on the other pages, with made-up data. Nothing links to it.
type componentsPage struct {
	Colours  []colourLine
	Banners  layout
	Night    nightOff
	Hosts    []hostLine
	Sessions []store.Session
	Crawls   []store.CrawlView
	Finds    []findCard // one in each state
	Plot     *courseView
	Measured []intervalsView
	Trust    *reliabilityView
	States   statesView
	Confused *matrix
	Web      *webView
	Concept  conceptView
	Map      template.HTML
	Number   numberField
	Wrong    numberField
}

func (s *Server) handleComponents(w http.ResponseWriter, r *http.Request) error {
	p := componentsPage{
		Colours: s.colours(),
		Banners: layout{
			Notice: "The settings were saved.", Problem: "Nothing was saved: correct 2 fields below.", PairState: "asking",
			Training: []trainingLine{{TopicID: 1, Topic: "Tidal power", Running: true, Stage: "grouping the pages", Percent: 40}},
		},
		Night:  nightOff{Ready: true, Back: "/components"},
		Hosts:  sampleHosts(s.Now()),
		Number: numberField{Name: "sample", Label: "Pages a night", Value: "500", Hint: "Requested pages, including failed requests."},
		Wrong:  numberField{Name: "sample-wrong", Label: "Minutes a night", Value: "many", Hint: "Crawling time.", Problem: "This must be a whole number."},
	}
	for _, state := range []string{"recording", "paused", "submitted"} {
		p.Sessions = append(p.Sessions, store.Session{Status: state})
	}
	for i, mark := range []string{store.MarkNone, store.MarkUseful, store.MarkNotUseful, store.MarkLater, store.MarkOffTopic} {
		p.Finds = append(p.Finds, s.sampleFind(int64(i+1), mark))
	}
	refused := s.sampleFind(6, store.MarkNone)
	refused.Refused = true
	p.Finds = append(p.Finds, refused)
	p.Plot = courseOf(chart.Course{Fetched: []int{1, 20, 50, 100, 200}, Relevant: []float64{0, .3, .25, .4, .35},
		Similarity: []float64{.05, .3, .4, .45, .5}})
	p.charts()
	p.Crawls = []store.CrawlView{{Status: "running"}, {Status: "running", Paused: store.OnBattery}, {Status: "waiting"}, {Status: "ended"}}
	return s.render(w, r, http.StatusOK, "components", layout{Title: "Components"}, p)
}

// charts fills in the charts of a model and of a session.
func (p *componentsPage) charts() {
	f := func(v float64) measure.Figure { return measure.Figure{Value: v, Low: v - .06, High: v + .05, N: 61} }
	r := &model.Report{Folds: 5, LinkMRR: f(.43), AnchorMRR: f(.31), ChanceMRR: f(.12), HopAgreement: f(.72), HopBaseline: .48,
		HopConfusion: [][]int{{12, 3, 1}, {4, 20, 6}, {0, 9, 31}}, AUC: model.AUC{Judge: f(.93), Cosine: f(.83)}, Brier: f(.07), BrierBase: f(.21),
		Reliability: []model.Band{{High: .1, Said: .02, Useful: .01, N: 90}, {Low: .1, High: .5, Said: .3, Useful: .36, N: 22},
			{Low: .5, High: 1, Said: .85, Useful: .79, N: 28}}}
	p.Measured = append(linkCard(r).Plots, usefulCard(r).Plots...)
	hops, trust := hopCard(r), trustCard(r)
	p.Measured, p.Confused, p.Trust = append(p.Measured, hops.Plots...), hops.Matrix, trust.Diagram
	p.States = statesOf([][]float64{{.2, .3, .5}, {.6, .4, 0}, {.05, .25, .7}})
	const pages = 24
	w, nodes := &keptWeb{}, make([]chart.ConceptPage, pages)
	clusters := make([]int, pages)
	legend := []clusterKey{}
	for i := range pages {
		state := min(2, i%7)
		clusters[i] = 1 + i%8
		if state == 0 {
			clusters[i] = 0
		}
		title := fmt.Sprintf("Page %d of the coast", i+1)
		w.Pages = append(w.Pages, keptPage{URL: fmt.Sprint("https://www.example.org/", i), Title: title, Target: state == 0, Visits: 1 + i%3})
		nodes[i] = chart.ConceptPage{Title: title, Cluster: clusters[i], State: state}
		if from := i * 2 / 3; i > 0 {
			w.Moves = append(w.Moves, chart.Move{From: from, To: i}, chart.Move{From: i, To: from, Back: true})
			w.Links = append(w.Links, [2]int{from, i}, [2]int{i, (i * 5) % pages}, [2]int{i, i - i%7})
		}
	}
	for k := 1; k <= 8; k++ {
		legend = append(legend, clusterKey{N: k, Class: chart.ClusterClass(k), Shape: chart.ClusterShape(k), Pages: 3, Words: []string{"tide", "barrage"}})
	}
	w.layOut()
	p.Map = sampleMap()
	p.Web = viewOfPart(w, 0, clusters)
	p.Web.Path, p.Web.Legend = "/components", legend
	p.Web.hrefs(w, 0)
	p.Concept = conceptOf(nodes, w.Links, 3, legend)
	p.Concept.Beside = true
	for i := range p.Web.Hrefs {
		p.Web.Hrefs[i] = "#charts" // there is no table of pages here
	}
	for range p.Concept.Nodes {
		p.Concept.Hrefs = append(p.Concept.Hrefs, "#charts")
	}
}

// sampleMap is a map of four communities.
func sampleMap() template.HTML {
	between := [][]float64{{1, .6, .3, .02}, {.6, 1, .15, .03}, {.3, .15, 1, .01}, {.02, .03, .01, 1}}
	pages := []int{900, 420, 200, 30}
	names := [][]string{{"tidal power", "barrage"}, {"turbines", "generators"}, {"estuaries"}, {"shipping"}}
	var all []chart.Community
	for i, circle := range places.Places(between, pages, places.Options{}) {
		all = append(all, chart.Community{N: i + 1, Labels: names[i], Pages: pages[i], Harvest: .5, Circle: circle})
	}
	return chart.Communities(all, between, func(int) string { return "#charts" })
}

// sampleFind is a find with everything that a card can show.
func (s *Server) sampleFind(id int64, mark string) findCard {
	return s.cardOf(store.FindView{ID: id, Mark: mark, URL: "https://www.example.org/energy/a-long-address/of-a-page-about-tidal-power.html",
		Title: "The barrage and its tidal range", Useful: 0.93, Similarity: 0.71, Visited: id == 2, FoundAt: s.Now(),
		Snippet: "The tidal range at the barrage is the largest of the coast, and its turbines run both ways.",
		Reason: &store.FindReason{Words: []string{"tidal range", "barrage"}, Passage: "The tidal range at the barrage is the largest of the coast.",
			Like: &store.LikePage{URL: "https://www.example.com/lagoon", Title: "A lagoon", MarkedAt: s.Now()}}}, store.Depth{Links: 5}, "")
}

// sampleHosts are two hosts that a crawl contacted: one that answered, and one with a very long name that did not.
func sampleHosts(now time.Time) []hostLine {
	long := "a-very-long-name-of-a-host." + strings.Repeat("and-more-of-it.", 6) + "test"
	return []hostLine{
		{LedgerHost: store.LedgerHost{Host: "www.example.org", Requests: 12345, Bytes: 67_890_000, First: now.Add(-time.Hour), Last: now},
			Relevant: 67, For: []string{"12 344 pages", "1 robots.txt"}, Parts: []string{"12 000 read"}, Wants: []string{"asks for 7\u00a0s between two requests", "its robots.txt holds until 02:10"}},
		{LedgerHost: store.LedgerHost{Host: long, Requests: 3, Failed: 3, First: now.Add(-time.Hour), Last: now, Rests: "three requests failed in a row"},
			For: []string{"3 pages"}},
	}
}

// colourLine is a colour of the style sheet in both schemes, with its contrast on the surfaces on which it is written.
type colourLine struct {
	Name        string
	Light, Dark colour
}

// colour is one colour. Contrasts are those of WCAG 2.2, 1 to 21, on paper, card, sunken, and the colour's own soft surface.
type colour struct {
	Hex      string
	Surfaces []contrastOn
}

type contrastOn struct {
	Surface, Hex string
	Contrast     float64
}

var tokenForm = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)

// colours reads the tokens of base.css: each is there twice, light and dark.
func (s *Server) colours() (lines []colourLine) {
	light, dark := map[string]string{}, map[string]string{}
	for _, m := range tokenForm.FindAllStringSubmatch(string(s.assets.files["base.css"]), -1) {
		name, hex := m[1], m[2]
		if light[name] == "" {
			light[name] = hex
			lines = append(lines, colourLine{Name: name})
			continue
		}
		dark[name] = hex
	}
	for i := range lines {
		l := &lines[i]
		l.Light, l.Dark = measured(l.Name, light), measured(l.Name, dark)
	}
	return lines
}

// written are the colours of text and the surfaces that each is written on.
var written = map[string][]string{
	"ink": {"paper", "card", "sunken"}, "soft": {"paper", "card", "sunken"}, "accent": {"paper", "card", "accent-soft"},
	"accent-ink": {"accent"}, "useful": {"paper", "card", "useful-soft"}, "good": {"paper", "card", "good-soft"},
	"bad": {"paper", "card", "bad-soft"}, "warn": {"paper", "card", "warn-soft"},
}

func measured(name string, tokens map[string]string) colour {
	c := colour{Hex: tokens[name]}
	for _, surface := range written[name] {
		c.Surfaces = append(c.Surfaces, contrastOn{surface, tokens[surface], contrastOf(c.Hex, tokens[surface])})
	}
	return c
}

// contrastOf is the contrast of two colours, written #rrggbb (WCAG 2.2, definition of contrast ratio).
func contrastOf(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	weights, sum := [3]float64{0.2126, 0.7152, 0.0722}, 0.0
	for i, weight := range weights {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return 0 // the form of the token was checked
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
