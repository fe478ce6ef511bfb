// Package client is the extension's side of the daemon's socket, in Go: it pairs, proves its key, sends events and receives
// acknowledgements. The demo and tests use it. Start with Pair and Connect.
//
// Like the extension, it sends no events before the daemon has proved that it holds the key.
package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
)

// ErrImpostor is returned when the server at the address does not hold the key, so is not the paired daemon.
var ErrImpostor = errors.New("this is not the Nightjar that was paired")

// Refused is the error when the daemon refuses a connection or an event.
type Refused struct {
	Code    protocol.Code
	Message string
}

func (r *Refused) Error() string { return "refused: " + r.Message }

// Identity identifies a browser to the daemon.
type Identity struct {
	Client string // UUID
	Origin string // chrome-extension://… or moz-extension://…
	Key    []byte // from the pairing
}

// Options are callbacks for messages of the daemon. Each may be nil; they are called one at a time. A client may connect in its own way.
type Options struct {
	OnAck    func(ids []string)
	OnRefuse func(protocol.Refuse)

	HTTP *http.Client // that connects; nil for the usual one
}

// Client is an authenticated connection.
type Client struct {
	ws      *socket.Conn
	options Options
	cancel  context.CancelFunc
	done    chan struct{} // closed when the connection has ended
	links   chan string   // dashboard links

	mu      sync.Mutex
	waiting map[string]chan *Refused // by event id
	state   protocol.State
	changed chan struct{} // closed when state changes
	err     error         // why the connection ended
}

// Connect connects to the daemon at addr (host:port); both sides prove that they hold the key.
func Connect(ctx context.Context, addr string, who Identity, o Options) (*Client, error) {
	ws, err := socket.Dial(ctx, o.HTTP, addr, who.Origin)
	if err != nil {
		return nil, err
	}
	if err := prove(ctx, ws, who); err != nil {
		ws.Drop()
		return nil, err
	}
	reading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &Client{ws: ws, options: o, cancel: cancel, done: make(chan struct{}), links: make(chan string, 1),
		waiting: map[string]chan *Refused{}, changed: make(chan struct{})}
	go c.read(reading)
	go c.ping(reading)
	return c, nil
}

// prove is the client's side of the handshake.
func prove(ctx context.Context, ws *socket.Conn, who Identity) error {
	nonce := make([]byte, protocol.KeySize)
	rand.Read(nonce) // never fails
	err := ws.Send(ctx, protocol.Hello{Type: protocol.TypeHello, V: protocol.Version, Client: who.Client, Nonce: nonce})
	if err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	var challenge protocol.Challenge
	if err := expect(ctx, ws, protocol.TypeChallenge, &challenge); err != nil {
		return err
	}
	if len(challenge.Nonce) != protocol.KeySize || !protocol.SameMAC(challenge.MAC, protocol.DaemonMAC(who.Key, nonce, challenge.Nonce)) {
		return ErrImpostor
	}
	return ws.Send(ctx, protocol.Proof{Type: protocol.TypeProof, MAC: protocol.ExtensionMAC(who.Key, nonce, challenge.Nonce)})
}

// expect reads the next message, which must be of the given type; a refusal becomes an error.
func expect(ctx context.Context, ws *socket.Conn, kind string, into any) error {
	data, err := ws.Read(ctx)
	if err != nil {
		return fmt.Errorf("wait for %s: %w", kind, err)
	}
	var head protocol.Envelope
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("wait for %s: %w", kind, err)
	}
	if head.Type == protocol.TypeRefuse {
		var no protocol.Refuse
		if err := json.Unmarshal(data, &no); err != nil {
			return fmt.Errorf("wait for %s: %w", kind, err)
		}
		return &Refused{Code: no.Code, Message: no.Message}
	}
	if head.Type != kind {
		return fmt.Errorf("wait for %s: got %q", kind, head.Type)
	}
	return json.Unmarshal(data, into)
}

// Post sends an event without waiting; Options are called with the response.
func (c *Client) Post(ctx context.Context, e protocol.Event) error { return c.ws.Send(ctx, e) }

// Send sends events in order and waits until the daemon has acknowledged each. A refused event gives an error of type
// *Refused; later events are sent nevertheless.
func (c *Client) Send(ctx context.Context, events ...protocol.Event) error {
	answers := make([]chan *Refused, len(events))
	for i, e := range events {
		answers[i] = c.await(e.ID)
		if err := c.Post(ctx, e); err != nil {
			return fmt.Errorf("send event: %w", err)
		}
	}
	var refused error
	for _, answer := range answers {
		select {
		case no := <-answer:
			if no != nil {
				refused = errors.Join(refused, no)
			}
		case <-c.done:
			return fmt.Errorf("send events: %w", c.Err())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return refused
}

func (c *Client) await(id string) chan *Refused {
	answer := make(chan *Refused, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[id] = answer
	return answer
}

// answer passes the response for an event to its waiting Send.
func (c *Client) answer(id string, no *Refused) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.waiting[id]; w != nil {
		delete(c.waiting, id)
		w <- no
	}
}

// DashboardURL requests a one-time link to the page of the dashboard at path.
func (c *Client) DashboardURL(ctx context.Context, path string) (string, error) {
	if err := c.ws.Send(ctx, protocol.DashboardRequest{Type: protocol.TypeDashboard, Path: path}); err != nil {
		return "", err
	}
	select {
	case url := <-c.links:
		return url, nil
	case <-c.done:
		return "", c.Err()
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// WaitState waits until ok accepts the daemon's state, and returns it.
func (c *Client) WaitState(ctx context.Context, ok func(protocol.State) bool) (protocol.State, error) {
	for {
		c.mu.Lock()
		state, changed := c.state, c.changed
		c.mu.Unlock()
		if state.Type != "" && ok(state) {
			return state, nil
		}
		select {
		case <-changed:
		case <-c.done:
			return state, c.Err()
		case <-ctx.Done():
			return state, ctx.Err()
		}
	}
}

// Done is closed when the connection has ended; Err returns the reason.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err is the reason why the connection ended, nil while it is open.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection.
func (c *Client) Close() {
	c.ws.Close("")
	c.cancel()
	<-c.done
}

// pingEvery is short enough to keep the connection alive.
const pingEvery = 20 * time.Second

func (c *Client) ping(ctx context.Context) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if c.ws.Send(ctx, protocol.Plain{Type: protocol.TypePing}) != nil {
				return
			}
		case <-c.done:
			return
		}
	}
}

func (c *Client) read(ctx context.Context) {
	var err error
	for err == nil {
		var data []byte
		if data, err = c.ws.Read(ctx); err == nil {
			err = c.hear(data)
		}
	}
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	c.cancel()
	c.ws.Drop()
	close(c.done)
}

// hear handles a message of the daemon.
func (c *Client) hear(data []byte) error {
	var m struct {
		protocol.Envelope
		IDs     []string      `json:"ids"`
		Code    protocol.Code `json:"code"`
		Message string        `json:"message"`
		URL     string        `json:"url"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	switch m.Type {
	case protocol.TypeAck:
		if c.options.OnAck != nil {
			c.options.OnAck(m.IDs)
		}
		for _, id := range m.IDs {
			c.answer(id, nil)
		}
	case protocol.TypeRefuse:
		no := &Refused{Code: m.Code, Message: m.Message}
		if m.ID == "" {
			return no
		}
		if c.options.OnRefuse != nil {
			c.options.OnRefuse(protocol.Refuse{Type: m.Type, ID: m.ID, Code: m.Code, Message: m.Message})
		}
		c.answer(m.ID, no)
	case protocol.TypeState:
		return c.hearState(data)
	case protocol.TypeDashboard:
		select {
		case c.links <- m.URL:
		default: // an earlier link is still unread
		}
	}
	return nil
}

func (c *Client) hearState(data []byte) error {
	var state protocol.State
	if err := json.Unmarshal(data, &state); err != nil {
		return err
	}
	c.mu.Lock()
	c.state = state
	close(c.changed)
	c.changed = make(chan struct{})
	c.mu.Unlock()
	return nil
}
