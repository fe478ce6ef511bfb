package leases

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/texts"
	"nightjar/crawler/work"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/doctor"
)

// Limits beyond which something about workers is worth a note.
const (
	certificateSoon = 14 * 24 * time.Hour // before its end
	clockOff        = 2 * time.Second     // between two machines
	manyQueued      = 256                 // results
	someDiffer      = 3                   // pages that were compared
	oneInDiffers    = 5                   // of them
)

// Check says how the workers on other machines are, and the broker between them and the daemon.
func Check(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "workers", Name: "Workers", State: doctor.Good, Page: "/settings#workers"}
	set, err := e.Store.Settings(ctx)
	if err != nil {
		return doctor.Failed(c, err)
	}
	w := e.Workers
	switch on := set.Workers.Enabled || w != nil && w.Broker.On; {
	case !on:
		c.Says = "Off: only this machine fetches pages."
		return c
	case e.Running == nil || e.Running.Mute || w == nil:
		c.State, c.Says = doctor.Unknown, "Switched on. Only a running daemon can tell how they are."
		return c
	case w.Broker.Problem != "":
		c.State, c.Says = doctor.Broken, "No worker can connect: "+doctor.Printable(w.Broker.Problem)+"."
		if w.Broker.Answers {
			c.Says = "Workers can connect, but " + doctor.Printable(w.Broker.Problem) + "."
		}
		if w.Here {
			c.Says += " Meanwhile this machine fetches, so crawls go on."
		} else {
			c.Says += " Until then, crawls stand still."
		}
		c.Fix = "Mend that, or change the settings of workers."
		return c
	}
	c.Says = sayConnected(e, &c) + " " + sayBroker(ctx, e, &c)
	for _, one := range w.Workers {
		sayWorker(e, &c, one)
	}
	sayResults(e, &c)
	return c
}

// sayConnected counts the workers.
func sayConnected(e *doctor.Examiner, c *doctor.Check) string {
	n, all := 0, 0
	for _, one := range e.Workers.Workers {
		switch one.State {
		case work.StateReady, work.StatePaused, work.StateDraining, work.StateSick:
			n++
			all++
		case work.StateInvited, work.StateRefused, work.StateGone:
			all++
		}
	}
	switch {
	case all == 0:
		c.Mind("Invite one: " + terminal.On(e.Data, "worker invite NAME") + ", or on the page of the settings.")
		return "Switched on, and no worker is invited."
	case n == 0 && e.Workers.Here:
		c.Mind("Start one on the other machine: nightjar worker FILE.")
		return "No worker is connected, so this machine fetches."
	case n == 0:
		c.Mind("Start one on the other machine: nightjar worker FILE. Or let this machine fetch meanwhile, in the settings.")
		return "No worker is connected, so crawls wait for one."
	}
	return fmt.Sprintf("%d of %s connected.", n, texts.Plural(all, "worker"))
}

// sayBroker checks the broker, its port and its certificate.
func sayBroker(ctx context.Context, e *doctor.Examiner, c *doctor.Check) string {
	b := e.Workers.Broker
	if !b.Answers {
		c.Break("Start Nightjar again. If that does not help, look at its log.")
		if b.External {
			c.Fix = "See whether the cluster runs, and whether the credentials of this machine are still good."
		}
	}
	if b.External {
		if !b.Answers {
			return "The cluster " + doctor.Printable(b.Address) + " does not answer."
		}
		return "The cluster " + doctor.Printable(b.Address) + " answers."
	}
	says := "The broker listens on " + doctor.Printable(b.Address) + "."
	if !b.Answers || !answers(ctx, b.Address) {
		says = "The broker does not answer on " + doctor.Printable(b.Address) + "."
		c.Break("Start Nightjar again. If that does not help, look at its log.")
	}
	switch left := b.Ends.Sub(e.Now); {
	case b.Ends.IsZero():
	case left <= 0:
		c.Break("Put a new certificate into its folder, or leave the folder empty in the settings: Nightjar then makes one.")
		says += " Its certificate ended " + e.When(b.Ends) + ", so no worker connects."
	case left < certificateSoon:
		c.Mind("Put a new certificate into its folder. One that Nightjar made is renewed when Nightjar starts.")
		says += " Its certificate ends " + e.When(b.Ends) + "."
	default:
		c.More = append(c.More, "The certificate ends "+e.When(b.Ends)+".")
	}
	return says
}

// answers reports whether something listens on the address of the broker.
func answers(ctx context.Context, listen string) bool {
	at, err := netip.ParseAddrPort(listen)
	if err != nil {
		return true // not an address that can be tried
	}
	hosts := []netip.Addr{at.Addr()}
	if at.Addr().IsUnspecified() {
		hosts = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	dial := net.Dialer{Timeout: time.Second}
	for _, host := range hosts {
		if conn, err := dial.DialContext(ctx, "tcp", netip.AddrPortFrom(host, at.Port()).String()); err == nil {
			_ = conn.Close() // nothing was sent
			return true
		}
	}
	return false
}

// sayWorker says what is to be said of one worker.
func sayWorker(e *doctor.Examiner, c *doctor.Check, w work.WorkerStatus) {
	name := doctor.Printable(w.Name)
	say := func(format string, args ...any) { c.More = append(c.More, name+": "+fmt.Sprintf(format, args...)) }
	switch w.State {
	case work.StateSick:
		c.Mind("See its last error on the page of the crawls. Drain or remove a worker that keeps failing.")
		say("sick: it lost tasks of several hosts, so it gets one at a time.")
	case work.StateRefused:
		c.Mind("Update the side that the worker's line names.")
		say("refused: %s.", doctor.Printable(w.Refused))
	case work.StateGone:
		if !w.Seen.IsZero() {
			say("not connected, last seen %s.", e.When(w.Seen))
		}
	}
	if w.Program != "" && w.Program != e.Version && w.State != work.StateRevoked {
		say("version %s, not %s as here.", doctor.Printable(w.Program), doctor.Printable(e.Version))
	}
	if w.Parser != 0 && w.Parser != page.Version && w.State != work.StateRefused {
		say("it reads pages by another version, so this machine reads them again.")
	}
	if off := w.Ahead.Round(time.Second); off.Abs() >= clockOff {
		way := "ahead of"
		if off < 0 {
			way = "behind"
		}
		say("its clock is %s %s this one, which does no harm.", off.Abs(), way)
	}
	if w.Trouble != "" {
		say("last error: %s.", doctor.Printable(w.Trouble))
	}
	if w.Lost > 0 {
		say("it lost %s.", texts.Plural(int(w.Lost), "task"))
	}
	if w.Bad > 0 {
		say("%s could not be read or did not fit.", texts.Plural(int(w.Bad), "result"))
	}
	if w.Differed > 0 {
		say("of %s that this machine fetched again, %d differed.", texts.Plural(int(w.Compared), "page"), w.Differed)
		if w.Differed >= someDiffer && w.Differed*oneInDiffers >= w.Compared {
			c.Mind("Pages differ by time and place. If you do not trust that machine, remove the worker: its finds name it.")
		}
	}
}

// sayResults says what became of results besides being used.
func sayResults(e *doctor.Examiner, c *doctor.Check) {
	w := e.Workers
	var parts []string
	for _, p := range []struct {
		n    int64
		says string
	}{{w.Duplicates, "came twice and changed nothing"}, {w.Unknown, "belonged to no task"}} {
		if p.n > 0 {
			parts = append(parts, strconv.FormatInt(p.n, 10)+" "+p.says)
		}
	}
	if len(parts) > 0 {
		c.More = append(c.More, "Results: "+strings.Join(parts, ", ")+".")
	}
	if w.Lost > 0 {
		c.More = append(c.More, texts.Plural(int(w.Lost), "page")+" came from no worker after three attempts.")
	}
	if w.Broker.Queued > manyQueued {
		c.Mind("Nothing, if it goes down again: results are stored as fast as the disk allows.")
		c.More = append(c.More, fmt.Sprintf("%d results wait to be stored, so no new pages are given out.", w.Broker.Queued))
	}
	if w.Broker.Logins > 0 {
		c.More = append(c.More, texts.Plural(int(w.Broker.Logins), "connection")+" without a good invitation refused since the start.")
	}
}
