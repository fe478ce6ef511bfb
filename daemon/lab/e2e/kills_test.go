package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/lab/effort"
)

// killable is a browser whose parts can be killed. Its profile and its extension's data stay.
type killable interface {
	browser
	killWorker() error    // ends the extension's background at once
	reload() error        // reloads the extension
	update() error        // loads a higher version of the extension in its place
	restart(t *testing.T) // ends the browser with SIGKILL and starts it on the same profile
	eye() (tab, error)    // a tab that can ask the extension, behind the others
}

// kinds of kills; each goes on until the extension can record again.
var kills = []struct {
	name string
	do   func(k *killer) error
}{
	{"worker", func(k *killer) error { return k.b.killWorker() }},
	{"daemon", func(k *killer) error { k.d.kill(); k.pause(1500); k.d.revive(); return nil }},
	{"socket", func(k *killer) error { k.relay.cut(); return nil }},
	{"reload", func(k *killer) error { return k.b.reload() }},
	{"update", func(k *killer) error { return k.b.update() }},
	{"browser", func(k *killer) error { k.b.restart(k.t); return nil }},
}

// killer browses, kills at random moments, and keeps a record of what it did.
type killer struct {
	*job
	b     killable
	d     *mortal
	relay *relay
	rng   *rand.Rand
	site  *record
	next  int // number of the next page
	did   []deed
	eye   tab // a tab with a file of the extension, which can ask it; nil when it must be opened
}

// deed is one thing done by mouse or keyboard.
type deed struct {
	page     int
	mark     bool  // it is a mark, otherwise a visit
	reported int64 // the number of its event if the extension had queued it before the kill, otherwise 0
}

// TestKills kills the extension's background, the daemon, the connection and the browser at random moments, and reloads and
// updates the extension. Whatever was reported as queued before must be in the daemon's database, once, and in order.
// NIGHTJAR_KILLS is how often each is done; NIGHTJAR_SEED chooses the moments; NIGHTJAR_RECONNECTS is how often the time is
// measured that a browser takes to find a daemon that is back.
func TestKills(t *testing.T) {
	t.Parallel()
	rounds, seed := number(t, "NIGHTJAR_KILLS", 1), number(t, "NIGHTJAR_SEED", 1)
	t.Run("chromium", func(t *testing.T) { killAll(t, startKillableChromium, rounds, seed) })
	t.Run("firefox", func(t *testing.T) {
		effort.AtNight(t)
		killAll(t, startKillableFirefox, rounds, seed)
	})
}

// number reads a number from the environment.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func killAll(t *testing.T, start func(t *testing.T, webAddr string) killable, rounds, seed int) {
	k := newKiller(t, start, rand.New(rand.NewPCG(uint64(seed), 17)))
	for _, kind := range kills {
		k.round(kind.name, rounds, kind.do)
	}
	k.reconnects(number(t, "NIGHTJAR_RECONNECTS", 1))
}

// newKiller starts everything, connects the browser through the relay, and starts a session. No page of the extension is open
// then: one would keep its background alive.
func newKiller(t *testing.T, start func(t *testing.T, webAddr string) killable, rng *rand.Rand) *killer {
	t.Helper()
	k := newConnected(t, start, rng)
	k.begin()
	k.leave("popup/")
	k.reader.front()
	return k
}

// leave has the tab with a page of the extension show another page.
func (k *killer) leave(page string) {
	k.t.Helper()
	k.tab(k.b.ExtensionPage(page)).address("about:blank")
}

// newConnected is newKiller without the session.
func newConnected(t *testing.T, start func(t *testing.T, webAddr string) killable, rng *rand.Rand) *killer {
	t.Helper()
	web := demoweb.Generate(2)
	site := &record{web: web.Handler(), loads: map[int]int{}}
	addr := site.serve(t)
	d := startMortal(t, addr)
	k := &killer{b: start(t, addr), d: d, relay: startRelay(t, d.addr), rng: rng, site: site}
	seen := *d.daemon
	seen.addr = k.relay.at // what is entered in the options
	k.job = &job{t: t, web: web, d: &seen, b: k.b, topic: web.Topic}
	first := &user{t: t, pictures: newPictures("kills")}
	k.reader = first.open(k.b)
	k.connect()
	k.leave("welcome/")
	k.leave("options/")
	return k
}

// round kills in one way, a number of times, and judges.
func (k *killer) round(name string, times int, kill func(*killer) error) {
	k.t.Helper()
	began, before := time.Now(), len(k.did)
	for i := range times {
		away := name != "daemon" && i%2 == 1 // the events wait in the queue
		k.relay.block(away)
		k.browse(1 + k.rng.IntN(2))
		if name == "socket" {
			k.relay.cutAfter(k.rng.IntN(20_000))
		}
		k.act(k.link(), false)
		if k.rng.IntN(2) == 0 { // in the midst of the deed
			k.pause(40)
		} else {
			k.pause(250)
			k.see(0)
		}
		if err := kill(k); err != nil {
			k.t.Fatalf("%s, round %d: %v", name, i, err)
		}
		k.relay.block(false)
		k.relay.cutAfter(-1)
		k.again(name)
	}
	k.browse(1)
	queued := k.judge(name)
	reported := 0
	for _, d := range k.did[before:] {
		if d.reported > 0 {
			reported++
		}
	}
	k.t.Logf("%-8s %3d times: %3d visits and marks, %3d of them reported as queued; %d events so far; %.0f s",
		name, times, len(k.did)-before, reported, queued, time.Since(began).Seconds())
}

// again makes the tab usable after a kill: after some, it is another one.
func (k *killer) again(name string) {
	k.t.Helper()
	if name == "browser" {
		k.eye = nil
		k.reader.tab = nil
		k.reader.eventually("open a tab", func() (err error) {
			k.reader.tab, err = k.b.NewTab()
			return err
		})
	}
	if name == "reload" || name == "update" {
		k.eye = nil
	}
	k.reader.eventually("see the extension ready to record", func() error {
		if _, err := k.sent(); err != nil {
			return err
		}
		var scripts int
		err := ask(k.eye, `chrome.scripting.getRegisteredContentScripts().then((all) => all.length)`, &scripts)
		if err == nil && scripts == 0 {
			err = errors.New("no content script is registered")
		}
		return err
	})
}

// pause waits for a random time of up to most milliseconds.
func (k *killer) pause(most int) { time.Sleep(time.Duration(k.rng.IntN(most)) * time.Millisecond) }

// browse visits pages and marks some, and waits each time until the extension says that it is queued.
func (k *killer) browse(pages int) {
	k.t.Helper()
	for range pages {
		k.act(k.link(), false)
		k.see(patience)
		if k.rng.IntN(3) == 0 {
			k.act(func() { k.reader.bar("Useful") }, true)
			k.see(patience)
		}
	}
}

// link is a way to the next page: by the link on the page, or by its address.
func (k *killer) link() func() {
	url := (&deed{page: k.next + 1}).url()
	if k.rng.IntN(2) == 0 && strings.HasPrefix(k.reader.url(), "http://"+recordHost) {
		return func() { k.reader.follow(url) }
	}
	return func() { k.reader.address(url) }
}

// act does something and writes it down.
func (k *killer) act(do func(), mark bool) {
	k.t.Helper()
	if !mark {
		k.next++
	}
	k.did = append(k.did, deed{page: k.next, mark: mark})
	do()
}

// see notes whether the extension has queued the last deed; it waits for that at most for a time.
func (k *killer) see(limit time.Duration) {
	k.t.Helper()
	last := &k.did[len(k.did)-1]
	err := poll(limit, func() error {
		events, err := k.sent()
		if err != nil {
			return err
		}
		last.reported = numberOf(events, last)
		if last.reported == 0 {
			return fmt.Errorf("page %d (mark: %t) is not in its queue", last.page, last.mark)
		}
		return nil
	})
	if limit > 0 {
		k.reader.must(err, "see that it is queued")
	}
}

// numberOf is the number of a deed's event among the extension's last events, 0 without one.
func numberOf(events []sentEvent, d *deed) int64 {
	page := ""
	for _, e := range events {
		if e.Event.Type == "visit" && e.Event.URL == d.url() {
			if !d.mark {
				return e.Event.Seq
			}
			page = e.Event.Page
		}
	}
	for _, e := range events {
		if d.mark && e.Event.Type == "useful" && e.Event.Page == page {
			return e.Event.Seq
		}
	}
	return 0
}

// url is the address of a deed's page.
func (d *deed) url() string { return fmt.Sprintf("http://%s/%d", recordHost, d.page) }
