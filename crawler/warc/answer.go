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

// Answer is the HTTP answer in a record. The body is as recorded, with chunks removed; a revisit has none.
type Answer struct {
	Proto  string // "HTTP/1.1"
	Status int
	Header http.Header
	Body   []byte
	Head   []byte // the block before the body, unchanged
}

// ErrNoAnswer says that a record contains no HTTP answer.
var ErrNoAnswer = errors.New("not a recorded answer")

// Answer parses the HTTP answer in a response or revisit record; for other records the error is ErrNoAnswer. A resource
// record is the body of an answer without header. The body shares the block's memory.
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
		// Some recorders remove the chunks but keep the Transfer-Encoding.
		if whole, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(a.Body))); err == nil {
			a.Body = whole
		}
	}
	return a, nil
}

// ID is the record's ID, usually "<urn:uuid:...>".
func (r *Record) ID() string { return strings.TrimSpace(r.Header.Get("Warc-Record-Id")) }

// Profiles of revisit records (WARC 1.1, 6.7).
const (
	SamePayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	NotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)

// RefersTo returns the ID, URL and date of the record that a revisit refers to, each "" if absent.
func (r *Record) RefersTo() (id, url, date string) {
	if r.Type() != "revisit" {
		return "", "", ""
	}
	return strings.TrimSpace(r.Header.Get("Warc-Refers-To")), unbracket(r.Header.Get("Warc-Refers-To-Target-Uri")),
		strings.TrimSpace(r.Header.Get("Warc-Refers-To-Date"))
}
