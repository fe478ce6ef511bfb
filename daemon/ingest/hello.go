package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"nightjar/daemon/protocol"
	"nightjar/daemon/socket"
	"nightjar/daemon/store"
)

// conn is one connection.
type conn struct {
	server *Server
	ws     *socket.Conn
	origin string
	next   []byte // a message that was read ahead

	// Guarded by server.mu.
	client string             // "" until the proof
	cancel context.CancelFunc // nil until the upgrade
}

// refusal is why a connection ends, told to the other side.
type refusal struct {
	code    protocol.Code
	message string
}

func (r *refusal) Error() string { return string(r.code) + ": " + r.message }

func refuse(code protocol.Code, message string) *refusal { return &refusal{code, message} }

func wrongVersion(v int) *refusal {
	return refuse(protocol.BadVersion, fmt.Sprintf("version %d of the format is not known, only %d", v, protocol.Version))
}

// serve runs the connection to its end.
func (c *conn) serve(ctx context.Context) error {
	err := c.enterAndStream(ctx)
	var no *refusal
	if errors.As(err, &no) {
		_ = c.ws.Send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, Code: no.code, Message: no.message}) // it goes away anyhow
		c.ws.Close(string(no.code))
	}
	return err
}

func (c *conn) enterAndStream(ctx context.Context) error {
	proving, cancel := context.WithTimeout(ctx, proveWithin)
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
		proving, cancel = context.WithTimeout(ctx, proveWithin)
		defer cancel()
	}
	if kind != protocol.TypeHello {
		return refuse(protocol.Unexpected, "the first message must be hello or pair.commit")
	}
	client, err := c.hello(proving, data)
	if err != nil {
		return err
	}
	return c.stream(ctx, client)
}

// hello proves the key to the browser, and has the browser prove it.
func (c *conn) hello(ctx context.Context, data []byte) (client string, err error) {
	var hello protocol.Hello
	if json.Unmarshal(data, &hello) != nil || len(hello.Nonce) != protocol.KeySize || !protocol.UUID(hello.Client) {
		return "", refuse(protocol.Unexpected, "the hello cannot be understood")
	}
	if hello.V != protocol.Version {
		return "", wrongVersion(hello.V)
	}
	browser, err := c.browser(ctx, hello.Client)
	if err != nil {
		return "", err
	}
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
		return "", refuse(protocol.Unexpected, "the proof was expected")
	}
	if !protocol.SameMAC(proof.MAC, protocol.ExtensionMAC(browser.Key, hello.Nonce, own)) {
		return "", notPaired()
	}
	c.server.proved(c, hello.Client)
	// From here Revoke finds the connection. One revoked, or paired anew, while it proved an old key is turned away.
	now, err := c.browser(ctx, hello.Client)
	if err != nil {
		return "", err
	}
	if !protocol.SameMAC(now.Key, browser.Key) {
		return "", notPaired()
	}
	return hello.Client, c.server.store.BrowserSeen(ctx, hello.Client)
}

func (c *conn) browser(ctx context.Context, client string) (store.Browser, error) {
	b, err := c.server.store.BrowserByClient(ctx, client)
	if errors.Is(err, store.ErrNotFound) || err == nil && (b.Origin != c.origin || len(b.Key) != protocol.KeySize) {
		return b, notPaired()
	}
	if err != nil {
		return b, fmt.Errorf("look up browser: %w", err)
	}
	return b, nil
}

func notPaired() *refusal {
	return refuse(protocol.NotPaired, "this browser is not paired with this Nightjar; connect it again")
}

// kindOf is a message's type, "" when it has none.
func kindOf(data []byte) string {
	var e protocol.Envelope
	if json.Unmarshal(data, &e) != nil {
		return ""
	}
	return e.Type
}
