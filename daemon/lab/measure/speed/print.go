package speed

import (
	"fmt"

	"nightjar/daemon/lab/devtool"
)

// title says for a terminal what was measured, and where.
func (r *result) title() string {
	return fmt.Sprintf("%s\n%s, %s, seed %d", r.heading(), r.Machine, r.Go, r.Seed)
}

func (r *result) heading() string {
	if len(r.Contenders) == 0 {
		return fmt.Sprintf("No contenders, %d cores", r.Cores)
	}
	pages := "made-up pages"
	if r.Source == "corpora" {
		pages = "recorded pages"
	}
	return fmt.Sprintf("Crawls of %d %s (%.0f kB on average) on %d hosts, %d workers, %d cores", r.Pages, pages, float64(r.PageBytes)/1000, r.Hosts, r.Workers, r.Cores)
}

func (r *result) tables() (all []devtool.Table) {
	if len(r.Contenders) > 0 {
		t := devtool.Table{Title: "Contenders", Rows: [][]string{{"", "pages/s", "of bare", "of Colly", "CPU ms/page", "of bare", "of Colly", "peak MiB", "links", "kept MB"}}}
		for _, c := range r.Contenders {
			t.Add(c.Name, number(c.Rate, 0), number(c.OfBare, 2), number(c.OfColly, 2), number(c.CPU, 2),
				number(c.CPUBare, 2), number(c.CPUUs, 2), number(devtool.MiB(c.Peak), 0), c.Links, number(float64(c.Kept)/1e6, 1))
		}
		all = append(all, t)
	}
	if p := r.Polite; p != nil {
		all = append(all, devtool.Table{Title: "Polite crawl", Rows: [][]string{
			{"hosts", "delay s", "seconds", "pages", "pages/s", "possible", "share", "too soon", "overlapping", "least gap s", "CPU ms/page", "peak MiB"},
			{fmt.Sprint(p.Hosts), number(p.Delay, 1), number(p.Seconds, 0), fmt.Sprint(p.Pages), number(p.Rate, 1), number(p.Possible, 1), number(p.Share, 3),
				fmt.Sprint(p.Sooner), fmt.Sprint(p.Overlapped), fmt.Sprintf("%.3f", p.MinGap), number(p.CPU, 2), number(devtool.MiB(p.Peak), 0)}}})
	}
	if len(r.Changes) > 0 {
		t := devtool.Table{Title: "Compared with the last report", Rows: [][]string{{"", "measured", "landed", "ratio", ""}}}
		for _, c := range r.Changes {
			verdict := "no worse"
			if c.Worse {
				verdict = "worse"
			}
			t.Add(c.What, number(c.Now, 2), number(c.Landed, 2), number(c.Now/c.Landed, 2), verdict)
		}
		all = append(all, t)
	}
	return append(all, devtool.AimTable(r.Aims))
}

// number formats a value; 0 means not measured and gives a dash.
func number(x float64, digits int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, x)
}

func (r *result) markdown() []byte {
	runs := 1
	if len(r.Contenders) > 0 {
		runs = len(r.Contenders[0].Runs)
	}
	remark := fmt.Sprintf("%s, seed %d, %d runs each.\n", r.heading(), r.Seed, runs)
	return devtool.Markdown("How fast the crawl is", intro, r.Command, remark, r.tables())
}

const intro = `A farm of hosts on loopback addresses serves the pages from its own process. Nightjar does everything that it does at
night: fetch, parse, classify, score, store, archive. Colly and the bare loop (net/http and golang.org/x/net/html) fetch and
parse the same pages, extract their links and keep nothing. Rates and processor times are medians over the runs, ratios are
medians over the ratios of each round, and peak memory is the largest of any run. The server shares the processors with the
contenders, which makes their rates more alike; processor times are those of the contender alone. A later run fails when its
rate or its processor time, relative to the bare loop's, is more than 15 % worse than here.`
