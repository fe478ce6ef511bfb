package night

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/farm/traps"
)

// times is the format of times of the night.
const times = "15:04:05.0"

// promises compares the crawl's database with what the hosts saw.
func promises(ctx context.Context, o *options, st *stage, n *night, a *account, db string) ([]check, error) {
	all := n.seen.requests()
	var list []check
	add := func(good bool, what, format string, args ...any) {
		list = append(list, check{what, fmt.Sprintf(format, args...), good})
	}
	add(a.Sound == "ok", "the database is sound", "integrity check: %s", a.Sound)
	add(a.Status == "ended" && a.Stopped != "", "the crawl says why it stopped", "%s: %s", a.Status, a.Stopped)

	pairs, bad, least := tooNear(all, o.delay())
	examples := ""
	for _, b := range bad[:min(3, len(bad))] {
		examples += fmt.Sprintf("; %s%s at %s, %s at %s", b[0].Host, b[0].Path, b[0].At.Format(times), b[1].Path, b[1].At.Format(times))
	}
	add(len(bad) == 0, "no two requests to a host closer than its delay", "%d of %d pairs closer than %v, the closest %v%s", len(bad), pairs, o.delay(), least.Round(100*time.Millisecond), examples)
	early := tooEarly(all)
	examples = ""
	for _, r := range early[:min(3, len(early))] {
		examples += fmt.Sprintf("; %s%s at %s", r.Host, r.Path, r.At.Format(times))
	}
	add(len(early) == 0, "no request before a Retry-After has ended", "%d early%s", len(early), examples)

	faulty := map[string]bool{}
	for _, h := range n.happened {
		faulty[h.Host] = true
	}
	whole := func(r request) bool { return !strings.HasSuffix(r.Path, "/robots.txt") && traps.Family(r.Host) == "" }
	often, most := repeats(all, func(r request) bool { return whole(r) && !faulty[r.Host] })
	add(most <= 2, "no page is sent more than twice, despite kills", "hosts without toxics: %d pages once, %d twice, at most %d times", often[1], often[2], most)
	// A host also counts pages that a toxic kept from the crawler, which fetches them again.
	often, most = repeats(all, func(r request) bool { return whole(r) && faulty[r.Host] })
	add(most <= 3, "no page is sent more than three times where toxics lose responses", "hosts with toxics: %d pages once, %d twice, %d three times, at most %d times", often[1], often[2], often[3], most)
	lost, looked, err := lostLinks(ctx, st, a, db)
	if err != nil {
		return nil, err
	}
	add(lost == 0, "no link is lost", "%d of %d links of fetched pages are not in the frontier", lost, looked)

	for _, h := range n.happened {
		if h.What == offline || h.What == battery || h.What == person {
			add(h.Asked == 0, "no request: "+h.Words(), "%d requests after the first three minutes", h.Asked)
		}
	}
	after := within(all, n.opens.Add(o.length()+time.Minute), n.opens.Add(1000*time.Hour), n.seen.epochNow())
	add(after == 0, "no request after the window has closed", "%d requests more than a minute later", after)
	burst, usual := afterSleep(n, all)
	add(burst <= 2*usual+float64(o.Workers), "no burst after sleep", "%.0f requests in the first minute, %.0f per minute before", burst, usual)

	seen, listed, lacking, unseen := compareLedger(all, a.Ledger)
	add(lacking <= n.keeper.kills*2*o.Workers, "the ledger has every request that no kill interrupted",
		"hosts saw %d, the ledger lists %d; it lacks %d, and hosts did not see %d (lost on the way)", seen, listed, lacking, unseen)

	trapped := 0
	for _, f := range a.Fetches {
		if traps.Family(weburl.Host(f.URL)) != "" {
			trapped += f.Cost
		}
	}
	add(trapped*20 <= o.Budget, "traps cost at most 5 % of the budget", "%d pages of %d; %d were used", trapped, o.Budget, a.Fetched)
	add(n.keeper.peak < 512<<20, "memory stays under 512 MiB", "%s", megabytes(n.keeper.peak))
	return list, nil
}

// afterSleep counts the requests in the first minute after sleep, and the requests per minute before.
func afterSleep(n *night, all []request) (burst, usual float64) {
	for _, h := range n.happened {
		if h.What == asleep {
			burst = float64(within(all, h.To, h.To.Add(time.Minute), h.Epoch+1))
			usual = float64(within(all, h.From.Add(-10*time.Minute), h.From, h.Epoch)) / 10
		}
	}
	return burst, usual
}

// lostLinks counts the links of fetched pages that are missing in the frontier. It parses every fetched page of the farm
// itself. Hosts that rest or have used up their budget are skipped, since their links are rejected.
func lostLinks(ctx context.Context, st *stage, a *account, db string) (lost, looked int, err error) {
	known, closed, err := readFrontier(ctx, db)
	if err != nil {
		return 0, 0, err
	}
	for _, f := range a.Fetches {
		html := st.farm.HTML(f.URL)
		if f.Outcome != "ok" || html == nil {
			continue
		}
		p, err := page.Parse(f.URL, page.ContentUTF8, html)
		if err != nil {
			return 0, 0, err
		}
		for _, l := range p.Links {
			if closed[weburl.Host(l.URL)] {
				continue
			}
			looked++
			if !known[l.URL] {
				lost++
			}
		}
	}
	return lost, looked, nil
}
