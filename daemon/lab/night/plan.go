package night

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"nightjar/daemon/lab/toxics"
)

// event is a part of the plan.
type event struct {
	At   time.Duration // after the window opened
	What string        // one of the constants below
	Host string        // of a toxic
	For  time.Duration // how long it lasts, or how far the clock is set back
	Tox  toxics.Toxic
}

// Kinds of events.
const (
	kill     = "SIGKILL"
	asleep   = "sleep"      // the process is stopped, and the clock is later when it continues
	setBack  = "clock back" // the clock is set back
	offline  = "network off"
	battery  = "on battery"
	person   = "paused by the person"
	poisoned = "toxic"
)

// Words describes the event in one line.
func (e event) Words() string {
	switch e.What {
	case poisoned:
		return fmt.Sprintf("%s of %s for %s", e.Tox.Type, e.Host, minutes(e.For))
	case kill:
		return "the process is killed (SIGKILL)"
	case setBack:
		return "the clock is set back by " + minutes(e.For)
	case asleep:
		return "the machine sleeps for " + minutes(e.For)
	}
	return e.What + " for " + minutes(e.For)
}

func minutes(d time.Duration) string { return fmt.Sprintf("%.0f min", d.Minutes()) }

// plan makes the events of a night: kills at random times, toxics throughout, and one each of the other kinds. The same seed
// makes the same plan.
func plan(seed uint64, length time.Duration, kills int, hosts []string) []event {
	rng := rand.New(rand.NewPCG(seed, 5))
	part := func(share float64) time.Duration { return time.Duration(share * float64(length)).Round(time.Second) }
	all := []event{
		{At: part(.20), What: person, For: part(.04)},
		{At: part(.32), What: offline, For: part(.08)},
		{At: part(.48), What: asleep, For: part(.10)},
		{At: part(.66), What: battery, For: part(.05)},
		{At: part(.78), What: setBack, For: part(.04)},
	}
	for range kills {
		all = append(all, event{At: part(.02 + .95*rng.Float64()), What: kill})
	}
	for range 60 {
		host := hosts[rng.IntN(len(hosts))]
		all = append(all, event{At: part(.9 * rng.Float64()), What: poisoned, Host: host, For: part(.02 + .06*rng.Float64()), Tox: faults[rng.IntN(len(faults))]})
	}
	slices.SortStableFunc(all, func(a, b event) int { return int(a.At - b.At) })
	return all
}

// faults are those of single hosts. Times are in ms of the machine's clock.
var faults = []toxics.Toxic{
	{Type: "latency", Attributes: map[string]any{"latency": 800, "jitter": 400}},
	{Type: "bandwidth", Attributes: map[string]any{"rate": 4}}, // kB/s
	{Type: "slow_close", Attributes: map[string]any{"delay": 2000}},
	{Type: "timeout", Attributes: map[string]any{"timeout": 0}}, // no response
	{Type: "reset_peer", Attributes: map[string]any{"timeout": 20}},
	{Type: "slicer", Attributes: map[string]any{"average_size": 64, "size_variation": 32, "delay": 200}}, // µs
	{Type: "limit_data", Attributes: map[string]any{"bytes": 2000}},
}
