package pages

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/chart"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/web/frame"
)

// shownHeld is how many hosts of a worker are named.
const shownHeld = 4

// workersPart shows the workers, on Crawls and in Settings.
type workersPart struct {
	settings.Workers
	work.Status
	Broker work.BrokerStatus
	On     bool // by the settings or the command line
	Lines  []workerLine
}

// workerLine is a worker in words.
type workerLine struct {
	work.WorkerStatus
	Tag   string   // style of its state
	Says  string   // its state
	Did   []string // outcomes of its pages, most first
	Held  []string // hosts that it has now
	More  int      // hosts beside Held
	Notes []string // what a person may want to know
}

// now are the workers under some settings, for the templates of other wings.
func (p Pages) now(of settings.Workers) *workersPart {
	all := &workersPart{Workers: of, Status: p.Leases.Status(), Broker: p.Broker.Status()}
	all.On = of.Enabled || all.Broker.On
	for _, w := range all.Status.Workers {
		all.Lines = append(all.Lines, lineOf(w))
	}
	return all
}

// Unusual reports whether there are workers, or may be.
func (p *workersPart) Unusual() bool {
	return p.Workers != settings.Default().Workers || p.Broker.On || len(p.Lines) > 0
}

// Connected counts the workers that may get tasks, or would if they were not paused.
func (p *workersPart) Connected() (n int) {
	for _, w := range p.Lines {
		if w.Connected() {
			n++
		}
	}
	return n
}

// Connected reports whether the worker's program talks to this one.
func (w workerLine) Connected() bool {
	return slices.Contains([]work.State{work.StateReady, work.StatePaused, work.StateDraining, work.StateSick}, w.State)
}

// workerStates are the styles and the words of states.
var workerStates = map[work.State][2]string{
	work.StateInvited: {"", "invited, not seen yet"}, work.StateReady: {"live", "connected"}, work.StatePaused: {"warn", "paused"},
	work.StateDraining: {"warn", "draining"}, work.StateSick: {"bad", "sick"}, work.StateRefused: {"bad", "refused"},
	work.StateGone: {"", "not connected"}, work.StateRevoked: {"", "revoked"},
}

func lineOf(w work.WorkerStatus) workerLine {
	l := workerLine{WorkerStatus: w, Says: string(w.State)}
	if words, ok := workerStates[w.State]; ok {
		l.Tag, l.Says = words[0], words[1]
	}
	for _, name := range frame.ByCount(w.Outcomes) {
		l.Did = append(l.Did, progress.OutcomeName(name, 0)+" "+chart.Number(int(w.Outcomes[name])))
	}
	l.Held = w.Hosts[:min(shownHeld, len(w.Hosts))]
	l.More = len(w.Hosts) - len(l.Held)
	note := func(when bool, format string, args ...any) {
		if when {
			l.Notes = append(l.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(w.State == work.StateSick, "It lost tasks of several hosts, so it gets one at a time until one comes back.")
	note(w.Refused != "", "%s", frame.Sentence(w.Refused))
	note(w.Parser != 0 && w.Parser != page.Version && w.Refused == "", "It reads pages by another version than this machine, which reads them again.")
	note(w.Unsent > 0, "It has %s that it could not hand over yet.", chart.Plural(w.Unsent, "result", "results"))
	note(w.Lost > 0, "It lost %s.", chart.Plural(int(w.Lost), "task", "tasks"))
	note(w.Bad > 0, "%s of it did not fit, and were thrown away.", chart.Plural(int(w.Bad), "result", "results"))
	note(w.Differed > 0, "%s", differed(w))
	note(w.Hours != "", "It works only from %s, by its own clock.", strings.Replace(w.Hours, "-", " to ", 1))
	note(w.MaxMbit > 0, "It takes at most %s Mbit/s.", frame.Short(w.MaxMbit))
	return l
}

// differed says how many pages of a worker were not what this machine got.
func differed(w work.WorkerStatus) string {
	return fmt.Sprintf("Of %s that this machine fetched again to compare, %s different.", chart.Plural(int(w.Compared), "page", "pages"),
		chart.Plural(int(w.Differed), "was", "were"))
}

// Rated writes how many pages a second a worker brings.
func (w workerLine) Rated() string {
	if !w.Connected() {
		return "–"
	}
	return strconv.FormatFloat(w.Rate, 'f', 1, 64)
}

// workerNamed is the worker that the address names.
func (s *server) workerNamed(r *http.Request) (w work.WorkerStatus, err error) {
	name := r.PathValue("name")
	for _, w := range s.Leases.Status().Workers {
		if w.Name == name {
			return w, nil
		}
	}
	return w, store.ErrNotFound
}

// handleWorkerDrain has a worker end what it has, and then its program.
func (s *server) handleWorkerDrain(w http.ResponseWriter, r *http.Request) error {
	one, err := s.workerNamed(r)
	if err == nil {
		err = drainable(one)
	}
	if err != nil {
		return err
	}
	drain := func(l Leases, ctx context.Context, name string) error {
		err := l.Drain(ctx, name)
		if err == nil {
			s.Broker.Control(name, work.Control{Do: "drain", Why: "the owner of the daemon asked for it"})
		}
		return err
	}
	return s.handleWorker(drain, "worker-drains")(w, r)
}

// handleWorker gives a worker an order.
func (s *server) handleWorker(order func(Leases, context.Context, string) error, notice string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		one, err := s.workerNamed(r)
		if err != nil {
			return err
		}
		if err := order(s.Leases, r.Context(), one.Name); err != nil {
			return err
		}
		s.tell()
		return frame.Done(w, r, "/crawls", notice+"#workers")
	}
}

// handleWorkerRemove ends a worker's connection for ever, and removes it from the list.
func (s *server) handleWorkerRemove(w http.ResponseWriter, r *http.Request, one work.WorkerStatus) error {
	if one.State != work.StateRevoked {
		if err := s.Broker.Revoke(r.Context(), one.Name); err != nil {
			return err
		}
	}
	if err := s.Leases.Remove(r.Context(), one.Name); err != nil {
		return err
	}
	s.tell()
	return frame.Done(w, r, "/crawls", "worker-removed#workers")
}

// PageCount is the number of pages that the worker brought.
func (w workerLine) PageCount() int { return int(w.Pages) }

// Path is the address under which orders for the worker are taken.
func (w workerLine) Path() string { return "/workers/" + url.PathEscape(w.Name) }

// drainable returns an error for a worker that cannot be drained.
func drainable(w work.WorkerStatus) error {
	if (workerLine{WorkerStatus: w}).Connected() {
		return nil
	}
	return frame.BadInput("the worker is not connected, so it cannot be told anything; it gets no pages anyway")
}

// every is the time between two looks at what workers did.
const every = 2 * time.Second

// Watch tells open pages when something about workers changed, until ctx ends.
func (p Pages) Watch(ctx context.Context) error {
	last := p.seen()
	loop := jobs.Loop{First: every, Step: func(context.Context) (time.Duration, error) {
		if now := p.seen(); now != last {
			last = now
			p.tell()
		}
		return every, nil
	}}
	return loop.Run(ctx)
}

// seen is a text that changes with what pages show of workers, without what changes at every beat.
func (p Pages) seen() string {
	broker := p.Broker.Status()
	if !broker.On {
		return ""
	}
	status := p.Leases.Status()
	var b strings.Builder
	fmt.Fprintln(&b, broker.Address, broker.Answers, broker.Problem, status.Here, status.Waiting, status.Granted, status.Why)
	for _, w := range status.Workers {
		fmt.Fprintln(&b, w.Name, w.State, w.Program, w.Since, w.Pages, w.Unsent, w.Hosts, w.Lost, w.Bad, w.Trouble, w.Refused, w.Compared, w.Differed, w.Hours, w.MaxMbit)
	}
	return b.String()
}
