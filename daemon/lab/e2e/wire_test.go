//lint:file-ignore SA1019 the library is the one of daemon/browse/socket, which says why; browsers need another dial and limit

package e2e

//lint:file-ignore SA1019 the project's websocket library, used here past daemon/browse/socket since browsers send larger
// messages than the daemon takes

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"nhooyr.io/websocket"
)

// wire is the JSON-RPC that Chromium's DevTools protocol and Firefox's WebDriver BiDi have in common.
type wire struct {
	conn *websocket.Conn
	mu   sync.Mutex
	next int
	wait map[int]chan reply
	err  error

	hear func(event) // called with each event; nil when nobody listens
}

// event is what a browser says unasked, as DevTools do.
type event struct {
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Params    json.RawMessage `json:"params"`
}

// listen has each further event told to hear, nil to end it. It must not call the browser.
func (w *wire) listen(hear func(event)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear = hear
}

// tell tells an event to who listens.
func (w *wire) tell(text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var e event
	if w.hear != nil && json.Unmarshal(text, &e) == nil {
		w.hear(e)
	}
}

type reply struct {
	ID      int             `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
	Message string          `json:"message"` // BiDi
	Type    string          `json:"type"`    // BiDi: success, error, event
}

func dialWire(ctx context.Context, url string) (*wire, error) {
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", url, err)
	}
	conn.SetReadLimit(64 << 20)
	w := &wire{conn: conn, wait: make(map[int]chan reply)}
	go w.read()
	return w, nil
}

func (w *wire) read() {
	for {
		_, text, err := w.conn.Read(context.Background())
		if err != nil {
			w.mu.Lock()
			w.err = err
			for id, c := range w.wait {
				close(c)
				delete(w.wait, id)
			}
			w.mu.Unlock()
			return
		}
		var r reply
		if json.Unmarshal(text, &r) != nil || r.ID == 0 {
			w.tell(text)
			continue
		}
		w.mu.Lock()
		if c := w.wait[r.ID]; c != nil {
			c <- r
			delete(w.wait, r.ID)
		}
		w.mu.Unlock()
	}
}

// call sends one command and waits for its answer; session is DevTools' target session, "" for the browser itself.
func (w *wire) call(ctx context.Context, session, method string, params, into any) error {
	w.mu.Lock()
	if w.err != nil {
		w.mu.Unlock()
		return fmt.Errorf("%s: browser is gone: %w", method, w.err)
	}
	w.next++
	id, c := w.next, make(chan reply, 1)
	w.wait[id] = c
	w.mu.Unlock()
	if params == nil {
		params = struct{}{}
	}
	message := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		message["sessionId"] = session
	}
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if err := w.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-c:
		if !ok {
			return fmt.Errorf("%s: browser is gone: %w", method, w.err)
		}
		if len(r.Error) > 0 {
			return fmt.Errorf("%s: %s %s", method, r.Error, r.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(r.Result, into)
	}
}
