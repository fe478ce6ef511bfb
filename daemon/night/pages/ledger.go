package pages

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/chart"
	"nightjar/daemon/morning/export"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/web/frame"
)

// mostHosts bounds the hosts of the table, which shows rowsShown of them at once; the CSV file has all of them.
const mostHosts = 30 * frame.RowsShown

// ledgerPage shows every host that a crawl contacted.
type ledgerPage struct {
	Crawl crawls.View
	Query string // shown are hosts whose name contains it
	By    string // sort order, a key of hostSorts
	Sorts []sortChoice
	Hosts []hostLine       // the part that is shown
	Parts []frame.RowsPart // of the table, when it has several

	Listed int        // hosts in all parts of the table
	Found  int        // hosts that match Query
	All    ledgerSums // of all hosts
	Shown  ledgerSums // of the hosts that match
}

// sortChoice is one sort order of the ledger.
type sortChoice struct{ By, Name string }

var hostSorts = []sortChoice{
	{"bytes", "most received"}, {"requests", "most requests"}, {"failed", "most failures"},
	{"host", "name"}, {"first", "first request"}, {"last", "latest request"},
}

// ledgerSums are the totals of hosts.
type ledgerSums struct {
	Hosts, Requests, Failed int
	Bytes                   int64
	Purposes                []string // in words, most requests first
}

// hostLine is a host with the outcomes of its pages.
type hostLine struct {
	progress.LedgerHost
	Relevant int
	For      []string // purposes in words
	Parts    []string // outcomes in words
	Wants    []string // what the host asks for, in words
	By       []string // who sent the requests, in words; nil when this machine sent all
}

// purposes names the purposes of requests, singular and plural.
var purposes = map[fetch.Purpose][2]string{
	fetch.ForPage: {"page", "pages"}, fetch.ForRedirect: {"redirect", "redirects"}, fetch.ForRobots: {"robots.txt", "robots.txt"},
	fetch.ForSitemap: {"sitemap", "sitemaps"}, fetch.ForFeed: {"feed", "feeds"}, fetch.ForProbe: {"probe", "probes"}, fetch.ForSubresource: {"part of a page", "parts of pages"},
}

func purposeText(p fetch.Purpose, n int) string {
	words, ok := purposes[p]
	if !ok {
		words = [2]string{string(p), string(p)}
	}
	return chart.Plural(n, words[0], words[1])
}

// purposeTexts lists the purposes of requests, most frequent first.
func purposeTexts(all []progress.LedgerPurpose) (texts []string) {
	count := map[fetch.Purpose]int{}
	for _, p := range all {
		count[p.Purpose] += p.Requests
	}
	for _, p := range frame.ByCount(count) {
		texts = append(texts, purposeText(p, count[p]))
	}
	return texts
}

// senders lists who sent the requests to a host, most requests first; nil when this machine sent all.
func senders(all []progress.LedgerPurpose) (texts []string) {
	count := map[string]int{}
	for _, p := range all {
		count[p.Worker] += p.Requests
	}
	if _, here := count[""]; here && len(count) == 1 {
		return nil
	}
	for _, name := range frame.ByCount(count) {
		who := cmp.Or(name, "this machine")
		if len(count) > 1 {
			who += " (" + chart.Number(count[name]) + ")"
		}
		texts = append(texts, who)
	}
	return texts
}

// ledger reads the ledger of a crawl with the outcomes of its pages.
func (s *server) ledger(ctx context.Context, crawlID int64) ([]hostLine, error) {
	hosts, err := progress.Ledger(ctx, s.Store.DB, crawlID)
	if err != nil {
		return nil, err
	}
	pages, err := progress.Hosts(ctx, s.Store.DB, crawlID)
	if err != nil {
		return nil, err
	}
	var lines []hostLine
	for _, h := range hosts {
		line := hostLine{LedgerHost: h, Relevant: pages[h.Host].Relevant, Wants: s.wants(h.Asks)}
		line.For, line.By = purposeTexts(h.Purposes), senders(h.Purposes)
		for _, o := range pages[h.Host].Outcomes {
			line.Parts = append(line.Parts, chart.Number(o.Count)+" "+hostOutcome(o))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// wants describes what a host asks for and until when that applies.
func (s *server) wants(a progress.HostAsks) (all []string) {
	now := s.Now()
	if a.Delay > 0 {
		all = append(all, "asks for "+frame.Duration(a.Delay)+" between two requests")
	}
	if why, ok := restTexts[a.Why]; ok && a.NotBefore.After(now) {
		all = append(all, why+", not contacted before "+s.When(a.NotBefore))
	}
	switch {
	case !a.RobotsUntil.After(now):
	case a.Unread != "":
		all = append(all, "robots.txt gives no answer, so no page is requested until "+s.When(a.RobotsUntil))
	default:
		all = append(all, "robots.txt cached until "+s.When(a.RobotsUntil))
	}
	return all
}

// restTexts says why a host is left alone for longer than usual.
var restTexts = map[fetch.Rest]string{
	fetch.RestAsked: "asked to be left alone", fetch.RestBusy: "said that it was too busy", fetch.RestFailed: "did not answer",
}

// Lengths in characters of the reasons that are shown. That of a refusal by robots.txt may explain how the file is read.
const (
	reasonShown = 120
	robotsShown = 600
)

// hostOutcome describes an outcome of one host, with an example of the reason when there is one.
func hostOutcome(o progress.OutcomeCount) string {
	name, ok := progress.OutcomeNames[o.Outcome]
	if ok {
		name = strings.ToLower(name[:1]) + name[1:]
	} else {
		name = o.Outcome
	}
	most := reasonShown
	if o.Outcome == string(fetch.Robots) {
		most = robotsShown
	}
	if o.Example != "" && o.Outcome != "ok" {
		return name + " (" + chart.Shorten(most, o.Example) + ")"
	}
	return name
}

// sortHosts sorts by one of hostSorts, then by name.
func sortHosts(hosts []hostLine, by string) {
	most := func(of func(hostLine) int64) func(a, b hostLine) int {
		return func(a, b hostLine) int { return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(a.Host, b.Host)) }
	}
	order := map[string]func(a, b hostLine) int{
		"bytes":    most(func(h hostLine) int64 { return h.Bytes }),
		"requests": most(func(h hostLine) int64 { return int64(h.Requests) }),
		"failed":   most(func(h hostLine) int64 { return int64(h.Failed) }),
		"first":    most(func(h hostLine) int64 { return -h.First.UnixMilli() }),
		"last":     most(func(h hostLine) int64 { return h.Last.UnixMilli() }),
		"host":     func(a, b hostLine) int { return cmp.Compare(a.Host, b.Host) },
	}[by]
	slices.SortStableFunc(hosts, order)
}

// sums totals hosts.
func sums(hosts []hostLine) ledgerSums {
	var t ledgerSums
	var all []progress.LedgerPurpose
	for _, h := range hosts {
		t.Hosts, t.Requests, t.Failed, t.Bytes = t.Hosts+1, t.Requests+h.Requests, t.Failed+h.Failed, t.Bytes+h.Bytes
		all = append(all, h.Purposes...)
	}
	t.Purposes = purposeTexts(all)
	return t
}

// handleLedger shows every host that a crawl contacted, filtered and sorted as requested.
func (s *server) handleLedger(w http.ResponseWriter, r *http.Request, id int64) error {
	ctx := r.Context()
	p := ledgerPage{Query: strings.ToLower(strings.TrimSpace(r.URL.Query().Get("q"))), By: r.URL.Query().Get("by"), Sorts: hostSorts}
	if !slices.ContainsFunc(hostSorts, func(c sortChoice) bool { return c.By == p.By }) {
		p.By = hostSorts[0].By
	}
	var err error
	if p.Crawl, err = crawls.ByID(ctx, s.Store.DB, id); err != nil {
		return err
	}
	hosts, err := s.ledger(ctx, id)
	if err != nil {
		return err
	}
	p.All = sums(hosts)
	hosts = slices.DeleteFunc(hosts, func(h hostLine) bool { return !strings.Contains(h.Host, p.Query) })
	p.Shown, p.Found = sums(hosts), len(hosts)
	sortHosts(hosts, p.By)
	p.Listed = min(mostHosts, len(hosts))
	p.Hosts, p.Parts = frame.PartOf(hosts[:p.Listed], frame.QueryInt(r, "from"), frame.RowsShown)
	title := "Hosts of crawl " + strconv.FormatInt(id, 10) + ": " + p.Crawl.Topic
	return s.Render(w, r, http.StatusOK, "hosts", frame.Layout{Title: title, Section: "crawls"}, p)
}

// handleLedgerCSV sends the ledger as CSV, one line for each host and purpose.
func (s *server) handleLedgerCSV(w http.ResponseWriter, r *http.Request, id int64) error {
	if _, err := crawls.ByID(r.Context(), s.Store.DB, id); err != nil {
		return err
	}
	hosts, err := progress.Ledger(r.Context(), s.Store.DB, id)
	if err != nil {
		return err
	}
	lines := [][]string{{"host", "purpose", "requests", "failed", "bytes", "first", "last", "resting", "worker"}}
	for _, h := range hosts {
		for _, p := range h.Purposes {
			lines = append(lines, []string{h.Host, string(p.Purpose), strconv.Itoa(p.Requests), strconv.Itoa(p.Failed),
				strconv.FormatInt(p.Bytes, 10), p.First.UTC().Format(time.RFC3339), p.Last.UTC().Format(time.RFC3339), h.Rests, p.Worker})
		}
	}
	name := "nightjar-crawl-" + strconv.FormatInt(id, 10) + "-hosts.csv"
	return s.Send(w, r, name, "text/csv; charset=utf-8", func() error { return export.Lines(w, lines) })
}
