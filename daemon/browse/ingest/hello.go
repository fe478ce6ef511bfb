package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/store"
)

// conn is one connection.
type conn struct {
	server   *Server
	loginURL func(path string) string // of the dashboard; nil for none
	ws       *socket.Conn
	origin   string
	from     source
	next     []byte // the message after the pairing

	// Guarded by server.mu.
	client  string             // "" until the proof
	cancel  context.CancelFunc // nil until the upgrade
	dropped bool               // it had to go
}

// refusal is why the daemon ends a connection. The other side is told.
type refusal struct {
	code    protocol.Code
	message string
}

func (r *refusal) Error() string { return string(r.code) + ": " + r.message }

func refuse(code protocol.Code, message string) *refusal { return &refusal{code, message} }

func wrongVersion(v int) *refusal {
	return refuse(protocol.BadVersion, fmt.Sprintf("unknown version %d of the wire format; only version %d is supported", v, protocol.Version))
}

// serve serves the connection until it ends.
func (c *conn) serve(ctx context.Context) error {
	err := c.authenticateAndStream(ctx)
	if no, ok := errors.AsType[*refusal](err); ok {
		_ = c.ws.Send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, Code: no.code, Message: no.message}) // the connection closes even if this fails
		c.ws.Close(string(no.code))
	}
	return err
}

func (c *conn) authenticateAndStream(ctx context.Context) error {
	proving, cancel := context.WithTimeout(ctx, proveTimeout)
	defer cancel()
	data, err := c.ws.Read(proving)
	if err != nil {
		return err
	}
	kind := kindOf(data)
	if kind == protocol.TypePairCommit {
		if err := c.pair(ctx, data); err != nil {
			return err
		}
		data, kind = c.next, kindOf(c.next)
		proving, cancel = context.WithTimeout(ctx, proveTimeout)
		defer cancel()
	}
	if kind != protocol.TypeHello {
		return refuse(protocol.Unexpected, "the first message must be hello or pair.commit")
	}
	client, err := c.hello(proving, data)
	if err != nil {
		return err
	}
	c.ws.Trust()
	return c.stream(ctx, client)
}

// hello proves to the browser that the daemon holds the key, and checks the browser's proof.
func (c *conn) hello(ctx context.Context, data []byte) (client string, err error) {
	var hello protocol.Hello
	if json.Unmarshal(data, &hello) != nil || len(hello.Nonce) != protocol.KeySize || !protocol.UUID(hello.Client) {
		return "", refuse(protocol.Unexpected, "the hello is malformed")
	}
	if hello.V != protocol.Version {
		return "", wrongVersion(hello.V)
	}
	browser, err := c.browser(ctx, hello.Client)
	if err != nil {
		return "", err
	}
	c.server.named(c)
	own := nonce()
	err = c.ws.Send(ctx, protocol.Challenge{Type: protocol.TypeChallenge, Nonce: own, MAC: protocol.DaemonMAC(browser.Key, hello.Nonce, own)})
	if err != nil {
		return "", err
	}
	if data, err = c.ws.Read(ctx); err != nil {
		return "", err
	}
	var proof protocol.Proof
	if json.Unmarshal(data, &proof) != nil || proof.Type != protocol.TypeProof {
		return "", refuse(protocol.Unexpected, "the message after the challenge must be a proof")
	}
	if !protocol.SameMAC(proof.MAC, protocol.ExtensionMAC(browser.Key, hello.Nonce, own)) {
		return "", notPaired()
	}
	c.server.proved(c, hello.Client)
	// Revoke finds the connection from now on. Refuse a browser that was revoked or paired again during its proof.
	now, err := c.browser(ctx, hello.Client)
	if err != nil {
		return "", err
	}
	if !protocol.SameMAC(now.Key, browser.Key) {
		return "", notPaired()
	}
	return hello.Client, BrowserSeen(ctx, c.server.store.DB, hello.Client)
}

func (c *conn) browser(ctx context.Context, client string) (Browser, error) {
	b, err := BrowserByClient(ctx, c.server.store.DB, client)
	if errors.Is(err, store.ErrNotFound) || err == nil && (b.Origin != c.origin || len(b.Key) != protocol.KeySize) {
		return b, notPaired()
	}
	if err != nil {
		return b, fmt.Errorf("look up browser: %w", err)
	}
	return b, nil
}

func notPaired() *refusal {
	return refuse(protocol.NotPaired, "this browser is not paired with this Nightjar; pair it again")
}

// kindOf returns a message's type, or "".
func kindOf(data []byte) string {
	var e protocol.Envelope
	if json.Unmarshal(data, &e) != nil {
		return ""
	}
	return e.Type
}
