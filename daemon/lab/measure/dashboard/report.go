package dashboard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/daemon/lab/devtool"
)

// missed counts the routes that do not reach the aims.
func (r *result) missed() (n int) {
	for _, one := range r.Routes {
		if !one.OK() {
			n++
		}
	}
	return n
}

// remark says what was measured, and how many routes reach the aims.
func (r *result) remark() string {
	var counts []string
	for _, table := range slices.Sorted(maps.Keys(r.Rows)) {
		counts = append(counts, fmt.Sprintf("%s %d", table, r.Rows[table]))
	}
	text := fmt.Sprintf("%d pages, %d links in them, a database of %.0f MB with these rows: %s.\n", r.Pages, r.Links, float64(r.Bytes)/1e6, strings.Join(counts, ", "))
	if r.Load[0] > 0 {
		text += fmt.Sprintf("Load of the machine in the minute before: %.2f, in the last minute of it: %.2f. The program itself makes about 1 to 2 of it.\n", r.Load[0], r.Load[1])
	}
	return text + fmt.Sprintf("%d of %d reach the aims: p95 under %.0f ms, under %d kB uncompressed.\n", len(r.Routes)-r.missed(), len(r.Routes), aimTime, aimBytes/1000)
}

// tables list the routes, and those that were not requested.
func (r *result) tables() []devtool.Table {
	t := devtool.Table{Title: "Routes", Rows: [][]string{{"route", "addresses", "status", "cold ms", "p50 ms", "p95 ms", "max ms", "CPU ms", "kB", ""}}}
	for _, one := range r.Routes {
		mark := ""
		if !one.OK() {
			mark = "misses the aim"
		}
		row := []string{one.Route, fmt.Sprint(one.Addresses), fmt.Sprint(one.Status)}
		for _, v := range []float64{one.Cold, one.P50, one.P95, one.Max, one.CPU} {
			row = append(row, fmt.Sprintf("%.0f", v))
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.1f", float64(one.Bytes)/1000), mark))
	}
	left := devtool.Table{Title: "Not requested", Rows: [][]string{{"route", "why"}}}
	for _, one := range r.Left {
		route, why, _ := strings.Cut(one, ": ")
		left.Add(route, why)
	}
	return []devtool.Table{t, left}
}

const intro = `Each page of the dashboard is requested over HTTP from a daemon on a database of many years, which the program makes:
sessions, crawls, finds and marks with the schema, the triggers and the search index of the product. A fifth of the pages
was visited, the others were fetched by crawls. Cold is the slowest first request of an address after the daemon was opened,
when its own caches are empty; p50, p95 and max are over all requests; CPU is the processor time of a request on average,
with what went on in the background meanwhile. Times depend on what else the machine does; processor times hardly do. Sizes are
of the largest answer, uncompressed. Addresses with count=1, and the doctor, work in the background: what is measured is the
answer with the numbers or, if they take longer than a glance, with the words that they are being counted.`
