package ingest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/lab/client"
	"nightjar/daemon/notify"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session/sessiontest"
	"nightjar/daemon/store"
)

// childEnv makes the test binary run as a daemon instead of running tests. Its value is the path of the database.
const childEnv = "NIGHTJAR_TEST_DAEMON"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		fmt.Fprintln(os.Stderr, runDaemon(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// runDaemon serves the socket from a real store until the process is killed.
func runDaemon(path string) error {
	st, err := store.Open(context.Background(), path)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := New(st, &notify.Bus{}, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	fmt.Println(l.Addr())
	return http.Serve(l, server)
}

// startChild runs the test binary as a daemon and returns its address.
func startChild(t *testing.T, path string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the daemon does not start: %v", err)
	}
	return cmd, strings.TrimSpace(addr)
}

// queue is a browser's record of its events: which it made, and which were acknowledged.
type queue struct {
	mu    sync.Mutex
	made  map[string]protocol.Event
	order []string // ids of events that are not acknowledged, in order
	acked map[string]bool
}

func (q *queue) add(events ...protocol.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range events {
		q.made[e.ID] = e
		q.order = append(q.order, e.ID)
	}
}

func (q *queue) ack(ids []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range ids {
		q.acked[id] = true
	}
	keep := q.order[:0]
	for _, id := range q.order {
		if !q.acked[id] {
			keep = append(keep, id)
		}
	}
	q.order = keep
}

// count returns the number of acknowledged events.
func (q *queue) count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.acked)
}

// waiting returns the events to send again on a new connection, in order.
func (q *queue) waiting() []protocol.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]protocol.Event, len(q.order))
	for i, id := range q.order {
		out[i] = q.made[id]
	}
	return out
}

// browse returns the events of one more page.
func browse(m *sessiontest.Maker, n int) []protocol.Event {
	v := m.Visit(fmt.Sprintf("http://ice.test/%d", n%50), fmt.Sprintf("page %d", n), protocol.HowLink, "")
	html := fmt.Sprintf("<title>page %d</title><p>text of page %d <a href=/%d>next</a>", n, n%50, (n+1)%50)
	return []protocol.Event{v, m.Snapshot(v.Page, []byte(html)), m.Of(protocol.Useful, v.Page, "")}
}

// TestKilledDaemonLosesNothing kills the daemon 20 times at random moments while a browser sends events as fast as it
// can. No acknowledged event may be lost, and none may be stored twice.
func TestKilledDaemonLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills processes")
	}
	const kills = 20
	path := filepath.Join(t.TempDir(), "nightjar.db")
	who := client.Identity{Client: browserUUID, Origin: chromeOrigin, Key: nonce()}
	prepareStore(t, path, who)
	q := &queue{made: map[string]protocol.Event{}, acked: map[string]bool{}}
	m := maker(1, browserUUID)
	q.add(m.Start("Hockey"))
	rng := rand.New(rand.NewPCG(1, 2))
	pages := 0
	for range kills {
		cmd, addr := startChild(t, path)
		after := time.Duration(20+rng.IntN(280)) * time.Millisecond
		before := q.count()
		pages = sendUntilGone(t, q, m, who, addr, pages, func() {
			time.AfterFunc(after, func() {
				for range 20_000 { // let a slow daemon acknowledge something first
					if q.count() > before {
						break
					}
					time.Sleep(time.Millisecond)
				}
				_ = cmd.Process.Kill()
			})
		})
		_ = cmd.Wait() // returns an error, since the process was killed
	}
	atKills := len(q.acked)
	cmd, addr := startChild(t, path)
	c, err := client.Connect(within(t, 10*time.Second), addr, who, client.Options{OnAck: q.ack})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(within(t, 60*time.Second), q.waiting()...); err != nil {
		t.Fatal(err)
	}
	c.Close()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	t.Logf("%d pages, %d events, %d of them acked before the last start", pages, len(q.made), atKills)
	if atKills < kills {
		t.Errorf("only %d events were acknowledged between the kills; want at least one each", atKills)
	}
	checkStored(t, path, q)
}

func prepareStore(t *testing.T, path string, who client.Identity) {
	t.Helper()
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.PairBrowser(t.Context(), store.Browser{Client: who.Client, Name: "x", Origin: who.Origin, Key: who.Key}); err != nil {
		t.Fatal(err)
	}
}

// sendUntilGone connects and calls connected, which arranges the daemon's end. It sends the waiting events and then new
// pages until the daemon is gone, and returns the number of pages so far.
func sendUntilGone(t *testing.T, q *queue, m *sessiontest.Maker, who client.Identity, addr string, pages int, connected func()) int {
	t.Helper()
	c, err := client.Connect(within(t, 10*time.Second), addr, who, client.Options{OnAck: q.ack, OnRefuse: func(r protocol.Refuse) { t.Errorf("refused %+v", r) }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	connected()
	next := q.waiting()
	for {
		for _, e := range next {
			if c.Post(t.Context(), e) != nil {
				return pages
			}
		}
		for len(q.waiting()) > 200 { // do not get too far ahead of the daemon
			select {
			case <-c.Done():
				return pages
			case <-time.After(time.Millisecond):
			}
		}
		next = browse(m, pages)
		q.add(next...)
		pages++
	}
}

// checkStored compares the database with the browser's record.
func checkStored(t *testing.T, path string, q *queue) {
	t.Helper()
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	sessions, err := st.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("sessions %v, %v", sessions, err)
	}
	stored, err := st.SessionEvents(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	for _, e := range stored {
		ids[e.ID]++
		if made := q.made[e.ID]; string(made.HTML) != string(e.HTML) && e.Type != protocol.Snapshot || made.Page != e.Page || made.URL != e.URL || made.Seq != e.Seq {
			t.Errorf("event %s differs from the one that was sent", e.ID)
		}
	}
	for id := range q.acked {
		if ids[id] != 1 {
			t.Errorf("acked event %s is stored %d times", id, ids[id])
		}
	}
	if len(ids) != len(stored) || len(ids) != len(q.made) {
		t.Errorf("%d events stored under %d ids, %d were made", len(stored), len(ids), len(q.made))
	}
	if !maps.Equal(q.acked, allTrue(q.made)) {
		t.Errorf("%d events acked of %d", len(q.acked), len(q.made))
	}
	if s := sessions[0]; s.Pages != min(50, len(q.made)/3) || s.Useful != s.Pages {
		t.Errorf("%d pages, %d useful", s.Pages, s.Useful)
	}
	if err := st.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func allTrue(made map[string]protocol.Event) map[string]bool {
	all := map[string]bool{}
	for id := range made {
		all[id] = true
	}
	return all
}
