package simulate

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"nightjar/daemon/app"
)

// Addresses in the network.
const (
	daemonAddr = "127.0.0.1:4774"
	webAddr    = "127.77.0.1:80"
)

// life is one run of the daemon. It ends in order, or dies.
type life struct {
	w      *world
	number int
	app    *app.App
	data   string
	stop   context.CancelFunc
	over   chan error
	board  *dashboard // nil before the person needs it

	dead   atomic.Bool
	died   chan struct{} // closed when it dies
	rest   string        // what its death left of the data folder
	lost   error         // that could not be copied
	mu     sync.Mutex
	deadIn int        // places until it dies, 0 for never
	torn   *rand.Rand // what it wrote last is torn, nil for whole
	said   []string   // warnings and errors in its log
}

// places reports whether the program was built with its named places (see package failpoint). Without them, the ends of commits are all.
var places bool

// living is the life that comes to places.
var living atomic.Pointer[life]

// begin opens the daemon on the data folder and lets it run.
func (w *world) begin() {
	w.lives++
	l := &life{w: w, number: w.lives, data: w.data, over: make(chan error, 1), died: make(chan struct{})}
	w.life = l
	living.Store(l)
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	var err error
	l.app, err = app.Open(ctx, app.Config{
		Data: l.data, Listen: daemonAddr, Resolve: []string{"*.test=" + webAddr}, AsRoot: true, Workers: w.workers,
		Network: app.Network{Listen: w.net.listen, Dial: l.dial},
	}, slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		stop()
		w.life = nil
		w.fail("start", "the daemon does not start: %v", err)
	}
	go func() { l.over <- l.app.Run(ctx) }()
	if l.app.Damage != nil {
		w.fail("damaged", "a sound database is called damaged: %v", l.said)
	}
	wrote := l.app.Store.Wrote
	l.app.Store.Wrote = func(err error) {
		if err == nil && !places {
			l.passes(committed)
		}
		wrote(err)
	}
	w.judgeStart()
}

// dial reaches the web while the daemon lives and there is a network.
func (l *life) dial(ctx context.Context, network, address string) (net.Conn, error) {
	switch {
	case l.dead.Load():
		return nil, syscall.ECONNREFUSED
	case l.w.net.down.Load():
		return nil, syscall.ENETUNREACH
	}
	return l.w.net.dial(ctx, network, address)
}

// Write takes a line of the log.
func (l *life) Write(line []byte) (int, error) {
	if !l.dead.Load() {
		l.mu.Lock()
		l.said = append(l.said, strings.TrimSpace(string(line)))
		l.mu.Unlock()
	}
	return len(line), nil
}

// committed is the place behind a commit of which nobody has heard yet.
const committed = "store.write.after-commit"

// passes is called at each place. Others go on before it does, so that what is told too soon is heard.
func (l *life) passes(name string) {
	runtime.Gosched()
	l.mu.Lock()
	last, torn := l.deadIn == 1, l.torn
	l.deadIn = max(0, l.deadIn-1)
	l.mu.Unlock()
	if last {
		l.die(torn, name == committed)
	}
}

// dieIn lets the daemon die at the n-th place from now, by a power cut when torn is not nil.
func (l *life) dieIn(n int, torn *rand.Rand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deadIn, l.torn = n, torn
}

// die ends the daemon as a kill does, or a power cut when torn is not nil: from now on nobody hears of it, and what it does to its folder
// does not count. The last commit may be torn, too, while it is unheard of.
func (l *life) die(torn *rand.Rand, unheard bool) {
	if l.dead.Swap(true) {
		return
	}
	l.w.net.cut() // first: nothing is acknowledged that the copy may lack
	l.rest = filepath.Join(l.w.dir, fmt.Sprintf("data-%d", l.number+1))
	l.lost = copyOf(l.data, l.rest)
	if torn != nil {
		l.lost = errors.Join(l.lost, tear(filepath.Join(l.rest, "nightjar.db-wal"), torn, unheard))
	}
	l.w.web.ends(l.number, true)
	close(l.died)
}

// end stops the daemon in order, or buries it. The next one goes on with what it left.
func (w *world) end() {
	l := w.life
	if l == nil {
		return
	}
	w.life = nil
	l.stop()
	err := errors.Join(<-l.over, l.app.Close())
	w.judgeLog(l)
	if !l.dead.Load() {
		w.web.ends(l.number, false)
		if err != nil {
			w.fail("stop", "the daemon ends with an error: %v", err)
		}
		return
	}
	w.check(errors.Join(l.lost, os.RemoveAll(l.data)))
	w.data = l.rest
}

// copyOf copies a data folder as it was at one moment, though the process that uses it goes on: a log that begins anew while the copy is
// made has lost what the copy of the database lacks.
func copyOf(from, to string) error {
	for {
		before := logHeader(from)
		if err := errors.Join(os.RemoveAll(to), copyFolder(from, to)); err != nil {
			return err
		}
		if bytes.Equal(logHeader(from), before) {
			return nil
		}
	}
}

// logHeader is the header of the database's write-ahead log, which is another one when the log begins anew; nil without one.
func logHeader(data string) []byte {
	f, err := os.Open(filepath.Join(data, "nightjar.db-wal"))
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 32)
	n, _ := io.ReadFull(f, head) // an empty log has none
	return head[:n]
}

// copyFolder copies a data folder without what belongs to the process that uses it.
func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil || e.Name() == "lock" || strings.HasSuffix(path, "-shm") {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o700)
		}
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file that is gone
		}
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rest), text, 0o600)
	})
}

// tear makes of a write-ahead log ([FILEFORMAT] §4.1) what a power cut leaves of it: of all that was written since the last commit that
// waited for the disk, blocks are missing at random, and often the end. Such a commit writes its last frame twice. It may be torn itself while
// it is the last one and nobody has heard of it.
func tear(path string, random *rand.Rand, unheard bool) error {
	const header, frameHeader, block = 32, 24, 4096
	log, err := os.ReadFile(path)
	if err != nil || len(log) < header {
		return err
	}
	frame := frameHeader + int(binary.BigEndian.Uint32(log[8:]))
	synced, end := header, header      // of the last commit before the last one that waited, and of the last one
	waited, last := false, []byte(nil) // of the last one
	for at := header; at+frame <= len(log) && bytes.Equal(log[at+8:at+16], log[16:24]); at += frame {
		f := log[at : at+frame]
		switch {
		case binary.BigEndian.Uint32(f[4:]) == 0:
			continue
		case last != nil && bytes.Equal(f[:8], last[:8]) && bytes.Equal(f[frameHeader:], last[frameHeader:]):
			waited = true
		default:
			if waited {
				synced = end
			}
			waited, last = false, f
		}
		end = at + frame
	}
	if waited && !unheard {
		synced = end
	}
	for at := (synced/block + 1) * block; at < len(log); at += block {
		if random.IntN(3) == 0 {
			clear(log[at:min(at+block, len(log))])
		}
	}
	if random.IntN(2) == 0 {
		log = log[:synced+random.IntN(len(log)-synced+1)]
	}
	return os.WriteFile(path, log, 0o600)
}

// sleep lets time pass, at most until the daemon dies. It reports whether the daemon lives.
func (w *world) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return !w.life.dead.Load()
	case <-w.life.died:
		return false
	}
}
