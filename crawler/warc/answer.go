package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"
)

// Answer is the HTTP answer that a record holds. The body is as it is in the record, without chunks; a revisit has none.
type Answer struct {
	Proto  string // "HTTP/1.1"
	Status int
	Header http.Header
	Body   []byte
	Head   []byte // the block before the body, as it stands
}

// ErrNoAnswer says that a record holds no HTTP answer.
var ErrNoAnswer = errors.New("not a recorded answer")

// Answer reads the HTTP answer in a response or revisit record, or ErrNoAnswer. A resource record is the body of an answer
// without header. The body shares the block's memory.
func (r *Record) Answer() (Answer, error) {
	switch r.Type() {
	case "response", "revisit":
	case "resource":
		return Answer{"HTTP/1.1", http.StatusOK, http.Header{"Content-Type": {r.Header.Get("Content-Type")}}, r.Block, nil}, nil
	default:
		return Answer{}, ErrNoAnswer
	}
	block := bytes.NewReader(r.Block)
	buffered := bufio.NewReader(block)
	text := textproto.NewReader(buffered)
	line, err := text.ReadLine()
	fields := strings.Fields(line)
	if err != nil || len(fields) < 2 || !strings.HasPrefix(fields[0], "HTTP/") {
		return Answer{}, ErrNoAnswer
	}
	status, err := strconv.Atoi(fields[1])
	if err != nil {
		return Answer{}, ErrNoAnswer
	}
	header, err := text.ReadMIMEHeader()
	if err != nil && len(header) == 0 && err != io.EOF {
		return Answer{}, ErrNoAnswer
	}
	at := len(r.Block) - block.Len() - buffered.Buffered()
	a := Answer{Proto: fields[0], Status: status, Header: http.Header(header), Body: r.Block[at:], Head: r.Block[:at]}
	if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		// Some recorders undo the chunks and keep the header that says so.
		if whole, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(a.Body))); err == nil {
			a.Body = whole
		}
	}
	return a, nil
}

// ID is the record's own name, "<urn:uuid:...>" as a rule.
func (r *Record) ID() string { return strings.TrimSpace(r.Header.Get("Warc-Record-Id")) }

// Profiles of revisit records (WARC 1.1, 6.7).
const (
	SamePayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	NotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// RefersTo is the record that a revisit stands for: its ID, URL and date, each "" when it is not told.
func (r *Record) RefersTo() (id, url, date string) {
	if r.Type() != "revisit" {
		return "", "", ""
	}
	return strings.TrimSpace(r.Header.Get("Warc-Refers-To")), unbracket(r.Header.Get("Warc-Refers-To-Target-Uri")),
		strings.TrimSpace(r.Header.Get("Warc-Refers-To-Date"))
}
