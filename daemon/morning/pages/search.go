package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/morning/search"
	searchwords "nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// resultsPerPage is the number of results on one page.
const resultsPerPage = 15

// searchPage is the search with its results: pages with some words, pages like another one, or what is known of an
// address.
type searchPage struct {
	Text, Site   string
	Since, Until string // dates as the form has them: 2026-11-21
	Topic        int64
	Kind         string
	Topics       []overview.TopicView
	Kinds        []kindOption

	Asked        bool // for anything
	Headline     string
	Better       *frame.Link // the query that was perhaps meant
	Wordless     bool        // the text has no words
	Results      []result
	Newer, Older string
	Waiting      int // pages that are not indexed yet
	Here         *hereCard
	Like         *frame.Link // results are pages like this one
	Telling      []string    // the words that they share with it
}

type kindOption struct{ Key, Name string }

var searchKinds = []kindOption{
	{"", "Visited and crawled"}, {search.Visited, "Visited by you"}, {search.Found, "Finds"}, {search.Fetched, "Fetched by crawls"},
}

// result is one page that was found.
type result struct {
	search.Hit
	Name      []search.SnippetPart
	Host      string
	Path      string
	Here      string // address of what is known of it
	MoreLike  string
	CopyHref  string // its saved copy, "" if there is none
	KindWords string
}

// hereCard answers whether the person was at an address.
type hereCard struct {
	search.PageHistory
	Asked    string
	Link     frame.Link
	Answer   string
	OnSite   int // pages that are known of its host
	SiteHref string
	MoreLike string
}

func (s *server) handleSearch(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), r.URL.Query()
	p := searchPage{Text: chart.Shorten(200, frame.Printable(q.Get("q"))), Kind: q.Get("kind"), Kinds: searchKinds,
		Site: siteInput(q.Get("site")), Since: q.Get("since"), Until: q.Get("until")}
	p.Topic, _ = strconv.ParseInt(q.Get("topic"), 10, 64) // anything else means every topic
	var err error
	if p.Topics, err = overview.Topics(ctx, s.Store.DB); err != nil {
		return err
	}
	if p.Waiting, err = search.Waiting(ctx, s.Store.DB, 1_000_000); err != nil {
		return err
	}
	after, _ := strconv.Atoi(q.Get("after"))
	switch {
	case q.Get("like") != "":
		err = s.searchLike(ctx, &p, q.Get("like"))
	case q.Get("url") != "":
		err = s.searchHere(ctx, &p, q.Get("url"))
	default:
		err = s.searchWords(ctx, &p, max(after, 0))
	}
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "search", frame.Layout{Title: "Search", Section: "search"}, p)
}

// searchWords fills in the pages with the words, and what is known of the address if the words are one.
func (s *server) searchWords(ctx context.Context, p *searchPage, after int) error {
	f := search.Filter{Text: p.Text, Topic: p.Topic, Site: p.Site, Kind: p.Kind, After: after, Limit: resultsPerPage}
	f.Since, p.Since = dateInput(p.Since, 0)
	f.Until, p.Until = dateInput(p.Until, 1)
	p.Asked = p.Text != "" || p.Topic != 0 || p.Site != "" || p.Kind != "" || p.Since != "" || p.Until != ""
	if !p.Asked {
		return nil
	}
	if isAddress(p.Text) {
		if err := s.searchHere(ctx, p, p.Text); err != nil {
			return err
		}
	}
	terms := search.Terms(p.Text)
	p.Wordless = p.Text != "" && searchwords.Parse(p.Text).Empty()
	hits, total, err := search.Search(ctx, s.Store, f)
	if err != nil {
		return err
	}
	p.results(hits, terms)
	if err := s.suggest(ctx, p, f); err != nil {
		return err
	}
	switch {
	case total >= search.Cap:
		p.Headline = "More than " + chart.Number(search.Cap) + " pages."
	case total > 0:
		p.Headline = chart.Plural(total, "page", "pages") + "."
	}
	if after+len(hits) < total {
		p.Older = p.href(after + resultsPerPage)
	}
	if after > 0 {
		p.Newer = p.href(max(0, after-resultsPerPage))
	}
	return nil
}

// suggest fills in the query that was perhaps meant.
func (s *server) suggest(ctx context.Context, p *searchPage, f search.Filter) error {
	better, err := search.Suggest(ctx, s.Store, f)
	if err == nil && better != "" {
		other := *p
		other.Text = better
		p.Better = &frame.Link{URL: other.href(0), Name: better}
	}
	return err
}

// searchLike fills in the pages with the same telling words as another one.
func (s *server) searchLike(ctx context.Context, p *searchPage, address string) error {
	p.Asked = true
	h, err := search.HistoryOf(ctx, s.Store.DB, address)
	if err != nil {
		return err
	}
	p.Like = new(frame.LinkTo(h.URL, h.Title))
	hits, telling, err := search.Like(ctx, s.Store, h.URL, resultsPerPage)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	p.Telling = telling
	p.results(hits, search.Terms(telling...))
	return nil
}

// searchHere fills in what is known of an address. It tries the spellings that people use.
func (s *server) searchHere(ctx context.Context, p *searchPage, address string) error {
	p.Asked = true
	asked := chart.Shorten(300, frame.Printable(strings.TrimSpace(address)))
	p.Here = &hereCard{Asked: asked, Answer: "This is not a web address."}
	if p.Text == "" {
		p.Text = chart.Shorten(200, asked)
	}
	for i, u := range frame.Spellings(address) {
		h, err := search.HistoryOf(ctx, s.Store.DB, u)
		if err != nil {
			return err
		}
		if i > 0 && !h.Known() {
			continue
		}
		p.Here.PageHistory, p.Here.Link, p.Here.Answer = h, frame.LinkTo(h.URL, h.Title), hereWords(h)
		if h.Text {
			p.Here.MoreLike = frame.AddressOf("/search", "like", h.URL)
		}
		if h.Known() {
			break
		}
	}
	if host := weburl.Host(p.Here.URL); host != "" {
		site := siteInput(host)
		_, n, err := search.Hits(ctx, s.Store.DB, search.Filter{Site: site, Limit: 1})
		if err != nil {
			return err
		}
		p.Here.OnSite, p.Here.SiteHref = n, frame.AddressOf("/search", "site", site)
	}
	return nil
}

// hereWords answers the question "Was I here?".
func hereWords(h search.PageHistory) string {
	var crawls string
	if n := len(h.Fetches); n > 0 {
		crawls = "Crawls requested it " + times(n) + "."
	}
	if h.Visits == 0 {
		if crawls == "" {
			return "No. You did not visit this page in a session, and no crawl requested it."
		}
		return "No, you did not visit this page in a session. " + crawls
	}
	return strings.TrimSpace("Yes, " + times(h.Visits) + " in " + chart.Plural(len(h.Sessions), "session", "sessions") + ". " + crawls)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return chart.Number(n) + " times"
}

// results fills in the hits as the page shows them.
func (p *searchPage) results(hits []search.Hit, terms []search.Term) {
	for _, h := range hits {
		u, err := url.Parse(h.URL)
		r := result{Hit: h, Name: search.Mark(frame.TitleOr(h.Title, h.URL), terms), Host: h.Site,
			Here: frame.AddressOf("/search", "url", h.URL), MoreLike: frame.AddressOf("/search", "like", h.URL)}
		if err == nil && u.Path != "/" {
			r.Path = chart.Shorten(80, u.Path)
		}
		if h.FindID != 0 {
			r.CopyHref = "/finds/" + strconv.FormatInt(h.FindID, 10) + "/copy"
		}
		r.KindWords = map[string]string{search.Visited: "visited", search.Found: "find", search.Fetched: "fetched"}[h.Kind]
		p.Results = append(p.Results, r)
	}
}

// href is the address of the same search, from the result at position after.
func (p searchPage) href(after int) string {
	return frame.AddressOf("/search", "after", frame.IdText(int64(after)), "q", p.Text, "site", p.Site, "kind", p.Kind, "since", p.Since, "until", p.Until,
		"topic", frame.IdText(p.Topic))
}

// siteInput returns the host that a person means, or what they typed when it names no host: nothing is found on it then.
func siteInput(text string) string {
	text = strings.TrimSpace(frame.Printable(text))
	if host := searchwords.Site(text); host != "" {
		text = host
	}
	return chart.Shorten(253, text)
}

// dateInput reads a date of a form in the machine's zone, and returns it some days later, and its text; nothing if it is
// no date.
func dateInput(text string, days int) (time.Time, string) {
	t, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		return time.Time{}, ""
	}
	return t.AddDate(0, 0, days), text
}

// isAddress reports whether a text is a web address and not words.
func isAddress(text string) bool {
	text = strings.TrimSpace(text)
	if q := searchwords.Parse(text); text == "" || strings.ContainsAny(text, " \"") || len(q.Sites)+len(q.WithoutSites) > 0 {
		return false
	}
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
		return true
	}
	host, _, slash := strings.Cut(text, "/")
	dot := strings.LastIndexByte(host, '.')
	return dot > 0 && len(host)-dot > 2 && (slash || strings.Count(host, ".") > 1 || !strings.ContainsAny(host, "_+()"))
}
