package simulate

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/cli/demo/client"
)

// topic is what all sessions are about.
const topic = "Tidal power"

// browser is a browser that never dies. It keeps what it made until that was acknowledged, and a list of its own of what was.
type browser struct {
	net *network
	who client.Identity

	mu    sync.Mutex
	queue []protocol.Event // in order
	acked map[string]protocol.Event
	freed map[string]bool // those that are erased, or are being
	wrong []string        // events that were refused
}

func newBrowser(n *network, random *rand.Rand) *browser {
	key := make([]byte, protocol.KeySize)
	for i := range key {
		key[i] = byte(random.Uint32())
	}
	id := hex.EncodeToString(key[:16])
	uuid := id[:8] + "-" + id[8:12] + "-4" + id[13:16] + "-8" + id[17:20] + "-" + id[20:]
	return &browser{net: n, acked: map[string]protocol.Event{}, freed: map[string]bool{}, who: client.Identity{Client: uuid, Origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", Key: key}}
}

// paired is the browser as the store knows it.
func (b *browser) paired() ingest.Browser {
	return ingest.Browser{Client: b.who.Client, Name: "a browser", Origin: b.who.Origin, Key: b.who.Key}
}

// record makes the events of a session: from the front pages of some hosts to their pages, those about the topic marked.
func (b *browser) record(v *web, random *rand.Rand, hosts []int, night int) {
	m := sessiontest.NewMaker(random.Uint64(), time.Now())
	all := []protocol.Event{m.Start(topic)}
	last, how := "", protocol.HowTyped
	for _, h := range hosts {
		for n := range min(5, v.born(h, night)) {
			p := page{h, n}
			visit := m.Visit(p.url(v), v.title(p), how, last)
			all = append(all, visit, m.Snapshot(visit.Page, []byte(v.html(p, night))))
			if p.useful() {
				all = append(all, m.Of(protocol.Useful, visit.Page, ""))
			}
			last, how = visit.Page, protocol.HowLink
		}
	}
	all = append(all, m.Event(protocol.Submit))
	for i := range all {
		all[i].Client = b.who.Client
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, all...)
}

// send sends what waits until all is acknowledged, ctx ends or the daemon is gone. Some connections are lost on the way.
func (b *browser) send(ctx context.Context, addr string, losses int) error {
	for {
		err := b.connect(ctx, addr, losses > 0)
		if losses--; err != nil && ctx.Err() == nil && losses >= 0 {
			continue
		}
		return err
	}
}

func (b *browser) connect(ctx context.Context, addr string, lose bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var wire net.Conn
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (_ net.Conn, err error) {
		wire, err = b.net.dial(ctx, network, addr)
		return wire, err
	}}
	defer transport.CloseIdleConnections()
	c, err := client.Connect(ctx, addr, b.who, client.Options{OnAck: b.ack, OnRefuse: b.refused, HTTP: &http.Client{Transport: transport}})
	if err != nil {
		return err
	}
	waiting := b.waiting()
	if lose { // what the daemon stored and did not acknowledge comes again
		for _, e := range waiting[:len(waiting)/2] {
			if err := c.Post(ctx, e); err != nil {
				break
			}
		}
		_ = wire.Close() // a pipe
		<-c.Done()
		return fmt.Errorf("the connection was lost")
	}
	err = c.Send(ctx, waiting...)
	c.Close()
	return err
}

func (b *browser) ack(ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = slices.DeleteFunc(b.queue, func(e protocol.Event) bool {
		done := slices.Contains(ids, e.ID)
		if done {
			b.acked[e.ID] = e
		}
		return done
	})
}

func (b *browser) refused(r protocol.Refuse) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, fmt.Sprintf("%s: %s", r.Code, r.Message))
}

func (b *browser) waiting() []protocol.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.queue)
}
