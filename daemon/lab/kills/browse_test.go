package kills

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/store"
)

// topic is what all sessions are about.
const topic = "Tidal power"

// subject are words of pages about the topic, chatter of others.
var (
	subject = strings.Fields("tide turbine estuary barrage current ebb flood lagoon generator blade moon basin sluice marine energy")
	chatter = strings.Fields("weather bus garden school library market dinner football opening hours contact staff parking ticket hall")
	anyWord = strings.Fields("the a new old small great first last next water house people year day city road work place number part")
)

// prose is text that depends on n alone.
func prose(n int, words []string) string {
	var b strings.Builder
	for i := range 60 {
		from := anyWord
		if i%3 == 0 {
			from = words
		}
		b.WriteString(from[(n*31+i*i*7+i*n)%len(from)])
		if b.WriteByte(' '); i%12 == 11 {
			b.WriteString(". ")
		}
	}
	return b.String()
}

// browser is a browser that never dies. It records what it made and what was acknowledged.
type browser struct {
	who client.Identity

	mu    sync.Mutex
	made  []protocol.Event // in order
	acked map[string]bool
	wrong []string // events that were refused
}

func newBrowser() *browser {
	key := make([]byte, protocol.KeySize)
	rand.Read(key) // never fails
	return &browser{acked: map[string]bool{}, who: client.Identity{
		Client: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", Origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", Key: key,
	}}
}

// pair stores the browser in a data folder that no program uses, which is created.
func (b *browser) pair(t *testing.T, data string) {
	t.Helper()
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	withStore(t, data, func(st *store.Store) {
		err := ingest.PairBrowser(t.Context(), st.DB, ingest.Browser{Client: b.who.Client, Name: "a browser", Origin: b.who.Origin, Key: b.who.Key})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// withStore opens the store of a data folder that no program uses.
func withStore(t *testing.T, data string, do func(*store.Store)) {
	t.Helper()
	st, err := store.Open(t.Context(), database(data))
	if err != nil {
		t.Fatal(err)
	}
	do(st)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

func (b *browser) add(events ...protocol.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made = append(b.made, events...)
}

func (b *browser) ack(ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.acked[id] = true
	}
}

func (b *browser) refused(r protocol.Refuse) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, fmt.Sprintf("%+v", r))
}

// waiting are the events that were not acknowledged, in order.
func (b *browser) waiting() []protocol.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []protocol.Event
	for _, e := range b.made {
		if !b.acked[e.ID] {
			all = append(all, e)
		}
	}
	return all
}

// known are the ids of acknowledged events.
func (b *browser) known() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.acked))
}

func (b *browser) connect(l *life) (*client.Client, error) {
	return client.Connect(within(l.t), l.addr, b.who, client.Options{OnAck: b.ack, OnRefuse: b.refused})
}

// browse makes the events of the n-th session: pages that lead from a portal to pages about the topic, a submit at its end.
func browse(n int, browserID, about string) []protocol.Event {
	m := sessiontest.NewMaker(uint64(n)+1, time.Date(2026, 11, 1, 20, n%60, 0, 0, time.UTC).Add(time.Duration(n/60)*time.Hour))
	start := m.Start(about)
	start.Client = browserID
	all := []protocol.Event{start}
	last := ""
	for i := range sessionPages {
		good := i%3 == 2
		words := chatter
		if good {
			words = subject
		}
		v := m.Visit(pageURL(n, i), fmt.Sprintf("Page %d of session %d", i, n), protocol.HowLink, last)
		if i == 0 {
			v.How = protocol.HowTyped
		}
		html := fmt.Sprintf("<title>Page %d of session %d</title><h1>%s</h1><p>%s</p><a href=%q>on to %s</a><a href=%q>back</a>",
			i, n, words[i%len(words)], prose(n*100+i, words), pageURL(n, i+1), words[(i+1)%len(words)], pageURL(n, 0))
		all = append(all, v, m.Snapshot(v.Page, []byte(html)))
		if good {
			all = append(all, m.Of(protocol.Useful, v.Page, ""))
		}
		last = v.Page
	}
	all = append(all, m.Event(protocol.Submit))
	for i := range all {
		all[i].Client = browserID
	}
	return all
}

// sessionPages is the number of pages of a session.
const sessionPages = 12

func pageURL(n, i int) string { return fmt.Sprintf("http://h%d.test/session-%d/page-%d", i%4, n, i) }

// storeEvents stores events in a store as the daemon does, without a daemon.
func storeEvents(t *testing.T, st *store.Store, events []protocol.Event) {
	t.Helper()
	for part := range slices.Chunk(events, 64) {
		var admitted []session.Event
		for _, e := range part {
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			opened, html, err := protocol.Open(text)
			if err != nil {
				t.Fatal(err)
			}
			one, err := session.Admit(opened, html)
			if err != nil {
				t.Fatal(err)
			}
			admitted = append(admitted, one)
		}
		in, err := sessions.Ingest(t.Context(), st, admitted)
		if err != nil || len(in.Acked) != len(part) {
			t.Fatalf("%d of %d events stored, %v, %v", len(in.Acked), len(part), in.Refused, err)
		}
	}
}

// sessionFile writes events as "nightjar export" does.
func sessionFile(t *testing.T, events []protocol.Event) string {
	t.Helper()
	var text []byte
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	name := filepath.Join(t.TempDir(), "one.session.jsonl")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// gone reports whether an error says that the daemon is away.
func gone(err error) bool { return err != nil && !errors.Is(err, client.ErrImpostor) }
