package ingest

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
)

// maxTries is how many times browsers may try to pair after the person opened the window. With each try, an attacker between
// browser and daemon has one chance in a million that both show the same digits.
const maxTries = 5

// Errors of Approve.
var (
	ErrNothingPending = errors.New("no browser is waiting to be paired")
	ErrOtherDigits    = errors.New("the digits differ from those of the waiting browser")
)

// PairingStatus is what the dashboard shows about pairing.
type PairingStatus struct {
	Open    bool
	Until   time.Time // when the window closes, if it is open
	Pending *Pending  // the browser that waits for approval, or nil
	Called  bool      // an extension has asked for the daemon since it started
	Held    bool      // only the person opens the window: they refused a browser, or there were too many tries
}

// Pending is a browser that waits for approval.
type Pending struct {
	Name   string // given by the browser
	Digits string // six; the person compares them with those in the browser
	Origin string
}

// pairing is the window in which browsers may ask, and the one browser that may wait in it.
type pairing struct {
	mu      sync.Mutex
	called  bool
	until   time.Time
	offered bool // by a page, and not by the person
	held    bool // see PairingStatus
	tries   int  // since the person opened the window
	pending *attempt
}

// attempt is one browser's try to pair.
type attempt struct {
	Pending
	client  string
	key     []byte
	result  chan bool // whether the person approved; buffers one
	decided bool      // by the person or because the window closed
}

// OpenPairing opens the window because the person said so. Browsers may pair for d from now.
func (s *Server) OpenPairing(d time.Duration) {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	s.pairing.until = s.Now().Add(d)
	s.pairing.offered, s.pairing.held, s.pairing.tries = false, false, 0
	s.tellPairing()
}

// OfferPairing opens the window for d because a page that shows who asks is open. It does nothing while the window is open, after
// the person refused a browser, and after too many tries: then only OpenPairing opens it.
func (s *Server) OfferPairing(d time.Duration) {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if s.pairing.held || s.Now().Before(s.pairing.until) {
		return
	}
	s.pairing.until, s.pairing.offered = s.Now().Add(d), true
	s.tellPairing()
}

// WithdrawPairing closes a window that a page offered, since the page was left. A browser that already waits keeps waiting:
// every page of the dashboard says that it asks.
func (s *Server) WithdrawPairing() {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if a := s.pairing.pending; !s.pairing.offered || a != nil && !a.decided {
		return
	}
	s.pairing.until = time.Time{}
	s.tellPairing()
}

// Pairing returns the status of pairing.
func (s *Server) Pairing() PairingStatus {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	status := PairingStatus{Called: s.pairing.called, Held: s.pairing.held}
	if s.Now().Before(s.pairing.until) {
		status.Open, status.Until = true, s.pairing.until
	}
	if a := s.pairing.pending; a != nil && a.Digits != "" && !a.decided {
		pending := a.Pending
		status.Pending = &pending
	}
	return status
}

// calls notes that an extension asked for the daemon. The first call is told to the dashboard.
func (s *Server) calls() {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if !s.pairing.called {
		s.pairing.called = true
		s.tellPairing()
	}
}

// Approve pairs the waiting browser and closes the window. digits must be that browser's digits, so that the person
// approves the browser whose digits they compared and not a later one.
func (s *Server) Approve(digits string) error {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	a := s.pairing.pending
	switch {
	case a == nil || a.Digits == "" || a.decided || !s.Now().Before(s.pairing.until):
		return ErrNothingPending
	case subtle.ConstantTimeCompare([]byte(a.Digits), []byte(digits)) != 1:
		return ErrOtherDigits
	}
	// The approval must be stored even if the person's request or the browser's connection ends now.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := PairBrowser(ctx, s.store.DB, Browser{Client: a.client, Name: a.Name, Origin: a.Origin, Key: a.key})
	if err != nil {
		return fmt.Errorf("pair browser: %w", err)
	}
	s.dropClient(a.client) // connections with an earlier key
	a.decided = true
	a.result <- true
	s.pairing.until = time.Time{}
	s.tellPairing()
	return nil
}

// Refuse refuses the waiting browser and closes the window, which only the person opens again: a refused program must not ask
// until somebody gives in.
func (s *Server) Refuse() {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	s.pairing.until, s.pairing.held = time.Time{}, true
	if a := s.pairing.pending; a != nil && !a.decided {
		a.decided = true
		a.result <- false
	}
	s.tellPairing()
}

func (s *Server) tellPairing() { s.bus.Tell(notify.News{Kind: "pairing"}) }

// begin starts an attempt, if the window is open and no other browser waits. One whose answer is on its way does not wait.
func (s *Server) begin(client, name, origin string) (*attempt, *refusal) {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if !s.Now().Before(s.pairing.until) {
		return nil, refuse(protocol.PairingClosed, "open pairing in Nightjar's settings, then connect again")
	}
	if other := s.pairing.pending; other != nil && !other.decided {
		return nil, refuse(protocol.PairingClosed, "another browser is being paired")
	}
	if s.pairing.tries++; s.pairing.tries > maxTries {
		s.pairing.until, s.pairing.held = time.Time{}, true
		s.tellPairing()
		return nil, refuse(protocol.PairingClosed, "too many tries; open pairing again")
	}
	a := &attempt{client: client, result: make(chan bool, 1)}
	a.Name, a.Origin = readable(name), origin
	s.pairing.pending = a
	return a, nil
}

func (s *Server) finish(a *attempt) {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if s.pairing.pending == a {
		s.pairing.pending = nil
	}
	s.tellPairing()
}

// wait shows the attempt's digits and waits for the person's decision until the window closes.
func (s *Server) wait(ctx context.Context, a *attempt, digits string, key []byte) (approved bool, err error) {
	s.pairing.mu.Lock()
	a.Digits, a.key = digits, key
	left := s.pairing.until.Sub(s.Now())
	s.pairing.mu.Unlock()
	s.tellPairing()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case approved := <-a.result:
		return approved, nil
	case <-ctx.Done():
	case <-timer.C:
	}
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if a.decided { // at the last moment
		return <-a.result, nil
	}
	a.decided = true
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return false, refuse(protocol.PairTimeout, "the pairing was not approved in time; open pairing again")
}

// pair runs the daemon's side of a pairing whose first message is data.
func (c *conn) pair(ctx context.Context, data []byte) error {
	var first protocol.PairCommit
	if err := json.Unmarshal(data, &first); err != nil || !protocol.UUID(first.Client) || len(first.Commit) != protocol.KeySize {
		return refuse(protocol.PairRefused, "the browser's first message is malformed")
	}
	if first.V != protocol.Version {
		return wrongVersion(first.V)
	}
	c.server.calls()
	a, no := c.server.begin(first.Client, first.Name, c.origin)
	if no != nil {
		return no
	}
	defer c.server.finish(a)
	c.server.chosen(c)
	digits, key, err := c.agree(ctx, first)
	if err != nil {
		return err
	}
	// While the person decides, the browser may send only pings.
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	early := make(chan message, 1)
	go func() {
		early <- c.readPastPings(ctx)
		cancel()
	}()
	approved, err := c.server.wait(waiting, a, digits, key)
	if err != nil {
		select {
		case m := <-early:
			if m.err != nil {
				return m.err
			}
			return refuse(protocol.Unexpected, "the browser sent a message before the pairing was decided")
		default:
			return err
		}
	}
	if !approved {
		return refuse(protocol.PairRefused, "the pairing was refused in Nightjar")
	}
	c.server.log.Info("browser paired", "name", a.Name)
	if err := c.ws.Send(ctx, protocol.Plain{Type: protocol.TypePairDone}); err != nil {
		return err
	}
	// The browser may continue with hello on the same connection.
	timer := time.AfterFunc(proveTimeout, c.ws.Drop)
	defer timer.Stop()
	m := <-early
	c.next = m.data
	return m.err
}

// message is the result of a read.
type message struct {
	data []byte
	err  error
}

// readPastPings answers pings and returns the first message that is not one.
func (c *conn) readPastPings(ctx context.Context) message {
	for {
		data, err := c.ws.Read(ctx)
		if err == nil && kindOf(data) == protocol.TypePing {
			if err = c.ws.Send(ctx, protocol.Plain{Type: protocol.TypePong}); err == nil {
				continue
			}
		}
		return message{data, err}
	}
}

// agree exchanges commitments and public keys, and returns the digits and the pairing key.
func (c *conn) agree(ctx context.Context, first protocol.PairCommit) (digits string, key []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, proveTimeout)
	defer cancel()
	private, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return "", nil, fmt.Errorf("generate key: %w", err)
	}
	own := protocol.PairReveal{Type: protocol.TypePairReveal, Public: private.PublicKey().Bytes(), Random: nonce()}
	commit := protocol.PairCommit{Type: protocol.TypePairCommit, Commit: protocol.Commitment(own.Public, own.Random)}
	if err := c.ws.Send(ctx, commit); err != nil {
		return "", nil, err
	}
	data, err := c.ws.Read(ctx)
	if err != nil {
		return "", nil, err
	}
	var theirs protocol.PairReveal
	if json.Unmarshal(data, &theirs) != nil || theirs.Type != protocol.TypePairReveal || !theirs.Opens(first.Commit) {
		return "", nil, refuse(protocol.PairRefused, protocol.ErrBadReveal.Error())
	}
	transcript := protocol.Transcript(first.Client, theirs, own)
	if key, err = protocol.Agree(private, theirs.Public, transcript); err != nil {
		return "", nil, refuse(protocol.PairRefused, protocol.ErrBadReveal.Error())
	}
	return protocol.Digits(transcript), key, c.ws.Send(ctx, own)
}

// nonce returns KeySize random bytes.
func nonce() []byte {
	b := make([]byte, protocol.KeySize)
	rand.Read(b) // never fails; without randomness crypto/rand ends the program
	return b
}

// readable returns a browser's name in a form that can be shown: printable, at most 60 characters and not empty.
func readable(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
	if r := []rune(strings.TrimSpace(name)); len(r) > 60 {
		return string(r[:60])
	} else if len(r) > 0 {
		return string(r)
	}
	return "a browser"
}
