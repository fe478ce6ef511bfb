package assistant

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxLine bounds the bytes of a line of input. A longer one is skipped and answered with an error.
const MaxLine = 1 << 20

// lines is a connection of lines of JSON: a message or a batch a line. The connections of the SDK end at the first line that is
// no message, and at the end of the input without the answers that are still due. This one answers such a line itself, and ends
// when the input has ended and every request is answered.
type lines struct {
	out      io.Writer
	incoming chan line
	ended    error // io.EOF or what is wrong with the input, set before incoming is closed
	closed   chan struct{}
	close    sync.Once
	answered chan struct{}     // hears of an answer
	queue    []jsonrpc.Message // read and not yet handed over

	mu      sync.Mutex // for out and what follows
	due     map[jsonrpc.ID]request
	version string // of the protocol; "" until it is agreed on
}

// line is a line of input, without its text when that is too long.
type line struct {
	text []byte
	long bool
}

// request is what is known of a request that is to be answered.
type request struct {
	method string
	batch  *batch // nil for one that came alone
}

// batch is an array of requests. Its answers are sent together.
type batch struct {
	due     int
	answers [][]byte
}

// newLines makes the connection. The goroutine that reads in ends with in.
func newLines(in io.Reader, out io.Writer) *lines {
	c := &lines{out: out, incoming: make(chan line), closed: make(chan struct{}), answered: make(chan struct{}, 1), due: map[jsonrpc.ID]request{}}
	go c.scan(bufio.NewReader(in))
	return c
}

// Connect makes lines a transport, for the one connection that it is.
func (c *lines) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: the connection is the session.
func (c *lines) SessionID() string { return "" }

// Close ends Read.
func (c *lines) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

func (c *lines) scan(in *bufio.Reader) {
	defer close(c.incoming)
	for first := true; ; first = false {
		next, err := readLine(in)
		if first {
			next.text = bytes.TrimPrefix(next.text, []byte("\ufeff")) // as some shells begin what they pipe
		}
		select {
		case c.incoming <- next:
		case <-c.closed:
			return
		}
		if err != nil {
			c.ended = err
			return
		}
	}
}

// readLine reads up to the next end of a line, of at most MaxLine bytes. The end of the input ends the last line.
func readLine(in *bufio.Reader) (line, error) {
	var l line
	for {
		part, err := in.ReadSlice('\n')
		l.long = l.long || len(l.text)+len(part) > MaxLine
		if l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}

// Read returns the next message. It returns io.EOF when the input has ended and nothing is due.
func (c *lines) Read(context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		select {
		case next, ok := <-c.incoming:
			if !ok {
				c.settle()
				return nil, c.ended
			}
			if err := c.take(next); err != nil {
				return nil, err
			}
		case <-c.closed:
			return nil, io.EOF
		}
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return next, nil
}

// settle waits until every request is answered, or the connection is closed.
func (c *lines) settle() {
	for {
		c.mu.Lock()
		due := len(c.due)
		c.mu.Unlock()
		if due == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-c.closed:
			return
		}
	}
}

// take queues the messages of a line, and answers what is none. Blank lines are skipped.
func (c *lines) take(l line) error {
	text := bytes.TrimSpace(l.text)
	switch {
	case l.long:
		return c.send(parseError("the line is longer than 1 MiB").encode())
	case len(text) == 0:
		return nil
	case !utf8.Valid(text):
		return c.send(parseError("the line is not UTF-8").encode())
	case !json.Valid(text):
		return c.send(parseError("the line is not JSON").encode())
	case text[0] == '[':
		return c.takeBatch(text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if bad := c.accept(text, nil); bad != nil {
		return c.write(bad.encode())
	}
	return nil
}

// lastWithBatches is the last version of the protocol in which a line may be a batch.
const lastWithBatches = "2025-03-26"

func (c *lines) takeBatch(text []byte) error {
	c.settle() // the version may be what is being answered
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil || len(all) == 0 {
		return c.write(invalid(nil, "the batch is empty").encode())
	}
	if c.version == "" || c.version > lastWithBatches {
		return c.write(invalid(nil, "this version of the protocol has no batches").encode())
	}
	b := new(batch)
	for _, one := range all {
		if bad := c.accept(one, b); bad != nil {
			b.answers = append(b.answers, bad.encode())
		}
	}
	return c.flush(b)
}

// accept queues a message, or says what is wrong with it.
func (c *lines) accept(text []byte, b *batch) *refusal {
	msg, bad := parse(text)
	asked, ok := msg.(*jsonrpc.Request)
	if bad != nil || msg == nil {
		return bad
	}
	if ok && asked.IsCall() {
		if _, ok := c.due[asked.ID]; ok {
			return invalid(asked.ID.Raw(), "a request with this id is being answered")
		}
		c.due[asked.ID] = request{asked.Method, b}
		if b != nil {
			b.due++
		}
	}
	c.queue = append(c.queue, msg)
	return nil
}

// Write sends a message. Answers to a batch are sent with the last of them.
func (c *lines) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.write(text)
	}
	asked := c.due[answer.ID]
	delete(c.due, answer.ID)
	select {
	case c.answered <- struct{}{}:
	default: // it was told, and has not looked yet
	}
	if asked.method == "initialize" && answer.Error == nil {
		var agreed struct{ ProtocolVersion string }
		if json.Unmarshal(answer.Result, &agreed) == nil {
			c.version = agreed.ProtocolVersion
		}
	}
	if asked.batch == nil {
		return c.write(text)
	}
	asked.batch.due--
	asked.batch.answers = append(asked.batch.answers, text)
	return c.flush(asked.batch)
}

// flush sends the answers to a batch when all are there. A batch that asks nothing gets none.
func (c *lines) flush(b *batch) error {
	if b.due > 0 || len(b.answers) == 0 {
		return nil
	}
	return c.write(append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']'))
}

func (c *lines) send(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(text)
}

// write writes a line. c.mu is held.
func (c *lines) write(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}
