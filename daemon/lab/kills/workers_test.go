package kills

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// shortSpans are those of leases that tests can sit out. A worker that was killed keeps its hosts for the sum of the first three;
// a host whose tasks were lost three times in a row, because the workers that had them were killed, rests for the fourth.
const shortSpans = "lease.start-within=1s,lease.fetch-timeout=2s,lease.slack=1s,lease.host-rest=2s,worker.beat=200ms,worker.back-off=100ms"

// The web of the tests of workers.
const (
	farHosts = 50
	farTakes = 20 * time.Millisecond // most that an answer takes
)

// number is the value of an environment variable, or otherwise the usual one.
func number(variable string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return usual
}

// far is a daemon and its workers, each a process of its own that is started again after a kill.
type far struct {
	t       *testing.T
	where   []string // network namespaces of the daemon and of the workers, nil for that of the test
	web     *web
	data    string
	servers []string // of a cluster, nil for the daemon's own broker
	invited []string // files
	daemon  *life
	hands   []*life
	kills   int
}

// newFar makes a data folder with a crawl of a web, starts the daemon, invites workers and starts them. listen is the broker's address,
// via the one at which workers find it.
func newFar(t *testing.T, w *web, workers int, listen, via string, where ...string) *far {
	t.Helper()
	f := &far{t: t, web: w, where: where}
	f.begin(workers, func(s *settings.Workers) { s.Listen, s.Address = listen, via })
	return f
}

// begin makes the data folder, starts the daemon, invites workers and starts them.
func (f *far) begin(workers int, set func(*settings.Workers)) {
	t := f.t
	t.Helper()
	t.Setenv("NIGHTJAR_SPANS", shortSpans)
	f.data = toCrawl(t, f.web)
	withStore(t, f.data, func(st *store.Store) {
		s, err := st.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.Workers.Enabled, s.Workers.FetchHere = true, false
		set(&s.Workers)
		if err := st.SaveSettings(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	})
	if f.daemon = f.serve(plan{}); !f.daemon.ready() {
		t.Fatalf("the daemon was killed by something else:\n%s", f.daemon.out)
	}
	for i := range workers {
		file := filepath.Join(t.TempDir(), "worker.creds")
		invite := runIn(t, f.place(0), plan{}, "worker", "invite", workerName(i), "--data", f.data, "--out", file)
		invite.end()
		if invite.cmd.ProcessState.ExitCode() != 0 {
			t.Fatalf("no invitation: %s", invite.out)
		}
		if f.servers != nil {
			file = credentials(t)
		}
		f.invited = append(f.invited, file)
		f.hands = append(f.hands, f.work(i))
	}
}

func workerName(i int) string { return fmt.Sprintf("hand-%d", i+1) }

// freeAddr is an address of this machine that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// place is the network namespace of the daemon (0) or of a worker (1, 2, …).
func (f *far) place(i int) string {
	if len(f.where) == 0 {
		return ""
	}
	return f.where[i]
}

func (f *far) serve(p plan) *life {
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--data", f.data}, f.web.flags()...)
	if f.servers != nil {
		args = append(args, "--broker", strings.Join(f.servers, ","))
	}
	return runIn(f.t, f.place(0), p, args...)
}

func (f *far) work(i int) *life {
	args := append([]string{"worker", "--creds", f.invited[i], "--parallel", "8"}, f.web.flags()...)
	if f.servers != nil {
		args = append(args, "--join", strings.Join(f.servers, ","), "--name", workerName(i))
	}
	return runIn(f.t, f.place(i+1), plan{}, args...)
}

// stop ends the daemon in order, once it has begun.
func (f *far) stop() {
	f.t.Helper()
	f.daemon.ready()
	f.daemon.stop()
}

// disturb kills a random process every now and then, and starts it again, until the crawl has ended. It counts the kills.
func (f *far) disturb(random *rand.Rand, wreck func()) {
	f.t.Helper()
	for _, place := range placesOf(leasing) {
		f.daemon.kill()
		f.daemon = f.serve(at(place, 1+random.IntN(3)))
		f.daemon.dies()
		f.daemon = f.serve(plan{})
		f.kills += 2
	}
	for read, end := 0, time.Now().Add(patience); !crawlEnded(f.t, f.data); f.kills++ {
		if now := f.stored(); now > read {
			read, end = now, time.Now().Add(patience)
		}
		if time.Now().After(end) {
			f.t.Fatalf("after %d of %d pages, the crawl does not go on:\n%s", read, f.web.pages, f.daemon.out)
		}
		wreck()
		time.Sleep(500*time.Millisecond + time.Duration(random.IntN(2500))*time.Millisecond)
		if i := random.IntN(len(f.hands) + 1); i < len(f.hands) {
			f.hands[i].kill()
			f.hands[i] = f.work(i)
		} else {
			f.daemon.kill()
			f.daemon = f.serve(plan{})
		}
	}
}

// stored counts the pages that the crawl has stored.
func (f *far) stored() int {
	f.t.Helper()
	db := look(f.t, database(f.data))
	defer db.Close()
	return count(f.t, db, "SELECT count(*) FROM fetches")
}

// check compares what the crawl stored, and what the web saw, with the web.
func (f *far) check() {
	t := f.t
	t.Helper()
	sound(t, database(f.data))
	db := look(t, database(f.data))
	defer db.Close()
	lost := map[string]bool{}
	for _, line := range lines(t, db, "SELECT url FROM fetches WHERE outcome = 'lost'") {
		lost[line] = true
	}
	for _, line := range lines(t, db, "SELECT n, url, outcome, reason, worker FROM fetches WHERE outcome NOT IN ('ok', 'lost') ORDER BY n") {
		t.Error("not read: ", line)
	}
	if len(lost) > 0 {
		t.Logf("given up after three attempts: %v", slices.Sorted(maps.Keys(lost)))
	}
	reached := f.web.reached(lost)
	if len(lost) > f.web.pages/50 || len(reached) < f.web.pages*9/10 {
		t.Errorf("of %d pages %d are lost, and %d can be reached without them", f.web.pages, len(lost), len(reached))
	}
	same(t, "pages read", lines(t, db, "SELECT final_url FROM fetches WHERE outcome = 'ok' ORDER BY 1"), reached)
	if n := count(t, db, "SELECT count(*) FROM (SELECT 1 FROM fetches GROUP BY crawl_id, url HAVING count(*) > 1)"); n > 0 {
		t.Errorf("%d pages are stored twice", n)
	}
	// The daemon reads what ended two workers: a tenth, or a page for each kill, which may end several. A slow machine takes longer,
	// so there are more.
	if n, all := count(t, db, "SELECT count(*) FROM fetches WHERE worker LIKE 'hand-%'"), count(t, db, "SELECT count(*) FROM fetches"); all-n > max((all+9)/10, f.kills) {
		t.Errorf("workers fetched %d of %d pages among %d kills", n, all, f.kills)
	}
	f.web.polite(t, nil)
	f.web.apart(t)
	pages, _ := f.web.asked()
	again := 0
	for _, n := range pages {
		if n > 1 {
			again++
		}
	}
	t.Logf("%d of %d pages were asked for more than once", again, len(pages))
}

// TestWorkers kills the daemon and its workers at random while they crawl. The network between them is slow and cuts connections, but
// with every second seed. In the end, every page was read that an undisturbed crawl reads, once; no host was asked for two pages at once,
// or sooner than its delay allows.
func TestWorkers(t *testing.T) {
	effort.Long(t)
	for seed := range number("NIGHTJAR_SEEDS", 1) {
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			random := rand.New(rand.NewPCG(20, uint64(seed)))
			w := newWeb(t, farHosts, number("NIGHTJAR_PAGES", 150))
			w.takes = farTakes
			listen, wreck := freeAddr(t), func() {}
			via := listen
			if seed%2 == 0 {
				via, wreck = faulty(t, listen, random)
			}
			f := newFar(t, w, 2, listen, via)
			f.disturb(random, wreck)
			f.stop()
			t.Logf("%d kills", f.kills)
			f.check()
		})
	}
}

// faulty puts a proxy before the broker. Each call of wreck gives it another fault.
func faulty(t *testing.T, broker string, random *rand.Rand) (via string, wreck func()) {
	t.Helper()
	const name, fault = "broker", "fault"
	_, api, _ := net.SplitHostPort(freeAddr(t))
	port, err := strconv.Atoi(api)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	toxiproxy, err := startProxies(ctx, root, port, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(toxiproxy.end)
	via = freeAddr(t)
	if err := toxiproxy.add(ctx, name, via, broker); err != nil {
		t.Fatal(err)
	}
	faults := []toxic{
		{Type: "latency", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"latency": 100, "jitter": 80}},
		{Type: "latency", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"latency": 300, "jitter": 200}},
		{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 700}},
		{Type: "reset_peer", Stream: "downstream", Toxicity: 1, Attributes: map[string]any{"timeout": 300}},
		{Type: "limit_data", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"bytes": 200_000}},
	}
	had := false
	return via, func() {
		if had {
			cured(t, toxiproxy, name, fault)
		}
		if had = random.IntN(3) > 0; !had {
			return
		}
		one := faults[random.IntN(len(faults))]
		one.Name = fault
		if err := toxiproxy.poison(ctx, name, one); err != nil {
			t.Error(err)
		}
	}
}

// cured removes a fault. On a busy machine toxiproxy may answer that it takes too long, and go on.
func cured(t *testing.T, toxiproxy *proxies, name, fault string) {
	t.Helper()
	wait(t, "toxiproxy", func() bool {
		err := toxiproxy.cure(context.Background(), name, fault)
		return err == nil || strings.Contains(err.Error(), "404") // it was removed after the answer
	})
}

// apart checks that no host was asked for two pages at the same time.
func (w *web) apart(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.overlapped > 0 {
		t.Errorf("%d requests came while their host answered another one", w.overlapped)
	}
}
