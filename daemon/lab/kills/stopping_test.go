package kills

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
)

// asked waits until the program has ended after it was asked to stop, which must be without an error.
func (l *life) asked() {
	l.t.Helper()
	l.end()
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		l.t.Errorf("asked to stop, the program ended with %v:\n%s", l.cmd.ProcessState, l.out)
	}
}

// emptyLog checks that a program that stopped left nothing in the log of its database.
func emptyLog(t *testing.T, data string) {
	t.Helper()
	if info, err := os.Stat(database(data) + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("%d bytes are left in the log of the database", info.Size())
	}
}

// TestStoppingWhileRecording asks the program to stop (SIGTERM) while events arrive. It ends without an error, and nothing is
// lost.
func TestStoppingWhileRecording(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	inParts(t, kills(), 3, func(t *testing.T, n, part int) {
		r := &recorder{browser: newBrowser(), data: filepath.Join(t.TempDir(), "data"), random: rand.New(rand.NewPCG(11, uint64(part)))}
		r.pair(t, r.data)
		for range n {
			for _, place := range placesOf(recording) {
				l := serve(t, plan{place: place, pass: 1 + r.random.IntN(10), term: true}, r.data)
				if !l.ready() {
					t.Fatal("the program ended too early")
				}
				r.sendUntilGone(l, r.next)
				l.asked()
				emptyLog(t, r.data)
				r.stored(t, r.data)
			}
		}
		r.finish(t)
	})
}

// TestStoppingWhileTraining asks the program to stop while it trains. The next start finishes the training.
func TestStoppingWhileTraining(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	effort.AtNight(t)
	before := learned(t, 2, 1)
	rounds(t, kills(), placesOf(training), func(t *testing.T, place string) {
		data := copyFolder(t, before)
		l := serve(t, plan{place: place, pass: 1, term: true}, data)
		l.asked()
		emptyLog(t, data)
		sound(t, database(data))
		l = mustServe(t, data)
		trained(t, data)
		l.kill()
	})
}

// TestStoppingWhileCrawling asks the program to stop while it crawls. What was fetched is stored, and no page is asked for
// again but those whose answers took longer than a stop may.
func TestStoppingWhileCrawling(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	effort.AtNight(t)
	inParts(t, kills(), 3, func(t *testing.T, n, part int) {
		random := rand.New(rand.NewPCG(12, uint64(part)))
		w := newWeb(t, 40, 40+n*len(crawlPlaces)*12)
		data, cut := toCrawl(t, w), map[string]bool{}
		for range n {
			for _, place := range crawlPlaces {
				if place == atRandom || place == "archive.file-begun" || crawlEnded(t, data) {
					continue
				}
				serve(t, plan{place: place, pass: 1 + random.IntN(8), term: true}, data, w.flags()...).asked()
				emptyLog(t, data)
				sound(t, database(data))
				for _, url := range underWay(t, data) {
					cut[url] = true
				}
			}
		}
		crawled(t, data, w)
		checkCrawl(t, data, w, cut)
		w.polite(t, cut)
	})
}

// TestKilledWhileStopping ends the program while it closes its database.
func TestKilledWhileStopping(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	rounds(t, kills(), placesOf(stopping), func(t *testing.T, place string) {
		r := &recorder{browser: newBrowser(), data: filepath.Join(t.TempDir(), "data"), random: rand.New(rand.NewPCG(13, 1))}
		r.pair(t, r.data)
		l := serve(t, at(place, 1), r.data)
		if !l.ready() {
			t.Fatal("the program ended too early")
		}
		time.AfterFunc(300*time.Millisecond, func() { _ = l.cmd.Process.Signal(syscall.SIGTERM) }) // it may be gone
		r.sendUntilGone(l, r.next)
		l.dies()
		r.stored(t, r.data)
		r.finish(t)
	})
}

// TestTimeToStop reports how long the program takes from SIGTERM to its end, at any time of recording. It fails only when that is
// beyond all patience, since it depends on the machine.
func TestTimeToStop(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	r := &recorder{browser: newBrowser(), data: filepath.Join(t.TempDir(), "data"), random: rand.New(rand.NewPCG(14, 1))}
	r.pair(t, r.data)
	longest := time.Duration(0)
	for range kills() {
		l := mustServe(t, r.data)
		took := make(chan time.Duration, 1)
		time.AfterFunc(time.Duration(r.random.IntN(500))*time.Millisecond, func() { took <- l.stop() })
		r.sendUntilGone(l, r.next)
		longest = max(longest, <-took)
		r.stored(t, r.data)
	}
	t.Logf("%d times, the longest took %v", kills(), longest.Round(time.Millisecond))
}
