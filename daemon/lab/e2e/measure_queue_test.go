//go:build measure

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The full queue: pages, each a visit and a snapshot, in calls of some pages. Together they are more than 256 MB.
const (
	queuedPages  = 6000
	pagesPerCall = 200
)

// fillQueue queues pages as the background does, in a transaction each, and gives the milliseconds that each took.
const fillQueue = `(async () => {
	const { Queue } = await import(chrome.runtime.getURL("background/queue.js"));
	const { uuid7, packHTML, toBase64 } = await import(chrome.runtime.getURL("shared/protocol.js"));
	const queue = globalThis.queue ??= new Queue();
	const { session } = JSON.parse(await queue.memory());
	const { client } = await chrome.storage.local.get("client");
	globalThis.packed ??= await packHTML("<p>" + toBase64(crypto.getRandomValues(new Uint8Array(34_000))));
	const times = [];
	for (let i = 0; i < PAGES; i++) {
		const page = uuid7();
		const common = { v: 1, client, session: session.id, tab: 1, frame: 0, at: new Date().toISOString(), page };
		const visit = { ...common, id: uuid7(), type: "visit", url: "http://record.test/f" + page, title: "A page", how: "link" };
		const snapshot = { ...common, id: uuid7(), type: "snapshot", html: globalThis.packed.html };
		const began = performance.now();
		await queue.add([visit, snapshot]);
		times.push(performance.now() - began);
	}
	times.sort((a, b) => a - b);
	const { queued, dropped } = await queue.status();
	return { median: times[PAGES / 2], p95: times[Math.floor(PAGES * 0.95)], most: times.at(-1), queued, dropped };
})()`

// openQueue opens the database in a browser that has just started.
const openQueue = `(async () => {
	const { Queue } = await import(chrome.runtime.getURL("background/queue.js"));
	const began = performance.now();
	const queue = new Queue();
	const { queued, dropped } = await queue.status();
	const opened = performance.now() - began;
	await queue.after(0, 16, 4 << 20);
	return { opened, read: performance.now() - began - opened, queued, dropped };
})()`

// TestMeasureQueue fills the queue beyond its limit while the daemon is away, kills the browser, and lets the queue drain.
func TestMeasureQueue(t *testing.T) {
	t.Run("chromium", func(t *testing.T) { measureQueue(t, startKillableChromium, "chromium") })
	t.Run("firefox", func(t *testing.T) { measureQueue(t, startKillableFirefox, "WebExtensions") })
}

func measureQueue(t *testing.T, start func(t *testing.T, webAddr string) killable, process string) {
	k := newKiller(t, start, rand.New(rand.NewPCG(1, 1)))
	k.relay.block(true)
	eye, err := k.b.eye()
	if err != nil {
		t.Fatal(err)
	}
	var fill struct {
		Median, P95, Most float64
		Queued, Dropped   int
	}
	for done := 0; done < queuedPages; done += pagesPerCall {
		err := poll(patience, func() error {
			return ask(eye, strings.ReplaceAll(fillQueue, "PAGES", strconv.Itoa(pagesPerCall)), &fill)
		})
		if err != nil {
			t.Fatal(err)
		}
		if done%1000 == 0 || done == queuedPages-pagesPerCall {
			t.Logf("%5d pages: add takes %.1f ms (95 %%: %.1f ms, most: %.1f ms); %d events wait, %d snapshots dropped",
				done+pagesPerCall, fill.Median, fill.P95, fill.Most, fill.Queued, fill.Dropped)
		}
	}
	k.b.restart(t)
	if eye, err = k.b.eye(); err != nil {
		t.Fatal(err)
	}
	var opened struct {
		Opened, Read    float64
		Queued, Dropped int
	}
	err = poll(patience, func() error {
		err := ask(eye, openQueue, &opened)
		if err != nil {
			_ = eye.Address(k.b.ExtensionPage("shared/ui.css")) // the extension may not have been there yet
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("after the kill: opened in %.0f ms, the first 4 MB read in %.0f ms; %d events wait", opened.Opened, opened.Read, opened.Queued)
	rest := residents(process)
	k.relay.block(false)
	began := time.Now()
	want := strconv.Itoa(k.d.number("SELECT count(*) FROM events") + opened.Queued)
	most := 0
	for k.d.text("SELECT count(*) FROM events") != want {
		if time.Since(began) > 10*time.Minute {
			t.Fatalf("%s events of %s", k.d.text("SELECT count(*) FROM events"), want)
		}
		most = max(most, residents(process))
		time.Sleep(200 * time.Millisecond)
	}
	t.Logf("all %s events are stored after %.0f s; the process of the extension had %d MB before and at most %d MB", want,
		time.Since(began).Seconds(), rest, most)
}

// TestMeasureWake ends the background while the daemon is away, and measures how long it takes, while nobody does anything,
// until the browser has started it again and it has found the daemon.
func TestMeasureWake(t *testing.T) {
	for _, b := range []struct {
		name  string
		start func(t *testing.T, webAddr string) killable
	}{{"chromium", startKillableChromium}, {"firefox", startKillableFirefox}} {
		t.Run(b.name, func(t *testing.T) {
			k := newKiller(t, b.start, rand.New(rand.NewPCG(1, 1)))
			var took []time.Duration
			for range number(t, "NIGHTJAR_WAKES", 10) {
				seen := k.d.text("SELECT max(seen_at) FROM browsers")
				k.pause(20_000)
				k.relay.block(true)
				if err := k.b.killWorker(); err != nil {
					t.Fatal(err)
				}
				k.relay.block(false)
				began := time.Now()
				k.d.changes("the browser is connected again", seen, "SELECT max(seen_at) FROM browsers")
				took = append(took, time.Since(began).Round(time.Millisecond))
			}
			slices.Sort(took)
			t.Logf("median %v of %v", took[len(took)/2], took)
		})
	}
}

// TestMeasureRest measures how soon a connected browser without a session ends the background, which has nothing to do then.
func TestMeasureRest(t *testing.T) {
	k := newConnected(t, startKillableChromium, rand.New(rand.NewPCG(1, 1)))
	began := time.Now()
	c := k.b.(*killableChromium)
	for {
		var all struct{ TargetInfos []struct{ Type, URL string } }
		if err := c.call("", "Target.getTargets", nil, &all); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(all.TargetInfos, func(i struct{ Type, URL string }) bool {
			return i.Type == "service_worker" && strings.HasPrefix(i.URL, c.ExtensionPage(""))
		}) {
			break
		}
		if time.Since(began) > 3*time.Minute {
			t.Fatal("the background still runs")
		}
		time.Sleep(time.Second)
	}
	t.Logf("the background ended after %.0f s", time.Since(began).Seconds())
}

// residents is the memory in MB of the largest process of the extension.
func residents(name string) (most int) {
	all, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range all {
		command, err := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		status, err2 := os.ReadFile(file)
		if err != nil || err2 != nil || !(strings.Contains(string(command), "--extension-process") || strings.Contains(string(status), "Name:\tWebExtensions")) {
			continue
		}
		if name == "WebExtensions" != strings.Contains(string(status), "Name:\tWebExtensions") {
			continue
		}
		_, after, _ := strings.Cut(string(status), "VmRSS:")
		var kilobytes int
		if _, err := fmt.Sscan(after, &kilobytes); err == nil {
			most = max(most, kilobytes/1024)
		}
	}
	return most
}
