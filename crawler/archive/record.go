package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

// Payloads are compared, so that their digests must be hard to collide; SHA-256 is as quick here as the usual SHA-1.
type digest [sha256.Size]byte

func (d digest) String() string { return "sha256:" + hex.EncodeToString(d[:]) }

// urn is a record's name as a WARC header writes it.
func urn(id uuid.UUID) string { return "<" + id.URN() + ">" }

// original is a record whose payload later ones may refer to.
type original struct {
	id  uuid.UUID
	url string
	at  time.Time
	in  crawler.Place
}

const (
	minRevisit = 512     // bytes: a revisit record of a shorter payload would be no smaller
	maxKnown   = 200_000 // originals that are remembered, about 60 MB with their URLs
)

// item is an exchange on its way into a file.
type item struct {
	fetch.Exchange
	payload digest
	same    *original // that has this payload already
	id      uuid.UUID
	at      int64 // bytes from the start of the batch's data to the response record
}

// batch is what one call of Write keeps.
type batch struct {
	items []item
	data  bytes.Buffer // records
	block bytes.Buffer // the head of one record's block
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// take begins a batch with the exchanges that have an answer.
func (b *batch) take(exchanges []fetch.Exchange) {
	for _, e := range exchanges {
		if e.Status != 0 {
			b.items = append(b.items, item{Exchange: e, payload: sha256.Sum256(e.Body)})
		}
	}
}

// originals finds the payloads of a batch that were kept before. It returns the generation that this holds for.
func (a *Archive) originals(b *batch) (generation int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range b.items {
		it := &b.items[i]
		it.same = nil
		if o, ok := a.known[it.payload]; ok && it.canRevisit() {
			it.same = &o
		}
	}
	return a.generation
}

func (it *item) canRevisit() bool {
	return len(it.Body) >= minRevisit && !it.Truncated && it.Status != http.StatusNotModified
}

// learn lets later records refer to one that is written; mu is held.
func (a *Archive) learn(it *item, in crawler.Place) {
	if it.same == nil && it.canRevisit() && len(a.known) < maxKnown {
		if _, ok := a.known[it.payload]; !ok {
			a.known[it.payload] = original{it.id, it.URL, it.At, in}
		}
	}
}

// free gives up what belongs to a call of Write.
func (b *batch) free() {
	clear(b.items)
	b.items = b.items[:0]
	batches.Put(b)
}

// encode makes the records of a batch.
func (b *batch) encode() error {
	b.data.Reset()
	if b.data.Cap() > 4<<20 { // one large page must not be held for ever
		b.data = bytes.Buffer{}
	}
	for i := range b.items {
		it := &b.items[i]
		it.id, it.at = uuid.New(), int64(b.data.Len())
		if err := b.answer(it); err != nil {
			return fmt.Errorf("%.200s: %w", it.URL, err)
		}
		if err := b.request(it); err != nil {
			return fmt.Errorf("%.200s: %w", it.URL, err)
		}
	}
	return nil
}

// date is a moment as WARC 1.1 writes it.
func date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// answer appends the response or revisit record.
func (b *batch) answer(it *item) error {
	b.block.Reset()
	fmt.Fprintf(&b.block, "HTTP/1.1 %d %s\r\n", it.Status, http.StatusText(it.Status))
	if err := it.Header.Write(&b.block); err != nil {
		return err
	}
	b.block.WriteString("\r\n")
	body := it.Body
	fields := []warc.Field{{Name: "WARC-Type", Value: "response"}}
	if it.Status == http.StatusNotModified || it.same != nil {
		fields[0].Value, body = "revisit", nil
	}
	fields = append(fields,
		warc.Field{Name: "WARC-Target-URI", Value: it.URL},
		warc.Field{Name: "WARC-Date", Value: date(it.At)},
		warc.Field{Name: "WARC-Record-ID", Value: urn(it.id)},
		warc.Field{Name: "WARC-IP-Address", Value: it.Addr},
		warc.Field{Name: "WARC-Protocol", Value: protocol(it.Proto)},
	)
	switch {
	case it.Status == http.StatusNotModified:
		fields = append(fields,
			warc.Field{Name: "WARC-Profile", Value: warc.NotModified},
			warc.Field{Name: "WARC-Refers-To-Target-URI", Value: it.URL})
	case it.same != nil:
		fields = append(fields, refersTo(it.payload, *it.same)...)
	default:
		fields = append(fields, warc.Field{Name: "WARC-Payload-Digest", Value: it.payload.String()},
			warc.Field{Name: "WARC-Truncated", Value: truncated(&it.Exchange)})
	}
	fields = append(fields, warc.Field{Name: fetch.PurposeField, Value: string(it.Purpose)},
		warc.Field{Name: "Content-Type", Value: "application/http;msgtype=response"})
	if it.Header.Get("Content-Encoding") != "" {
		return warc.AppendStored(&b.data, fields, b.block.Bytes(), body)
	}
	return warc.Append(&b.data, fields, b.block.Bytes(), body)
}

// refersTo are the fields of a revisit record for a payload that an earlier record has.
func refersTo(payload digest, o original) []warc.Field {
	return []warc.Field{
		{Name: "WARC-Payload-Digest", Value: payload.String()},
		{Name: "WARC-Profile", Value: warc.SamePayload},
		{Name: "WARC-Refers-To", Value: urn(o.id)},
		{Name: "WARC-Refers-To-Target-URI", Value: o.url},
		{Name: "WARC-Refers-To-Date", Value: date(o.at)},
		{Name: placeField, Value: fmt.Sprintf("%s@%d", o.in.File, o.in.Offset)},
	}
}

// request appends the request record.
func (b *batch) request(it *item) error {
	b.block.Reset()
	host, path := splitURL(it.URL)
	fmt.Fprintf(&b.block, "GET %s HTTP/1.1\r\nHost: %s\r\n", path, host)
	if err := it.RequestHeader.Write(&b.block); err != nil {
		return err
	}
	b.block.WriteString("\r\n")
	return warc.Append(&b.data, []warc.Field{
		{Name: "WARC-Type", Value: "request"},
		{Name: "WARC-Target-URI", Value: it.URL},
		{Name: "WARC-Date", Value: date(it.At)},
		{Name: "WARC-Record-ID", Value: urn(uuid.New())},
		{Name: "WARC-Concurrent-To", Value: urn(it.id)},
		{Name: "WARC-IP-Address", Value: it.Addr},
		{Name: "Content-Type", Value: "application/http;msgtype=request"},
	}, b.block.Bytes())
}

// splitURL takes a canonical URL apart as a request does.
func splitURL(url string) (host, path string) {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, "/"
}

// protocol is the name that WARC-Protocol has for what was spoken. The block always looks like HTTP/1.1.
func protocol(proto string) string {
	if strings.HasPrefix(proto, "HTTP/2") {
		return "h2"
	}
	return strings.ToLower(proto)
}

// truncated is the reason word of WARC 1.1, 5.13 for a body that was cut, "" for a whole one.
func truncated(e *fetch.Exchange) string {
	switch {
	case !e.Truncated:
		return ""
	case e.Cut == "" || e.Cut == fetch.TooLarge:
		return "length"
	case e.Cut == fetch.Timeout:
		return "time"
	}
	return "disconnect"
}

// appendInfo appends the first record of a file; mu is held.
func (a *Archive) appendInfo(b *bytes.Buffer, name string) error {
	var block bytes.Buffer
	for _, f := range []warc.Field{
		{Name: "software", Value: a.o.Software},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "conformsTo", Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		{Name: "robots", Value: "obey"},
		{Name: "operator", Value: a.about.Operator},
		{Name: "http-header-user-agent", Value: a.about.UserAgent},
		{Name: "isPartOf", Value: a.night},
		{Name: "description", Value: a.about.Description},
	} {
		if f.Value != "" {
			fmt.Fprintf(&block, "%s: %s\r\n", f.Name, oneLine(f.Value))
		}
	}
	return warc.Append(b, []warc.Field{
		{Name: "WARC-Type", Value: "warcinfo"},
		{Name: "WARC-Date", Value: date(a.now())},
		{Name: "WARC-Record-ID", Value: urn(uuid.New())},
		{Name: "WARC-Filename", Value: name},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, block.Bytes())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
