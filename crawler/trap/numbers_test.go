package trap_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// teams and items are names that all tables of a kind share, so that their words do not tell them apart.
var (
	teams = strings.Fields("Rovers Town United Albion County Athletic Wanderers Rangers City Harbour Vale Argyle")
	items = strings.Fields("Bolt Nut Washer Screw Rivet Hinge Bracket Hook Nail Clamp Spring Chain Pulley Shackle Cleat")
	days  = strings.Fields("Mon Tue Wed Thu Fri Sat Sun")
)

// tables are kinds of tables: an introduction, and the rows of page n.
var tables = map[string]struct {
	intro string
	rows  func(r *rand.Rand, n int) [][]string
}{
	"tides": {"Height of water for each day.", func(r *rand.Rand, _ int) (rows [][]string) {
		for range 40 {
			rows = append(rows, cells("%02d:%02d|%.1f m|%s", r.IntN(24), r.IntN(60), 5*r.Float64(), []string{"high", "low"}[r.IntN(2)]))
		}
		return rows
	}},
	"station": {"Readings of the station.", func(r *rand.Rand, _ int) (rows [][]string) {
		for h := range 24 {
			rows = append(rows, cells("2026-11-28 %02d:00|%.1f|%.1f|%d", h, 20*r.Float64()-5, 980+40*r.Float64(), 40+r.IntN(60)))
		}
		return rows
	}},
	"weather": {"Forecast for the week.", func(r *rand.Rand, _ int) (rows [][]string) {
		for i, d := range days {
			rows = append(rows, cells("%s %d November|%d° / %d°|wind %d km/h|rain %d %%", d, 23+i, r.IntN(20), r.IntN(12)-6, r.IntN(60), 5*r.IntN(20)))
		}
		return rows
	}},
	"schedule": {"Courses of the term.", func(r *rand.Rand, _ int) (rows [][]string) {
		for range 12 {
			at := 8 + r.IntN(9)
			rows = append(rows, cells("MATH %d|%s %d:%02d-%d:%02d|Room %d", 100+r.IntN(400), days[r.IntN(5)], at, 15*r.IntN(4), at+1, 15*r.IntN(4), r.IntN(300)))
		}
		return rows
	}},
	"prices": {"Prices in euro, for each piece.", func(r *rand.Rand, _ int) (rows [][]string) {
		for _, item := range items {
			rows = append(rows, cells("%s zinc plated|€%.2f", item, 0.05+9*r.Float64()))
		}
		return rows
	}},
	"results": {"Results of the round.", func(r *rand.Rand, _ int) (rows [][]string) {
		order := r.Perm(len(teams))
		for i := 0; i < len(order); i += 2 {
			rows = append(rows, cells("%s|%s|%d:%d", teams[order[i]], teams[order[i+1]], r.IntN(5), r.IntN(5)))
		}
		return rows
	}},
	"standings": {"Table after the round.", func(r *rand.Rand, n int) (rows [][]string) {
		for i, t := range r.Perm(len(teams)) {
			won, lost := r.IntN(n+2), r.IntN(n+2)
			rows = append(rows, cells("%d.|%s|%d|%d|%d|%d:%d|%d", i+1, teams[t], n+1, won, lost, r.IntN(40), r.IntN(40), 3*won))
		}
		return rows
	}},
	"long tides": {"Height of water for each day.", func(r *rand.Rand, _ int) (rows [][]string) {
		for range 90 {
			rows = append(rows, cells("%02d:%02d|%.1f m|%s water", r.IntN(24), r.IntN(60), 5*r.Float64(), []string{"high", "low"}[r.IntN(2)]))
		}
		return rows
	}},
	"logarithms": {"", func(r *rand.Rand, n int) (rows [][]string) {
		for i := range 30 {
			rows = append(rows, cells("%d.%02d|%.4f|%.4f", n, i, r.Float64(), r.Float64()))
		}
		return rows
	}},
}

// cells formats a row and splits it at each bar.
func cells(format string, of ...any) []string { return strings.Split(fmt.Sprintf(format, of...), "|") }

// layouts write rows as HTML.
var layouts = map[string]func(rows [][]string) string{
	"table": func(rows [][]string) string {
		return "<table>" + each(rows, "<tr><td>", "</td><td>", "</td></tr>") + "</table>"
	},
	"pre":  func(rows [][]string) string { return "<pre>" + each(rows, "", "\t", "\n") + "</pre>" },
	"list": func(rows [][]string) string { return "<ul>" + each(rows, "<li>", ", ", "</li>") + "</ul>" },
	"divs": func(rows [][]string) string {
		return each(rows, "<div class=row><div>", "</div><div>", "</div></div>")
	},
}

func each(rows [][]string, before, between, after string) string {
	var b strings.Builder
	for _, cells := range rows {
		b.WriteString(before + strings.Join(cells, between) + after)
	}
	return b.String()
}

// mustTable returns page n of a kind of tables. seed makes its numbers; extra is put below the table.
func mustTable(tb testing.TB, kind, layout string, n int, seed uint64, extra string) *page.Page {
	tb.Helper()
	rng, k := rand.New(rand.NewPCG(seed, uint64(n))), tables[kind]
	html := fmt.Sprintf("<title>%s %d</title><h1>%s %d</h1><p>%s</p>%s<p>%s</p><a href='/'>Home</a>",
		kind, n, kind, n, k.intro, layouts[layout](k.rows(rng, n)), extra)
	p, err := page.Parse(fmt.Sprintf("http://www.a.test/%s/%d.html", kind, n), page.ContentUTF8, []byte(html))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// TestTablesOfNumbers: a folder of tables with the same few words is read to its end.
func TestTablesOfNumbers(t *testing.T) {
	const pages = 200
	for kind := range tables {
		for layout := range layouts {
			t.Run(kind+" as "+layout, func(t *testing.T) {
				g := trap.New(trap.Options{Pages: 1000, Starts: []string{"http://www.a.test/"}})
				near, credit := 0, 0
				for n := range pages {
					p := mustTable(t, kind, layout, n, 1, "")
					if why := g.Admit(p.URL); why != "" {
						t.Fatalf("page %d: %s; %d of the pages before count as copies, %d as new", n, why, near, credit)
					}
					v := g.Page(trap.Read{URL: p.URL, Parent: "http://www.a.test/", Page: p})
					if v.Near {
						near++
					}
					if v.Credit {
						credit++
					}
				}
				if near > 1 || credit < pages*9/10 {
					t.Errorf("%d of %d pages count as copies, %d as new", near, pages, credit)
				}
			})
		}
	}
}

// TestCopiesOfTables: the same table under other addresses has nothing new, whatever counters, dates and ads stand around it, and
// soon its folder is closed.
func TestCopiesOfTables(t *testing.T) {
	for kind := range tables {
		for layout := range layouts {
			g := trap.New(trap.Options{Pages: 1000, Starts: []string{"http://www.a.test/"}})
			n := 0
			for ; n < 20; n++ {
				extra := fmt.Sprintf("Visitor %d. Printed on %d November 2026 at 09:%02d. Save %d %% on boats!", 184_223+n*37, 1+n, n*3, 5+n)
				p := mustTable(t, kind, layout, 1, 1, extra)
				p.URL = fmt.Sprintf("http://www.a.test/%s/view;%d", kind, n)
				if g.Admit(p.URL) != "" {
					break
				}
				if v := g.Page(trap.Read{URL: p.URL, Parent: "http://www.a.test/", Page: p}); n > 0 && v.Credit {
					t.Errorf("%s as %s: copy %d counts as new", kind, layout, n)
				}
			}
			if n > 8 {
				t.Errorf("%s as %s: the folder is closed after %d copies, want at most 8", kind, layout, n)
			}
		}
	}
}

// TestEndlessNumbers: pages whose numbers only count on, as those of a calendar do, have nothing new.
func TestEndlessNumbers(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"month": func(n int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "Calendar %d/%d\nMo Tu We Th Fr Sa Su\n", n%12+1, 2026+n/12)
			for d := range 28 + n%4 {
				fmt.Fprintf(&b, "%d\n", d+1)
			}
			return b.String()
		},
		"week": func(n int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "Week %d\n", n)
			for d := range days {
				fmt.Fprintf(&b, "%s 2%d%02d-%02d-%02d: no events\n", days[d], n/400, n/48%100, n/4%12+1, n%4*7+d+1)
			}
			for h := range 24 {
				fmt.Fprintf(&b, "%02d:00\n", h)
			}
			return b.String()
		},
		"day": func(n int) string {
			return fmt.Sprintf("Day %d of 2026\nBack to %d, on to %d. No events.", n, n-1, n+1)
		},
		"number": func(n int) string { return strings.Repeat(fmt.Sprintf("Item %d ", n), 10) },
		"pages": func(n int) string {
			var b strings.Builder
			for i := range 20 {
				fmt.Fprintf(&b, "Picture %d\n", 20*n+i)
			}
			return b.String()
		},
	} {
		g := trap.New(trap.Options{Pages: 1000, Starts: []string{"http://www.a.test/"}})
		n := 0
		for ; n < 60; n++ {
			url := fmt.Sprintf("http://www.a.test/%s/%d", name, n)
			if g.Admit(url) != "" {
				break
			}
			read(g, url, text(n))
		}
		if n > 14 {
			t.Errorf("%s: the folder is closed after %d pages, want at most 14", name, n)
		}
	}
}
