// Package socket wraps the WebSocket library: both ends of a connection that carries JSON as text messages. No other package
// of the program imports the library.
//
// The library is nhooyr.io/websocket because that is the one the project was asked to stand on. It is deprecated in
// favour of the same code under another name (github.com/coder/websocket); should it ever have to be replaced, this file
// is all there is to change.
//
//lint:file-ignore SA1019 see above: the deprecated name is wanted, and its successor is the same code
package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"nhooyr.io/websocket"

	"nightjar/daemon/browse/protocol"
)

// writeTimeout is how long the other side may take to read a message before it counts as gone.
const writeTimeout = 10 * time.Second

// maxStranger is the size in bytes of the largest message before a proof. A hello has some hundred.
const maxStranger = 16 << 10

// ErrBinary is returned for a message that is not text. The connection is closed.
var ErrBinary = errors.New("the message is not text")

// Conn is one connection. Sending is safe for concurrent use, reading is for one goroutine.
type Conn struct {
	ws *websocket.Conn
}

// Accept upgrades a request. Until Trust is called, messages must be small. Who may connect was checked before: the library's own check of Origin knows hosts only,
// not the schemes of extensions, and is off.
func Accept(w http.ResponseWriter, r *http.Request) (*Conn, error) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(maxStranger)
	return &Conn{ws: ws}, nil
}

// Trust lets the other side, which has proved who it is, send messages of up to protocol.MaxMessage bytes.
func (c *Conn) Trust() { c.ws.SetReadLimit(protocol.MaxMessage) }

// Dial connects to ws://addr/ws as an extension of the origin does. A nil client is the usual one.
func Dial(ctx context.Context, client *http.Client, addr, origin string) (*Conn, error) {
	ws, response, err := websocket.Dial(ctx, "ws://"+addr+"/ws", &websocket.DialOptions{
		HTTPClient: client, HTTPHeader: http.Header{"Origin": {origin}}, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		if response != nil {
			err = fmt.Errorf("answered %s: %w", response.Status, err)
		}
		return nil, fmt.Errorf("connect to %s: %w", addr, err)
	}
	ws.SetReadLimit(protocol.MaxMessage)
	return &Conn{ws: ws}, nil
}

// Read waits for the next message. When ctx ends, the connection does too.
func (c *Conn) Read(ctx context.Context) ([]byte, error) {
	kind, data, err := c.ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		c.ws.Close(websocket.StatusUnsupportedData, ErrBinary.Error())
		return nil, ErrBinary
	}
	return data, nil
}

// Send writes v as JSON.
func (c *Conn) Send(ctx context.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return c.SendRaw(ctx, data)
}

// SendRaw writes a message as it is.
func (c *Conn) SendRaw(ctx context.Context, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, data)
}

// Close closes the connection with a closing handshake. It may be called more than once and from any goroutine.
func (c *Conn) Close(reason string) {
	c.ws.Close(websocket.StatusNormalClosure, reason)
}

// Drop closes the connection at once, without a closing handshake.
func (c *Conn) Drop() { c.ws.CloseNow() }
