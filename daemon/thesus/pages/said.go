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

	"nightjar/daemon/chart"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/web/frame"
)

// saidLink is a link to a page in its context.
type saidLink struct {
	From  frame.Link           // the page that it is on
	To    *frame.Link          // the page that it leads to; nil where that is clear
	Text  []search.SnippetPart // around the link, its words marked; nil when the content is no longer stored
	Words []string
}

const (
	linkPages    = 6   // pages that are looked at for links that say why they are in a cluster, or have a concept
	linksAll     = 6   // such links
	linksEach    = 2   // links of each
	saidLetters  = 500 // of the context of a link
	saidAtOnce   = 20  // links of a page that are shown at first
	topSaidWords = 10
)

// saidOf shows a link with some words marked.
func saidOf(one explore.Said, words []string) saidLink {
	l := saidLink{From: frame.LinkTo(one.SourceURL, one.SourceTitle)}
	if text := strings.TrimSpace(one.Text); text != "" {
		l.Text = search.Mark(chart.Shorten(saidLetters, text), search.Terms(words...))
	}
	for _, w := range one.Words[:min(len(one.Words), topSaidWords)] {
		l.Words = append(l.Words, frame.Printable(w))
	}
	return l
}

// sayAny reports whether a link has any of the words.
func sayAny(one explore.Said, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(one.Words, w) })
}

// linksPage shows links that say why pages are in a cluster, or have a concept.
type linksPage struct {
	Line  groupingLine
	Name  string
	Back  string
	Links []saidLink
}

// handleGroupingLinks shows links to the first pages of the chosen cluster or concept, with the words marked that say so.
func (s *server) handleGroupingLinks(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	ctx := r.Context()
	page, err := s.groupingPage(ctx, g)
	if err != nil {
		return err
	}
	v, d, err := s.viewOfGrouping(ctx, g)
	if err != nil {
		return err
	}
	if len(v.Levels) == 0 {
		return frame.ErrNoPage
	}
	at := placeOf(v, r.URL.Query())
	p := linksPage{Line: page.Line, Back: at.href()}
	keys, pages := []string{at.term}, d.have(at.term)
	p.Name = frame.Printable(d.name(at.term))
	if at.term == "" {
		if at.cluster < 0 {
			return frame.ErrNoPage
		}
		c := v.Levels[at.level].Clusters[at.cluster]
		keys, pages, p.Name = c.Terms, placesOf(c.Pages), clusterLabel(c)
	}
	if p.Links, err = s.linksTo(ctx, g.ID, v, pages, d.wants(keys...)); err != nil {
		return err
	}
	return s.Show(w, r, "explore-links", "said-links", frame.Layout{Title: "Links that say so", Section: "explore"}, p)
}

// linksTo returns links to the first pages, with words that stand for wanted concepts. Links whose context is no longer stored
// are used only when there are no others.
func (s *server) linksTo(ctx context.Context, grouping int64, v *explore.View, pages []pageShare, wanted func(string) bool) (found []saidLink, err error) {
	var bare []saidLink
	for _, one := range pages[:min(len(pages), linkPages)] {
		page := v.Pages[one.page]
		about, err := s.Explore.PageOf(ctx, grouping, page.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // erased meanwhile
		}
		if err != nil {
			return nil, err
		}
		words, n := wordsBehind(about.Description, wanted), 0
		for _, said := range about.Said {
			if n == linksEach || !sayAny(said, words) {
				continue
			}
			l := saidOf(said, words)
			l.To = new(frame.LinkTo(page.URL, page.Title))
			if l.Text == nil {
				bare = append(bare, l)
				continue
			}
			found = append(found, l)
			n++
		}
		if len(found) >= linksAll {
			break
		}
	}
	if len(found) == 0 {
		found = bare
	}
	return found[:min(len(found), linksAll)], nil
}

// wordsBehind are the words of a description that stand for wanted concepts.
func wordsBehind(d explore.Description, wanted func(string) bool) (all []string) {
	for _, c := range d.Concepts {
		if !wanted(c.Key) {
			continue
		}
		for _, i := range c.Words {
			if i >= 0 && i < len(d.Words) && !slices.Contains(all, d.Words[i].Word) {
				all = append(all, d.Words[i].Word)
			}
		}
	}
	return all
}

// saidPage shows what others say about a page.
type saidPage struct {
	Asked     string // address
	Problem   string // why nothing is known of it
	About     *explore.PageView
	Link      frame.Link
	Words     []saidWord
	Concepts  []saidConcept
	Links     []saidLink
	All       string // address of this page with all links; "" when they are shown
	Word      string // that the links have; "" for all links
	Any       string // address without the word
	Groupings []tab  // by whose concepts it can be described
	Here      int    // links that are shown
}

// saidConcept is a concept of a page with the words behind it.
type saidConcept struct {
	Name, Href, Weight string
	Wide               int // of its bar in percent
	Words              []string
}

// handleSaidAsk asks for the address of a page, and finds it.
func (s *server) handleSaidAsk(w http.ResponseWriter, r *http.Request) error {
	p := saidPage{Asked: chart.Shorten(2000, frame.Printable(strings.TrimSpace(r.URL.Query().Get("url"))))}
	if p.Asked != "" {
		for _, address := range frame.Spellings(p.Asked) {
			one, err := links.PageByURL(r.Context(), s.Store.DB, address)
			if err == nil {
				to := "/explore/pages/" + strconv.FormatInt(one.ID, 10)
				return frame.SeeOther(w, r, to)
			}
			if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		p.Problem = "No stored page links to this address, so nothing is known of what others say about it."
		if len(frame.Spellings(p.Asked)) == 0 {
			p.Problem = "This is not a web address."
		}
	}
	return s.Render(w, r, http.StatusOK, "explore-said", frame.Layout{Title: "What others say", Section: "explore"}, p)
}

// handleSaid shows what others say about a page.
func (s *server) handleSaid(w http.ResponseWriter, r *http.Request, id int64) error {
	q := r.URL.Query()
	p := saidPage{Word: frame.Printable(q.Get("word"))}
	d, at, err := s.describe(r, id, &p)
	if err != nil {
		return err
	}
	v := p.About
	p.Asked, p.Link = v.Page.URL, frame.LinkTo(v.Page.URL, v.Page.Title)
	here := func(change url.Values) string {
		next := url.Values{}
		if at.grouping != 0 {
			next.Set("grouping", strconv.FormatInt(at.grouping, 10))
		}
		for name, value := range change {
			next[name] = value
		}
		return r.URL.Path + "?" + next.Encode()
	}
	p.words(s, d, at, here)
	p.concepts(d, at)
	p.links(q.Get("all") != "", here)
	return s.Show(w, r, "explore-said", "said-brief", frame.Layout{Title: "What others say", Section: "explore"}, p)
}

// describe reads what links say about a page, by the concepts of the grouping that the address names, or of the newest
// one. Where there is none there are words only.
func (s *server) describe(r *http.Request, id int64, p *saidPage) (*digest, explorePlace, error) {
	ctx := r.Context()
	asked, _ := strconv.ParseInt(r.URL.Query().Get("grouping"), 10, 64)
	plain := r.URL.Query().Get("grouping") == "0"
	groupings, err := explore.Groupings(ctx, s.Store.DB)
	if err != nil {
		return nil, explorePlace{}, err
	}
	all, err := s.Ontologies.List(ctx)
	if err != nil {
		return nil, explorePlace{}, err
	}
	names := scopeNames{server: s}
	var d *digest
	var at explorePlace
	for _, g := range groupings {
		if g.State != explore.GroupingDone || len(p.Groupings) == groupingsOffered && g.ID != asked {
			continue
		}
		line, err := names.line(ctx, g, all)
		if err != nil {
			return nil, at, err
		}
		one := tab{Href: r.URL.Path + "?grouping=" + strconv.FormatInt(g.ID, 10), Name: line.Title + " by " + line.By()}
		if !plain && d == nil && (asked == g.ID || asked == 0) {
			one.Current = true
			if p.About, err = s.Explore.PageOf(ctx, g.ID, id); err != nil {
				return nil, at, err
			}
			v, its, err := s.viewOfGrouping(ctx, g)
			if err != nil {
				return nil, at, err
			}
			d, at = its, explorePlace{grouping: g.ID, level: v.Default, cluster: -1}
		}
		p.Groupings = append(p.Groupings, one)
	}
	if d == nil {
		if p.About, err = s.Explore.PageOf(ctx, 0, id); err != nil {
			return nil, at, err
		}
	}
	if len(p.Groupings) > 0 {
		p.Groupings = append(p.Groupings, tab{r.URL.Path + "?grouping=0", "Words only", d == nil})
	}
	return d, at, nil
}

// groupingsOffered is the number of groupings by which a page can be described.
const groupingsOffered = 6

func (p *saidPage) words(s *server, d *digest, at explorePlace, here func(url.Values) string) {
	most := 1
	for _, w := range p.About.Description.Words {
		most = max(most, w.N)
	}
	for _, w := range p.About.Description.Words[:min(len(p.About.Description.Words), topSaidWords)] {
		if w.N == 0 {
			continue // only in the page's own text
		}
		one := saidWord{Word: frame.Printable(w.Word), N: w.N, Sense: frame.Printable(w.Sense)}
		if d != nil {
			one = s.wordOf(w, d, at)
			if name := p.About.Names[cmp.Or(w.Term, w.Sense)]; name != "" && one.Term != "" {
				one.Term = frame.Printable(name)
			}
		}
		one.Wide, one.Now = 100*w.N/most, one.Word == p.Word
		one.Pick = here(url.Values{"word": {w.Word}}) + "#said"
		p.Words = append(p.Words, one)
	}
}

func (p *saidPage) concepts(d *digest, at explorePlace) {
	for _, c := range p.About.Description.Concepts {
		name := p.About.Names[c.Key]
		one := saidConcept{Name: frame.Printable(cmp.Or(strings.TrimSpace(name), c.Key)), Weight: frame.Decimal(c.Weight), Wide: int(c.Weight*100 + .5)}
		if d != nil {
			one.Href = at.about(c.Key).href()
		}
		for _, i := range c.Words {
			if i >= 0 && i < len(p.About.Description.Words) {
				one.Words = append(one.Words, frame.Printable(p.About.Description.Words[i].Word))
			}
		}
		p.Concepts = append(p.Concepts, one)
	}
}

func (p *saidPage) links(all bool, here func(url.Values) string) {
	var words []string
	for _, w := range p.About.Description.Words {
		words = append(words, w.Word)
	}
	if p.Word != "" {
		words = []string{p.Word}
		p.Any = here(nil) + "#said"
	}
	for _, one := range p.About.Said {
		if p.Word != "" && !sayAny(one, words) {
			continue
		}
		if !all && len(p.Links) == saidAtOnce {
			more := url.Values{"all": {"1"}}
			if p.Word != "" {
				more.Set("word", p.Word)
			}
			p.All = here(more) + "#said"
			break
		}
		p.Links = append(p.Links, saidOf(one, words))
	}
	p.Here = len(p.Links)
}
