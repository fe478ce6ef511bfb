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

	"nightjar/daemon/notify"
	"nightjar/daemon/protocol"
	"nightjar/daemon/store"
)

// maxTries is how many browsers may try to pair before pairing closes by itself: each try is one chance in a million
// for somebody in between to show the person the same digits.
const maxTries = 5

// Errors of Approve.
var (
	ErrNothingPending = errors.New("no browser is waiting to be paired")
	ErrOtherDigits    = errors.New("the digits are not those of the browser that waits")
)

// PairingStatus is what the dashboard shows of pairing.
type PairingStatus struct {
	Open    bool
	Until   time.Time // end of the window while it is open
	Pending *Pending  // the browser that waits for approval
}

// Pending is a browser that waits for approval.
type Pending struct {
	Name   string // as it calls itself
	Digits string // six, to be compared with those it shows
	Origin string
}

// pairing is the window the person opens, and the one browser that may wait in it.
type pairing struct {
	mu      sync.Mutex
	until   time.Time
	tries   int
	pending *attempt
}

// attempt is one browser's try.
type attempt struct {
	Pending
	client  string
	key     []byte
	decided chan bool // approved or not; holds one
	taken   bool      // a decision was made
}

// OpenPairing lets browsers pair for d from now.
func (s *Server) OpenPairing(d time.Duration) {
	s.pairing.mu.Lock()
	s.pairing.until = s.Now().Add(d)
	s.pairing.tries = 0
	s.pairing.mu.Unlock()
	s.tellPairing()
}

// Pairing says how pairing stands.
func (s *Server) Pairing() PairingStatus {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	var status PairingStatus
	if s.Now().Before(s.pairing.until) {
		status.Open, status.Until = true, s.pairing.until
	}
	if a := s.pairing.pending; a != nil && a.Digits != "" && !a.taken {
		pending := a.Pending
		status.Pending = &pending
	}
	return status
}

// Approve pairs the browser that waits. digits must be those it showed: the person approves what they compared, not
// whatever came after. The window is closed.
func (s *Server) Approve(digits string) error {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	a := s.pairing.pending
	switch {
	case a == nil || a.Digits == "" || a.taken || !s.Now().Before(s.pairing.until):
		return ErrNothingPending
	case subtle.ConstantTimeCompare([]byte(a.Digits), []byte(digits)) != 1:
		return ErrOtherDigits
	}
	// The person's word must not be lost with the request or the socket that brought it.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.store.PairBrowser(ctx, store.Browser{Client: a.client, Name: a.Name, Origin: a.Origin, Key: a.key})
	if err != nil {
		return fmt.Errorf("pair browser: %w", err)
	}
	s.dropClient(a.client) // connections under a key it had before
	a.taken = true
	a.decided <- true
	s.pairing.until = time.Time{}
	s.tellPairing()
	return nil
}

// Refuse turns the waiting browser down and closes the window.
func (s *Server) Refuse() {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	s.pairing.until = time.Time{}
	if a := s.pairing.pending; a != nil && !a.taken {
		a.taken = true
		a.decided <- false
	}
	s.tellPairing()
}

func (s *Server) tellPairing() { s.bus.Tell(notify.News{Kind: "pairing"}) }

// begin takes the window's one place for a browser.
func (s *Server) begin(client, name, origin string) (*attempt, *refusal) {
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if !s.Now().Before(s.pairing.until) {
		return nil, refuse(protocol.PairingClosed, "open pairing in Nightjar's settings first, then connect again")
	}
	if s.pairing.pending != nil {
		return nil, refuse(protocol.PairRefused, "another browser is being paired")
	}
	if s.pairing.tries++; s.pairing.tries > maxTries {
		s.pairing.until = time.Time{}
		s.tellPairing()
		return nil, refuse(protocol.PairingClosed, "too many tries; open pairing again")
	}
	a := &attempt{client: client, decided: make(chan bool, 1)}
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

// wait shows the attempt's digits and waits for the person, until the window closes.
func (s *Server) wait(ctx context.Context, a *attempt, digits string, key []byte) (approved bool, err error) {
	s.pairing.mu.Lock()
	a.Digits, a.key = digits, key
	left := s.pairing.until.Sub(s.Now())
	s.pairing.mu.Unlock()
	s.tellPairing()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case approved := <-a.decided:
		return approved, nil
	case <-ctx.Done():
	case <-timer.C:
	}
	s.pairing.mu.Lock()
	defer s.pairing.mu.Unlock()
	if a.taken { // at the last moment
		return <-a.decided, nil
	}
	a.taken = true
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return false, refuse(protocol.PairTimeout, "nobody approved in time; open pairing again")
}

// pair runs the daemon's side of a pairing whose first message is data.
func (c *conn) pair(ctx context.Context, data []byte) error {
	var first protocol.PairCommit
	if err := json.Unmarshal(data, &first); err != nil || !protocol.UUID(first.Client) || len(first.Commit) != protocol.KeySize {
		return refuse(protocol.PairRefused, "the browser's first message cannot be understood")
	}
	if first.V != protocol.Version {
		return wrongVersion(first.V)
	}
	a, no := c.server.begin(first.Client, first.Name, c.origin)
	if no != nil {
		return no
	}
	defer c.server.finish(a)
	digits, key, err := c.agree(ctx, first)
	if err != nil {
		return err
	}
	// While the person decides, the browser has nothing to say but that it is still there.
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
			return refuse(protocol.Unexpected, "a message came before the pairing was decided")
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
	// The browser may go on with hello on the same socket.
	timer := time.AfterFunc(proveWithin, c.ws.Drop)
	defer timer.Stop()
	m := <-early
	c.next = m.data
	return m.err
}

// message is what a read brought.
type message struct {
	data []byte
	err  error
}

// readPastPings reads the next message that is not a ping, and answers pings.
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

// agree exchanges commitments and keys.
func (c *conn) agree(ctx context.Context, first protocol.PairCommit) (digits string, key []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, proveWithin)
	defer cancel()
	private, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return "", nil, fmt.Errorf("make a key: %w", err)
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

// nonce draws random bytes.
func nonce() []byte {
	b := make([]byte, protocol.KeySize)
	rand.Read(b) // never fails: crypto/rand ends the program when there is no randomness
	return b
}

// readable is a browser's name fit to be shown.
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
