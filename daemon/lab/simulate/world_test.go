package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/store/settings"
)

// options say what to live through.
type options struct {
	seed    uint64
	nights  int
	without []string // faults and acts of the person that are left out
}

// world is a person's world: a daemon, a browser and a web.
type world struct {
	options
	log       func(format string, args ...any)
	dir, data string
	net       *network
	web       *web
	browser   *browser
	life      *life // nil while the daemon is off
	lives     int
	workers   int
	night     int
	random    *rand.Rand // of the night
	starts    []string
	opens     time.Time
	window    time.Duration // for which nights are open
	anew      bool          // there is nothing yet
	deaths    int
	visited   map[string]bool // addresses that sessions have
	found     int             // finds of the last morning
	poor      int             // mornings in a row without new ones
}

// broken is what a judge says.
type broken struct {
	judge, says string
	night       int
}

func (b broken) Error() string { return fmt.Sprintf("night %d: %s: %s", b.night, b.judge, b.says) }

// fail ends the simulation, from the goroutine that runs it.
func (w *world) fail(judge, format string, args ...any) {
	panic(broken{judge, fmt.Sprintf(format, args...), w.night})
}

// trace writes what the web saw in the present night.
func (w *world) trace() {
	for _, r := range w.web.requests {
		if r.night == w.night {
			p, _ := w.web.find(r.host, r.path, r.night)
			w.log("%v life %d %s %v (kind %d): %d in %v, cut %v", r.at.Sub(w.opens).Round(time.Millisecond), r.life, r.url(), p, w.web.kind(p.host), r.status, r.done.Sub(r.at), r.cut)
		}
	}
}

// check fails for an error of the simulation itself.
func (w *world) check(err error) {
	if err != nil {
		w.fail("simulation", "%v", err)
	}
}

// live lives through the nights of a seed in a bubble. It returns what a judge says first, or nil.
func (o options) live(t *testing.T) (wrong *broken) {
	t.Helper()
	t.Run(o.String(), func(t *testing.T) {
		dir := t.TempDir()
		synctest.Test(t, func(*testing.T) { wrong = o.inBubble(dir, t.Logf) })
	})
	return wrong
}

// evening is when the evening of the day before the first begins. Windows open at whole minutes.
var evening = time.Date(2026, time.December, 1, 19, 59, 40, 0, time.UTC)

func (o options) inBubble(dir string, log func(string, ...any)) (wrong *broken) {
	random := rand.New(rand.NewPCG(o.seed, 0))
	w := &world{options: o, log: log, dir: dir, data: filepath.Join(dir, "data-1"), net: newNetwork(), anew: true, window: time.Minute, workers: []int{1, 4, 8}[random.IntN(3)]}
	w.web = &web{seed: o.seed, hosts: 5 + random.IntN(5), base: 5 + random.IntN(3), times: map[string]int{}}
	w.browser, w.visited = newBrowser(w.net, random), map[string]bool{}
	l, err := w.net.listen("tcp", webAddr)
	w.check(err)
	server := &http.Server{Handler: w.web.serve(func() int { return w.lives })}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // until Close
	}()
	defer func() {
		said := recover()
		if b, ok := said.(broken); ok {
			wrong = &b
			w.trace()
		} else if said != nil {
			panic(said)
		}
		if l := w.life; l != nil {
			l.dead.Store(true) // its last words do not count
			l.stop()
			<-l.over
			_ = l.app.Close() // the simulation has failed
		}
		_ = server.Close() // a pipe
		<-served
	}()
	for w.night = 1; w.night <= o.nights; w.night++ {
		time.Sleep(time.Until(evening.Add(time.Duration(w.night) * 24 * time.Hour)))
		w.random = rand.New(rand.NewPCG(o.seed, uint64(w.night)))
		w.day(w.draw())
	}
	return nil
}

// Faults and acts that options.without may leave out.
const (
	deaths   = "deaths"
	stops    = "stops"
	torn     = "torn"
	losses   = "losses"
	outages  = "outages"
	sessions = "sessions"
	marks    = "marks"
	erasing  = "erasing"
	backups  = "backups"
)

var mayLeaveOut = []string{backups, erasing, torn, deaths, stops, losses, outages, sessions, marks}

// death is how a life ends in a night.
type death struct {
	after  time.Duration
	places int  // it dies at this place instead, unless 0
	torn   bool // by a power cut
	stop   bool // it is stopped instead
	away   time.Duration
}

// plan is what happens on a day.
type plan struct {
	session  bool
	losses   int
	outage   time.Duration // from the opening of the window on, how long the computer has no network; 0 for always having one
	recorded *death        // while the session is sent
	deaths   []death
	marks    int
	erase    int    // host that is erased in the morning, 0 for none
	early    bool   // it is erased while the night's crawl runs instead
	all      bool   // everything is erased, and the person begins anew
	examine  bool   // the person asks the doctor
	backup   bool   // the person makes a backup, and restores the last one
	dies     *death // while the person acts
	last     *death // at the end of the day; nil for a stop
}

// draw draws a day. What is left out is drawn nevertheless, so that the rest stays as it is.
func (w *world) draw() plan {
	r := w.random
	out := func(name string) bool { return slices.Contains(w.without, name) }
	one := func() death {
		d := death{after: time.Duration(r.Int64N(int64(90 * time.Second))), torn: r.IntN(2) == 0 && !out(torn), stop: r.IntN(4) == 0, away: time.Duration(r.Int64N(int64(20 * time.Second)))}
		if r.IntN(2) == 0 {
			d.away /= 20
		}
		if r.IntN(3) > 0 {
			d.places = 1 + r.IntN(60)
			if places { // of which there are more than commits
				d.places *= 4
			}
		}
		return d
	}
	p := plan{session: r.IntN(3) == 0, losses: r.IntN(3), marks: r.IntN(6)}
	if d := one(); r.IntN(2) == 0 {
		p.recorded = &d
	}
	for range r.IntN(3) {
		p.deaths = append(p.deaths, one())
	}
	if d := one(); r.IntN(3) == 0 {
		p.last = &d
	}
	p.all = r.IntN(12) == 0
	if d := one(); r.IntN(3) == 0 || p.all {
		d.stop = d.stop && !p.all
		p.dies = &d
	}
	if r.IntN(3) == 0 {
		p.erase = 1 + r.IntN(w.web.hosts-1)
	}
	p.early, p.backup, p.examine = r.IntN(2) == 0, r.IntN(5) == 0, r.IntN(3) == 0
	if after := time.Duration(r.Int64N(int64(40 * time.Second))); r.IntN(6) == 0 && !out(outages) {
		p.outage = after
	}
	p.session = p.session && !out(sessions)
	if out(erasing) {
		p.erase, p.all = 0, false
	}
	p.backup = p.backup && !out(backups)
	if out(losses) {
		p.losses = 0
	}
	if out(marks) {
		p.marks = 0
	}
	kept := func(d *death) bool { return !(d.stop && out(stops) || !d.stop && out(deaths)) }
	p.deaths = slices.DeleteFunc(p.deaths, func(d death) bool { return !kept(&d) })
	for _, d := range []**death{&p.recorded, &p.dies, &p.last} {
		if *d != nil && !kept(*d) {
			*d = nil
		}
	}
	return p
}

// erases reports whether the person erases a host or everything.
func (p plan) erases() bool { return p.all || p.erase > 0 }

// quiet is how long evenings are.
const quiet = 20 * time.Second

// day is a day of the person: an evening, a night and a morning.
func (w *world) day(p plan) {
	w.opens = time.Now().Add(quiet)
	w.web.mu.Lock()
	w.web.night = w.night
	w.web.mu.Unlock()
	w.begin()
	if w.anew || p.session {
		w.record(p)
	}
	if w.anew {
		w.settle()
	}
	w.ask("/search?q=tide")
	w.rest(w.opens)
	w.net.down.Store(p.outage > 0)
	time.AfterFunc(p.outage, func() { w.net.down.Store(false) })
	if p.early && p.erases() {
		w.rest(w.opens.Add(20 * time.Second))
		w.erases(p)
	}
	for _, d := range p.deaths {
		w.until(d, w.opens.Add(w.window))
	}
	w.rest(w.opens.Add(w.window))
	w.rest(time.Now().Add(10 * time.Second))
	w.judgeNight()
	w.morning(p)
	w.log("night %d: %d lives of the daemon, %d requests, %d events acknowledged, %d finds", w.night, w.lives, len(w.web.requests), len(w.browser.acked), w.found)
	if p.last != nil {
		w.life.die(w.tears(*p.last), false)
	}
	w.end()
}

// record lets the person record a session and send it.
func (w *world) record(p plan) {
	w.do("pair", func() error { return ingest.PairBrowser(context.Background(), w.life.app.Store.DB, w.browser.paired()) })
	hosts := w.random.Perm(w.web.hosts)[:3]
	if w.anew {
		hosts = []int{0, 1, 2}
	}
	w.browser.record(w.web, w.random, hosts, w.night)
	for _, e := range w.browser.waiting() {
		w.visited[e.URL] = true
	}
	if d := p.recorded; d != nil && !d.stop && d.places > 0 {
		w.arm(*d)
	}
	w.do("send", func() error { return w.browser.send(context.Background(), daemonAddr, p.losses) })
	if len(w.browser.wrong) > 0 {
		w.fail("refused", "%s", w.browser.wrong[0])
	}
}

// settle waits for the model, chooses start pages and lets nights run.
func (w *world) settle() {
	ctx := context.Background()
	w.do("settle", func() error {
		for w.count("SELECT count(*) FROM models") == 0 {
			if !w.sleep(time.Second) {
				return context.Canceled
			}
			if time.Now().After(w.opens.Add(w.window / 2)) {
				w.fail("trained", "there is no model")
			}
		}
		w.starts = nil
		st := w.life.app.Store
		about, err := topics.ByName(ctx, st.DB, topic)
		if err != nil {
			return err
		}
		for h := range w.web.hosts {
			if h%2 == 0 {
				url, err := startpages.Add(ctx, st.DB, about.ID, page{h, 0}.url(w.web))
				if err != nil {
					return err
				}
				w.starts = append(w.starts, url)
			}
		}
		s := settings.Default()
		s.OnMains, s.Unmetered, s.Delay = false, false, delay.Seconds()
		w.window = time.Duration(1+w.random.IntN(3)) * time.Minute
		s.Night = settings.Window{Enabled: true, Start: w.opens.Format("15:04"), End: w.opens.Add(w.window).Format("15:04"), Zone: "UTC"}
		s.Budget.Pages = 15 + w.random.IntN(30)
		return st.SaveSettings(ctx, s)
	})
	w.anew = false
}

// do does something until it is done. A daemon that dies over it is started again, and it is done again: what a dead daemon stores does
// not count.
func (w *world) do(what string, f func() error) {
	for range 10 {
		err := f()
		dead := w.life.dead.Load()
		if dead {
			w.again(time.Duration(w.random.Int64N(int64(20 * time.Second))))
			continue
		}
		if err == nil {
			return
		}
		w.judgeRunning()
		w.fail(what, "%v", err)
	}
	w.fail(what, "it is never done")
}

// again starts the daemon again after its death or a stop.
func (w *world) again(away time.Duration) {
	w.end()
	time.Sleep(away)
	w.begin()
}

// rest lets time pass until a moment, whatever happens to the daemon.
func (w *world) rest(until time.Time) {
	for time.Now().Before(until) {
		if !w.sleep(time.Until(until)) {
			w.again(time.Second)
		}
	}
}

// arm prepares a death at a place.
func (w *world) arm(d death) { w.life.dieIn(d.places, w.tears(d)) }

// tears is what decides how a power cut tears, nil for a kill.
func (w *world) tears(d death) *rand.Rand {
	if w.deaths++; !d.torn {
		return nil
	}
	return rand.New(rand.NewPCG(w.seed, uint64(w.night*100+w.deaths)))
}

// until lets time pass until a life has ended as drawn, at most until a moment.
func (w *world) until(d death, most time.Time) {
	wait := time.Until(most)
	if d.places > 0 && !d.stop {
		w.arm(d)
	} else {
		wait = min(wait, d.after)
	}
	if wait <= 0 {
		return
	}
	if w.sleep(wait) {
		if d.places > 0 && !d.stop {
			return // there were fewer places
		}
		if !d.stop {
			w.life.die(w.tears(d), false)
		}
	}
	w.again(d.away)
}
