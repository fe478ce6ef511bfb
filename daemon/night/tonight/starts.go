package tonight

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/reached"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/web/frame"
)

// proposedStarts is the number of start pages that are proposed ticked while the person has ticked none, and that are
// shown outside the fold.
const proposedStarts = 3

// Choices are the start pages of a topic, those that led to most useful pages first.
type Choices struct {
	Topic    int64
	Best     []Choice // ticked, proposed, or among the best three
	Rest     []Choice // folded away
	Proposed bool     // nothing is saved yet: the proposed ticks take effect when the person saves
	Visited  *Visited
}

// Visited is whether crawls follow links on pages that the person visited.
type Visited struct {
	crawls.VisitedLinks
	Follow bool
}

// Choice is one start page.
type Choice struct {
	N       int // from 1, over both lists
	URL     string
	Title   string
	Site    string
	Led     int // useful pages that the person reached from it
	Checked bool
	Added   bool // by the person
}

// Tick is a start page with its topic, for a form.
type Tick struct {
	Topic  int64
	Choice Choice
}

// Named lists the first sites by name.
func (c *Visited) Named() string {
	const most = 3
	if len(c.Sites) > most {
		return frame.Listing(append(slices.Clone(c.Sites[:most]), "others"))
	}
	return frame.Listing(c.Sites)
}

// Len counts the start pages.
func (c Choices) Len() int { return len(c.Best) + len(c.Rest) }

// Checked counts the start pages that are checked.
func (c Choices) Checked() int { return len(c.URLs()) }

// URLs lists the start pages that are checked.
func (c Choices) URLs() (all []string) {
	for _, s := range slices.Concat(c.Best, c.Rest) {
		if s.Checked {
			all = append(all, s.URL)
		}
	}
	return all
}

// Choices ranks the start pages of a topic. Proposals that crawls refuse are left out.
func (n Night) Choices(ctx context.Context, topicID int64) (Choices, error) {
	c := Choices{Topic: topicID}
	starts, err := startpages.All(ctx, n.Store.DB, topicID)
	if err != nil {
		return c, err
	}
	titles, err := startpages.Titles(ctx, n.Store.DB, topicID)
	if err != nil {
		return c, err
	}
	leads, err := reached.From(ctx, n.Store.DB, topicID)
	if err != nil {
		return c, err
	}
	refusal, err := n.Scheduler.Refusal(ctx)
	if err != nil {
		return c, err
	}
	var all []Choice
	c.Proposed = true
	for _, st := range starts {
		if !st.Ticked && refusal(st.URL) != nil {
			continue
		}
		all = append(all, Choice{URL: st.URL, Title: frame.TitleOr(titles[st.URL], st.URL), Site: weburl.Host(st.URL), Led: leads[st.URL],
			Checked: st.Ticked, Added: st.Source == startpages.Added})
		c.Proposed = c.Proposed && !st.Ticked
	}
	slices.SortStableFunc(all, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(b.Led, a.Led), cmp.Compare(len(a.URL), len(b.URL)), strings.Compare(a.URL, b.URL))
	})
	c.split(all)
	return c, nil
}

// ChooseVisited adds what the person visited on the sites of the checked start pages, if they did.
func (n Night) ChooseVisited(ctx context.Context, c *Choices) error {
	var sites []string
	for _, url := range c.URLs() {
		if site := weburl.Site(url); !slices.Contains(sites, site) {
			sites = append(sites, site)
		}
	}
	links, err := crawls.CountVisitedLinks(ctx, n.Store.DB, c.Topic, sites)
	if err != nil || links.Pages == 0 {
		return err
	}
	follow, err := crawls.FollowsVisited(ctx, n.Store.DB, c.Topic)
	c.Visited = &Visited{links, follow}
	return err
}

// FollowVisited stores what a form with start pages says of links on visited pages, if it asked for that.
func (n Night) FollowVisited(ctx context.Context, form url.Values, topicID int64) error {
	id := strconv.FormatInt(topicID, 10)
	if !slices.Contains(form["visited-asked"], id) {
		return nil
	}
	changed, err := crawls.FollowVisited(ctx, n.Store.DB, topicID, form.Has("visited-"+id))
	if changed {
		n.Scheduler.Renew(topicID)
	}
	return err
}

// split checks the first start pages when none is ticked, and folds the rest away.
func (c *Choices) split(all []Choice) {
	c.Best, c.Rest = nil, nil
	for i, choice := range all {
		choice.N = i + 1
		choice.Checked = choice.Checked || c.Proposed && i < proposedStarts
		if choice.Checked || i < proposedStarts {
			c.Best = append(c.Best, choice)
		} else {
			c.Rest = append(c.Rest, choice)
		}
	}
}

// Tick ticks these start pages of a topic and unticks all others.
func (n Night) Tick(ctx context.Context, topicID int64, urls []string) error {
	starts, err := startpages.All(ctx, n.Store.DB, topicID)
	if err != nil {
		return err
	}
	for _, st := range starts {
		ticked := slices.Contains(urls, st.URL)
		if st.Ticked == ticked {
			continue
		}
		if err := startpages.Tick(ctx, n.Store.DB, topicID, st.URL, ticked); err != nil {
			return err
		}
	}
	return nil
}

// StartURL checks an address that a person typed.
func (n Night) StartURL(ctx context.Context, typed string) (string, error) {
	address, err := weburl.Canonical(typed)
	if err != nil || frame.Weblink(address) == "" {
		return "", frame.BadInput("that is not the address of a web page; it should look like https://example.org/start")
	}
	refusal, err := n.Scheduler.Refusal(ctx)
	if err != nil {
		return "", err
	}
	if err := refusal(address); err != nil {
		return "", frame.BadInput("the crawler does not request that address: " + err.Error())
	}
	return address, nil
}
