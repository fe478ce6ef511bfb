package doctor_test

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/daemon/app"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/store/settings"
)

// workersOf makes the check of workers.
func workersOf(t *testing.T, o doctor.Options) doctor.Check {
	t.Helper()
	o.Limit = -1
	for _, c := range doctor.Examine(t.Context(), o, app.Checks).Checks {
		if c.ID == "workers" {
			return c
		}
	}
	t.Fatal("there is no check of workers")
	return doctor.Check{}
}

func TestWorkersOff(t *testing.T) {
	o := well(t)
	if c := workersOf(t, o); c.State != doctor.Good || !strings.HasPrefix(c.Says, "Off:") {
		t.Errorf("off: %+v", c)
	}
	mustSet(t, o, func(s *settings.Settings) { s.Workers.Enabled = true })
	if c := workersOf(t, o); c.State != doctor.Unknown {
		t.Errorf("a daemon that does not tell: %+v", c)
	}
	o.Running = nil
	if c := workersOf(t, o); c.State != doctor.Unknown {
		t.Errorf("no daemon: %+v", c)
	}
}

func TestWorkers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // the test is over
	o := well(t)
	mustSet(t, o, func(s *settings.Settings) { s.Workers.Enabled = true })
	ready := work.WorkerStatus{Name: "attic", State: work.StateReady, Program: "1", Parser: page.Version}
	for name, c := range map[string]struct {
		change func(*doctor.Workers)
		state  doctor.State
		says   []string // in Says, More or Fix
		silent string   // nowhere
	}{
		"well":      {func(*doctor.Workers) {}, doctor.Good, []string{"1 of 1 worker connected. The broker listens on 127.0.0.1:", "The certificate ends on"}, "clock"},
		"a bit off": {func(w *doctor.Workers) { w.Workers[0].Ahead = 900 * time.Millisecond }, doctor.Good, nil, "clock"},
		"clock":     {func(w *doctor.Workers) { w.Workers[0].Ahead = -90 * time.Second }, doctor.Good, []string{"attic: its clock is 1m30s behind this one, which does no harm."}, ""},
		"none":      {func(w *doctor.Workers) { w.Workers = nil }, doctor.Note, []string{"no worker is invited", "nightjar worker invite NAME"}, ""},
		"gone":      {func(w *doctor.Workers) { w.Workers[0].State, w.Here, w.Workers[0].Seen = work.StateGone, true, noon }, doctor.Note, []string{"so this machine fetches", "last seen today at 12:00"}, ""},
		"waiting":   {func(w *doctor.Workers) { w.Workers[0].State = work.StateGone }, doctor.Note, []string{"so crawls wait"}, ""},
		"revoked":   {func(w *doctor.Workers) { w.Workers[0].State = work.StateRevoked }, doctor.Note, []string{"no worker is invited"}, ""},
		"sick":      {func(w *doctor.Workers) { w.Workers[0].State, w.Workers[0].Trouble = work.StateSick, "no\nroute" }, doctor.Note, []string{"attic: sick", "attic: last error: no route."}, ""},
		"refused": {func(w *doctor.Workers) {
			w.Workers[0].State, w.Workers[0].Refused = work.StateRefused, "update the worker"
		}, doctor.Note, []string{"attic: refused: update the worker."}, ""},
		"version":    {func(w *doctor.Workers) { w.Workers[0].Program = "0.9" }, doctor.Good, []string{"attic: version 0.9, not 1 as here."}, ""},
		"parser":     {func(w *doctor.Workers) { w.Workers[0].Parser = page.Version + 1 }, doctor.Good, []string{"this machine reads them again"}, ""},
		"counts":     {func(w *doctor.Workers) { w.Duplicates, w.Unknown, w.Lost, w.Broker.Logins = 3, 1, 2, 5 }, doctor.Good, []string{"Results: 3 came twice and changed nothing, 1 belonged to no task.", "2 pages came from no worker", "5 connections without a good invitation"}, ""},
		"of worker":  {func(w *doctor.Workers) { w.Workers[0].Lost, w.Workers[0].Bad = 1, 2 }, doctor.Good, []string{"attic: it lost 1 task.", "attic: 2 results could not be read"}, ""},
		"few differ": {func(w *doctor.Workers) { w.Workers[0].Compared, w.Workers[0].Differed = 40, 3 }, doctor.Good, []string{"of 40 pages that this machine fetched again, 3 differed"}, ""},
		"differ":     {func(w *doctor.Workers) { w.Workers[0].Compared, w.Workers[0].Differed = 15, 3 }, doctor.Note, []string{"remove the worker"}, ""},
		"queue":      {func(w *doctor.Workers) { w.Broker.Queued = 300 }, doctor.Note, []string{"300 results wait"}, ""},
		"problem":    {func(w *doctor.Workers) { w.Broker.Problem, w.Broker.Answers = "the port is taken", false }, doctor.Broken, []string{"No worker can connect: the port is taken. Until then, crawls stand still."}, "connected"},
		"here":       {func(w *doctor.Workers) { w.Broker.Problem, w.Broker.Answers, w.Here = "the port is taken", false, true }, doctor.Broken, []string{"taken. Meanwhile this machine fetches, so crawls go on."}, "still"},
		"results":    {func(w *doctor.Workers) { w.Broker.Problem = "results do not come in" }, doctor.Broken, []string{"Workers can connect, but results do not come in."}, "No worker"},
		"deaf":       {func(w *doctor.Workers) { w.Broker.Answers = false }, doctor.Broken, []string{"does not answer on"}, ""},
		"no port":    {func(w *doctor.Workers) { w.Broker.Address = "127.0.0.1:1" }, doctor.Broken, []string{"does not answer on 127.0.0.1:1"}, ""},
		"cluster":    {func(w *doctor.Workers) { w.Broker.External, w.Broker.Address = true, "nats://a,b" }, doctor.Good, []string{"The cluster nats://a,b answers."}, "certificate"},
		"cluster?":   {func(w *doctor.Workers) { w.Broker.External, w.Broker.Answers = true, false }, doctor.Broken, []string{"does not answer", "whether the cluster runs"}, ""},
		"cert soon":  {func(w *doctor.Workers) { w.Broker.Ends = noon.Add(13 * 24 * time.Hour) }, doctor.Note, []string{"Its certificate ends on"}, ""},
		"cert over":  {func(w *doctor.Workers) { w.Broker.Ends = noon.Add(-time.Hour) }, doctor.Broken, []string{"certificate ended today at 11:00"}, ""},
		"by flags":   {func(w *doctor.Workers) { mustSet(t, o, func(s *settings.Settings) { s.Workers.Enabled = false }) }, doctor.Good, []string{"1 of 1 worker connected"}, ""},
		"hostile":    {func(w *doctor.Workers) { w.Workers[0].Name, w.Workers[0].Lost = "\x1b[31mx\n", 1 }, doctor.Good, []string{"[31mx: it lost 1 task."}, "\x1b"},
	} {
		one := ready
		o.Workers = &doctor.Workers{Status: work.Status{Workers: []work.WorkerStatus{one}}, Broker: work.BrokerStatus{On: true, Answers: true, Address: listener.Addr().String(), Ends: noon.AddDate(1, 0, 0)}}
		mustSet(t, o, func(s *settings.Settings) { s.Workers.Enabled = true })
		c.change(o.Workers)
		got := workersOf(t, o)
		all := strings.Join(slices.Concat([]string{got.Says, got.Fix}, got.More), "\n")
		for _, s := range c.says {
			if !strings.Contains(all, s) {
				t.Errorf("%s lacks %q:\n%s", name, s, all)
			}
		}
		if got.State != c.state || c.silent != "" && strings.Contains(all, c.silent) || (got.State != doctor.Good) != (got.Fix != "") {
			t.Errorf("%s: %s, want %s:\n%s", name, got.State, c.state, all)
		}
	}
}
