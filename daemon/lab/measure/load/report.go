package load

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"nightjar/daemon/lab/devtool"
)

// result is what was measured.
type result struct {
	Stored, Rate, Burst int
	Minutes             float64
	Sent, Acked         int
	Lost                int // sent, and not in the database once
	Refused             []string
	Reconnects          int // connections that ended in between
	Acks                []ackTimes
	BurstSeconds        float64    // until all events of the burst were acknowledged
	FloodRate           float64    // events of the flood that were acknowledged in a second
	FloodSent           float64    // seconds in which the daemon took all of them
	Peak                float64    // MiB
	Spent               float64    // seconds of the daemon's processor time in a minute of the steady load
	Crawled             int        // pages
	Pages               []ackTimes // requests of pages of the dashboard
	Samples             []sample
	Slopes              slopes
	Load                [2]float64 // of the machine, before and after
}

// ackTimes says how long acknowledgements took, in milliseconds.
type ackTimes struct {
	What               string
	N                  int
	P50, P95, P99, Max float64
}

// slopes are changes in a minute over the second half of the samples, by least squares.
type slopes struct{ RSS, Live, Goroutines, Descriptors, WAL float64 }

// timesOf sorts times and picks their percentiles.
func timesOf(what string, all []time.Duration) ackTimes {
	t := ackTimes{What: what, N: len(all)}
	if len(all) == 0 {
		return t
	}
	slices.Sort(all)
	at := func(percent int) float64 { return devtool.Milliseconds(all[(len(all)*percent+99)/100-1]) }
	t.P50, t.P95, t.P99, t.Max = at(50), at(95), at(99), at(100)
	return t
}

// result puts the figures together.
func (l *lab) result(lost int) *result {
	r := &result{Stored: l.o.Stored, Rate: l.o.Rate, Burst: l.o.Burst, Minutes: l.o.Minutes, Lost: lost, Peak: l.peak, Spent: l.spent / l.o.Minutes, Samples: l.samples,
		Crawled: l.crawledAfterwards - l.crawled, Load: [2]float64{l.loadBefore, l.loadAfter}, Slopes: slopesOf(l.samples[len(l.samples)/2:])}
	for _, b := range l.browsers() {
		r.Sent, r.Acked = r.Sent+len(b.sent), r.Acked+len(b.acked)
		r.Reconnects += b.lost
		r.Refused = append(r.Refused, b.refused...)
	}
	after := l.burst
	if l.o.Burst > 0 {
		var last time.Duration
		for _, d := range l.steady.times(l.burst, l.burst.Add(time.Second)) {
			last = max(last, d)
		}
		r.BurstSeconds = last.Seconds()
		after = l.burst.Add(max(last, time.Second))
	}
	calm := append(l.steady.times(l.began, l.burst), l.steady.times(after, l.ended)...)
	r.Acks = []ackTimes{
		timesOf("steady browser, without the burst", calm),
		timesOf("steady browser, before the burst", l.steady.times(l.began, l.burst)), // after it, the limit of a browser holds
		timesOf("steady browser, all", l.steady.times(l.began, l.ended)),
		timesOf("second browser, before the flood", l.second.times(l.began, l.ended)),
	}
	if l.o.Flood > 0 {
		r.Acks = append(r.Acks, timesOf("second browser, during the flood", l.second.times(l.floodBegan, l.quiet)),
			timesOf("flooding browser", l.flooder.times(l.floodBegan, l.quiet)))
		r.FloodRate = float64(l.o.Flood) / l.quiet.Sub(l.floodBegan).Seconds()
		r.FloodSent = l.flooded.Sub(l.floodBegan).Seconds()
	}
	for _, page := range slices.Sorted(maps.Keys(l.reader.took)) {
		r.Pages = append(r.Pages, timesOf(page, l.reader.took[page]))
	}
	return r
}

// slopesOf fits a line through each figure of the samples.
func slopesOf(all []sample) slopes {
	of := func(value func(sample) float64) float64 {
		var n, sx, sy, sxx, sxy float64
		for _, s := range all {
			x, y := s.Second/60, value(s)
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
		if d := n*sxx - sx*sx; d > 0 {
			return (n*sxy - sx*sy) / d
		}
		return 0
	}
	return slopes{of(func(s sample) float64 { return s.RSS }), of(func(s sample) float64 { return s.Live }), of(func(s sample) float64 { return float64(s.Goroutines) }),
		of(func(s sample) float64 { return float64(s.Descriptors) }), of(func(s sample) float64 { return s.WAL })}
}

func (r *result) heading() string {
	heading := fmt.Sprintf("%d stored events; %d events a second for %.1f minutes, %d at once in the middle. Load of the machine: %.1f before, %.1f after.\n",
		r.Stored, r.Rate, r.Minutes, r.Burst, r.Load[0], r.Load[1])
	heading += fmt.Sprintf("Sent %d events, acknowledged %d, refused %d, lost %d; %d connections ended in between.\n", r.Sent, r.Acked, len(r.Refused), r.Lost, r.Reconnects)
	heading += fmt.Sprintf("The burst was acknowledged within %.2f s. The flood was taken in %.1f s and acknowledged at %.0f events a second.\n", r.BurstSeconds, r.FloodSent, r.FloodRate)
	heading += fmt.Sprintf("Peak memory %.0f MiB; %d pages crawled meanwhile.\n", r.Peak, r.Crawled)
	heading += fmt.Sprintf("The daemon spent %.1f s of processor time in a minute of the steady load.\n", r.Spent)
	heading += fmt.Sprintf("Change in a minute, second half of the run: memory %+.1f MiB, of it in use %+.1f MiB, goroutines %+.1f, descriptors %+.1f, write-ahead log %+.1f MiB.\n",
		r.Slopes.RSS, r.Slopes.Live, r.Slopes.Goroutines, r.Slopes.Descriptors, r.Slopes.WAL)
	return heading
}

func (r *result) tables() []devtool.Table {
	return []devtool.Table{timesTable("Acknowledgements, ms", r.Acks), timesTable("Pages of the dashboard, ms", r.Pages), r.course()}
}

func timesTable(title string, all []ackTimes) devtool.Table {
	t := devtool.Table{Title: title, Rows: [][]string{{"", "n", "p50", "p95", "p99", "max"}}}
	for _, a := range all {
		t.Add(a.What, a.N, fmt.Sprintf("%.1f", a.P50), fmt.Sprintf("%.1f", a.P95), fmt.Sprintf("%.1f", a.P99), fmt.Sprintf("%.1f", a.Max))
	}
	return t
}

// course lists a sample of each minute, and the last one.
func (r *result) course() devtool.Table {
	t := devtool.Table{Title: "The process over time", Rows: [][]string{{"second", "memory MiB", "in use MiB", "goroutines", "descriptors", "write-ahead log MiB"}}}
	next := 0.0
	for i, s := range r.Samples {
		if s.Second < next && i < len(r.Samples)-1 {
			continue
		}
		next += 60
		t.Add(fmt.Sprintf("%.0f", s.Second), fmt.Sprintf("%.0f", s.RSS), fmt.Sprintf("%.0f", s.Live), s.Goroutines, s.Descriptors, fmt.Sprintf("%.1f", s.WAL))
	}
	return t
}
