package forecast

import (
	"cmp"
	"slices"

	"nightjar/daemon/forecast"
	"nightjar/daemon/yield"
)

// budgets are those of the nights that are put together from a cell's crawls.
var budgets = []int{100, 200, 300, 500, 700, 1000}

// courses are the nights of a topic, as numbers of a cell's crawls: a first night, then one from the same or from other start
// pages, then a third. The last of each is foreseen.
var courses = [][]int{{0}, {0, 1}, {0, 2}, {0, 1, 2}, {0, 2, 3}}

// Kinds of nights.
const (
	first = "first night"
	same  = "later, same start pages"
	other = "later, other start pages"
)

// night is a simulated night to foresee.
type night struct {
	Task, Group, Web string
	Seed, Size       int
	Kind             string
	In               forecast.Inputs
	Came             float64 // useful pages among the new finds
	Read             float64 // useful pages that were read, finds or not
}

// nights puts together the nights of a cell.
func (c *Cell) nights() (all []night) {
	for _, budget := range budgets {
		for _, course := range courses {
			all = append(all, c.night(course, budget))
		}
	}
	return all
}

// found is a new find of a night.
type found struct {
	at     int // of the night's pages
	p      float64
	useful bool
}

func (c *Cell) night(course []int, budget int) night {
	n := night{Task: c.Task, Group: c.Group, Web: c.Web, Seed: c.Seed, Size: c.Size}
	n.In = forecast.Inputs{Pages: c.Pages, Useful: c.Targets, Budget: budget, Strategy: followed}
	known := map[uint64]bool{}
	var past []morning
	last := len(course) - 1
	for k, number := range course {
		crawl := c.Crawls[number]
		steps := crawl.Steps[:min(budget, len(crawl.Steps))]
		finds, read := fresh(steps, known)
		if k < last {
			past = append(past, mark(finds, len(steps)))
			n.In.Nights = append(n.In.Nights, forecast.Night{Fetched: len(steps), Ended: len(steps) < budget})
			continue
		}
		n.Read = float64(read)
		for _, f := range finds {
			if f.useful {
				n.Came++
			}
		}
		n.In.Starts, n.In.NewStarts, n.Kind = len(crawl.Starts), len(crawl.Starts), first
		if k > 0 {
			n.Kind = other
			before := c.Crawls[course[k-1]].Starts
			n.In.NewStarts = len(slices.DeleteFunc(slices.Clone(crawl.Starts), func(u uint64) bool { return slices.Contains(before, u) }))
			if n.In.NewStarts == 0 {
				n.Kind = same
			}
		}
	}
	var marks []yield.Marked
	for _, m := range past {
		marks = append(marks, m.marked...)
	}
	tendency := yield.Tell(marks)
	for i, m := range past {
		n.In.Nights[i].Useful, n.In.Nights[i].Late = m.useful+tendency.Expected(m.open), m.late+tendency.Expected(m.lateOpen)
	}
	return n
}

// fresh lists the finds of a crawl that are not known, and makes them known. read counts the useful pages, finds or not.
func fresh(steps []Step, known map[uint64]bool) (finds []found, read int) {
	for i, s := range steps {
		if known[s.URL] {
			continue
		}
		if s.Useful {
			read++
		}
		if s.Find || s.Useful {
			known[s.URL] = true
		}
		if s.Find {
			finds = append(finds, found{i, s.P, s.Useful})
		}
	}
	return finds, read
}

// morning is what is known of a night after the person marked some of its finds.
type morning struct {
	marked         []yield.Marked
	useful, late   float64   // marked Useful; of them, those of the last fifth of the pages
	open, lateOpen []float64 // probabilities of the others
}

// mark has the person mark the finds with the highest probabilities.
func mark(finds []found, pages int) (m morning) {
	finds = slices.Clone(finds)
	slices.SortStableFunc(finds, func(a, b found) int { return cmp.Compare(b.p, a.p) })
	for i, f := range finds {
		late := 5*(f.at+1) > 4*pages
		switch {
		case i >= markedFinds:
			if m.open = append(m.open, f.p); late {
				m.lateOpen = append(m.lateOpen, f.p)
			}
			continue
		case f.useful:
			if m.useful++; late {
				m.late++
			}
		}
		m.marked = append(m.marked, yield.Marked{P: f.p, Useful: f.useful})
	}
	return m
}
