package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

// digest identifies a payload, so collisions must be infeasible. SHA-256 is as fast here as the usual SHA-1.
type digest [sha256.Size]byte

func (d digest) String() string { return "sha256:" + hex.EncodeToString(d[:]) }

// urn is a record ID as written in a WARC header.
func urn(id uuid.UUID) string { return "<" + id.URN() + ">" }

// original is a record that later ones with the same payload may refer to.
type original struct {
	id  uuid.UUID
	url string
	at  time.Time
	in  crawler.Place
}

const (
	minRevisit = 512     // bytes of the payload; below, a revisit record would be no smaller
	maxKnown   = 200_000 // originals remembered, about 60 MB with their URLs
)

// item is an exchange to be written.
type item struct {
	fetch.Exchange
	payload  digest
	original *original // with the same payload, nil if there is none
	id       uuid.UUID
	at       int64 // bytes from the start of the batch's data to the response record
}

// batch is the data of one call of Write.
type batch struct {
	items []item
	data  bytes.Buffer // records
	block bytes.Buffer // the head of one record's block
}

// add adds the exchanges that have an answer.
func (b *batch) add(exchanges []fetch.Exchange) {
	for _, e := range exchanges {
		if e.Status != 0 {
			b.items = append(b.items, item{Exchange: e, payload: sha256.Sum256(e.Body)})
		}
	}
}

// originals looks up the originals of a batch's payloads, and returns the generation for which they are valid.
func (a *Archive) originals(b *batch) (generation int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range b.items {
		it := &b.items[i]
		it.original = nil
		if o, ok := a.known[it.payload]; ok && it.canRevisit() {
			it.original = &o
		}
	}
	return a.generation
}

func (it *item) canRevisit() bool {
	return len(it.Body) >= minRevisit && !it.Truncated && it.Status != http.StatusNotModified
}

// remember lets later records refer to one that was written; mu is held.
func (a *Archive) remember(it *item, in crawler.Place) {
	if it.original == nil && it.canRevisit() && len(a.known) < maxKnown {
		if _, ok := a.known[it.payload]; !ok {
			a.known[it.payload] = original{it.id, it.URL, it.At, in}
		}
	}
}

// encode makes the records of a batch.
func (b *batch) encode() error {
	b.data.Reset()
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

// date formats a time as in WARC 1.1.
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
	if it.Status == http.StatusNotModified || it.original != nil {
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
	case it.original != nil:
		fields = append(fields, refersTo(it.payload, *it.original)...)
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

// refersTo returns the fields of a revisit record for the payload of an earlier record.
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

// splitURL splits a canonical URL into the host and the path of a request.
func splitURL(url string) (host, path string) {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, "/"
}

// protocol is the WARC-Protocol name of a protocol. The block is always written as HTTP/1.1.
func protocol(proto string) string {
	if strings.HasPrefix(proto, "HTTP/2") {
		return "h2"
	}
	return strings.ToLower(proto)
}

// truncated is the WARC-Truncated value (WARC 1.1, 5.13) of a body that was cut, "" for a complete one.
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
	return appendInfo(b, name, a.o.Software, a.night, a.about, a.now())
}

// appendInfo appends the warcinfo record of a file. partOf may be "".
func appendInfo(b *bytes.Buffer, name, software, partOf string, about About, now time.Time) error {
	var block bytes.Buffer
	for _, f := range []warc.Field{
		{Name: "software", Value: software},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "conformsTo", Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		{Name: "robots", Value: "obey"},
		{Name: "operator", Value: about.Operator},
		{Name: "http-header-user-agent", Value: about.UserAgent},
		{Name: "isPartOf", Value: partOf},
		{Name: "description", Value: about.Description},
	} {
		if f.Value != "" {
			fmt.Fprintf(&block, "%s: %s\r\n", f.Name, oneLine(f.Value))
		}
	}
	return warc.Append(b, []warc.Field{
		{Name: "WARC-Type", Value: "warcinfo"},
		{Name: "WARC-Date", Value: date(now)},
		{Name: "WARC-Record-ID", Value: urn(uuid.New())},
		{Name: "WARC-Filename", Value: name},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, block.Bytes())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
