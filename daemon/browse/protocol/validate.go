package protocol

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Longest texts of an event. The extension cuts longer titles.
const (
	MaxURL   = 16 << 10 // bytes
	MaxTitle = 2000     // characters
	MaxTopic = 200      // characters
	MaxLabel = 100      // characters
	maxSeq   = 1<<53 - 1
)

// Decode reads one event and validates it. Fields that the format does not have are refused. The error is an *Invalid.
func Decode(data []byte) (Event, error) {
	e, _, err := Open(data)
	return e, err
}

// Open is Decode, and returns a snapshot's HTML, too.
func Open(data []byte) (e Event, html []byte, err error) {
	if len(data) > MaxMessage {
		return e, nil, invalid(TooLarge, "the event is larger than %d bytes", MaxMessage)
	}
	if !startsObject(data) {
		return e, nil, invalid(BadJSON, "not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(&e)
	if err == nil && len(bytes.TrimSpace(data[d.InputOffset():])) > 0 {
		err = errors.New("something follows the event")
	}
	if err != nil {
		return e, nil, undecoded(data, err)
	}
	html, err = e.Open()
	return e, html, err
}

// undecoded returns why data is not an event. It checks version and type first, if they can be read, since an event of
// another version or type may have other fields.
func undecoded(data []byte, err error) *Invalid {
	var head struct {
		V    any
		ID   any
		Type any
	}
	if json.Unmarshal(data, &head) != nil {
		return invalid(BadJSON, "not a JSON object: %v", err)
	}
	answer := invalid(BadField, "%s", strings.TrimPrefix(err.Error(), "json: "))
	if v, ok := head.V.(float64); ok && v != Version {
		answer = invalid(BadVersion, "unknown version %v of the wire format; only version %d is supported", v, Version)
	} else if name, ok := head.Type.(string); ok && forms[Type(name)] == nil {
		answer = invalid(UnknownType, "unknown event type %q", cut(name))
	}
	answer.ID, _ = head.ID.(string)
	return answer
}

func startsObject(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
}

// field is a set of an event's optional fields.
type field uint16

const (
	fTopic field = 1 << iota
	fPage
	fURL
	fTitle
	fHow
	fFrom
	fRequested
	fHTML
	fTruncated
	fParent
	fKind
	fName
	fMedia
	fJoins
	fWhole
	fOwn
)

var fieldNames = []string{"topic", "page", "url", "title", "how", "from", "requested", "html", "truncated", "parent", "kind", "name", "media", "joins", "whole", "own"}

// form is the fields that events of one type must have and those that they may have.
type form struct{ must, may field }

var forms = map[Type]*form{
	SessionStart:  {must: fTopic, may: fTitle | fJoins},
	Visit:         {must: fPage | fURL | fHow, may: fTitle | fFrom | fRequested | fMedia | fOwn},
	Snapshot:      {must: fPage | fHTML, may: fTruncated},
	Back:          {must: fPage, may: fFrom},
	Forward:       {must: fPage, may: fFrom},
	Frame:         {must: fPage | fParent | fURL | fKind, may: fOwn},
	Useful:        {must: fPage},
	NotUseful:     {must: fPage},
	LinkUseful:    {must: fPage | fURL, may: fOwn},
	LinkNotUseful: {must: fPage | fURL, may: fOwn},
	Label:         {must: fPage, may: fName},
	SessionPause:  {},
	SessionResume: {},
	Submit:        {},
	Discard:       {may: fWhole},
}

// present returns the set of optional fields that e has.
func present(e Event) field {
	has := [...]bool{e.Topic != "", e.Page != "", e.URL != "", e.Title != "", e.How != "", e.From != "",
		e.Requested != "", e.HTML != nil, e.Truncated, e.Parent != "", e.Kind != "", e.Name != "", e.Media != "", e.Joins != "", e.Whole, e.Own}
	var set field
	for i, yes := range has {
		if yes {
			set |= 1 << i
		}
	}
	return set
}

func (f field) String() string {
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			return name
		}
	}
	return ""
}

// Validate checks everything that can be checked without the events before e. The error is an *Invalid.
func Validate(e Event) error {
	_, err := e.Open()
	return err
}

// Open validates e and returns a snapshot's HTML, or nil for other events. The error is an *Invalid.
func (e Event) Open() (html []byte, err error) {
	bad := validate(e)
	if bad == nil && e.Type == Snapshot {
		html, bad = unpack(e.HTML)
	}
	if bad != nil {
		bad.ID = e.ID
		return nil, bad
	}
	return html, nil
}

// validate checks everything except a snapshot's HTML.
func validate(e Event) *Invalid {
	if e.V != Version {
		return invalid(BadVersion, "unknown version %d of the wire format; only version %d is supported", e.V, Version)
	}
	form := forms[e.Type]
	switch {
	case e.Type == "":
		return invalid(MissingField, "the event has no type")
	case form == nil:
		return invalid(UnknownType, "unknown event type %q", cut(string(e.Type)))
	}
	if err := head(e); err != nil {
		return err
	}
	has := present(e)
	if missing := form.must &^ has; missing != 0 {
		return invalid(MissingField, "%s needs %s", e.Type, missing)
	}
	if extra := has &^ (form.must | form.may); extra != 0 {
		return invalid(BadField, "%s has no field %s", e.Type, extra)
	}
	return values(e)
}

// head checks the fields that every event has.
func head(e Event) *Invalid {
	for _, id := range []struct {
		name, value string
		seven       bool
	}{{"id", e.ID, true}, {"client", e.Client, false}, {"session", e.Session, true}} {
		if id.value == "" {
			return invalid(MissingField, "the event has no %s", id.name)
		}
		if !UUID(id.value) || id.seven && id.value[14] != '7' {
			return invalid(BadField, "%s %q is not a UUID of the required version in lower case", id.name, cut(id.value))
		}
	}
	switch _, offset := e.At.Zone(); {
	case e.At.IsZero():
		return invalid(MissingField, "the event has no time")
	case offset != 0:
		return invalid(BadField, "at %s is not UTC", e.At.Format(time.RFC3339))
	case e.At.Year() < 1970 || e.At.Year() > 9999:
		return invalid(BadField, "at is in the year %d, not between 1970 and 9999", e.At.Year())
	}
	if e.Seq < 1 || e.Seq > maxSeq {
		return invalid(BadField, "seq %d is not between 1 and 2^53-1", e.Seq)
	}
	if e.Tab < -1 || e.Tab > maxSeq || e.Frame < -1 || e.Frame > maxSeq {
		return invalid(BadField, "tab %d or frame %d is out of range", e.Tab, e.Frame)
	}
	return nil
}

// values checks the values of the optional fields.
func values(e Event) *Invalid {
	for _, id := range [][2]string{{"page", e.Page}, {"from", e.From}, {"parent", e.Parent}, {"joins", e.Joins}} {
		if id[1] != "" && (!UUID(id[1]) || id[1][14] != '7') {
			return invalid(BadField, "%s %q is not a UUID of version 7", id[0], cut(id[1]))
		}
	}
	for _, address := range [][2]string{{"url", e.URL}, {"requested", e.Requested}} {
		if err := webURL(address[0], address[1]); err != nil {
			return err
		}
	}
	for _, text := range []struct {
		name, value string
		max         int
	}{{"topic", e.Topic, MaxTopic}, {"title", e.Title, MaxTitle}, {"name", e.Name, MaxLabel}} {
		if n := utf8.RuneCountInString(text.value); n > text.max {
			return invalid(TooLarge, "%s has %d characters; the limit is %d", text.name, n, text.max)
		}
	}
	names := [][2]string{{"topic", e.Topic}, {"name", e.Name}}
	if e.Type == SessionStart {
		if n := utf8.RuneCountInString(e.Title); n > MaxTopic {
			return invalid(TooLarge, "title has %d characters; the limit is %d", n, MaxTopic)
		}
		names = append(names, [2]string{"title", e.Title})
	}
	for _, name := range names {
		if name[1] != "" && (strings.TrimSpace(name[1]) != name[1] || strings.ContainsFunc(name[1], unicode.IsControl)) {
			return invalid(BadField, "%s %q starts or ends with white space, or contains control characters", name[0], cut(name[1]))
		}
	}
	switch {
	case e.How != "" && !hows[e.How]:
		return invalid(BadField, "unknown value %q of how", cut(e.How))
	case e.Kind != "" && e.Kind != KindFrame && e.Kind != KindIframe:
		return invalid(BadField, "unknown value %q of kind", cut(e.Kind))
	case e.Media != "" && e.Media != MediaPDF && e.Media != MediaText:
		return invalid(BadField, "unknown value %q of media", cut(e.Media))
	case e.Joins != "" && e.Joins == e.Session:
		return invalid(BadField, "a session cannot join itself")
	case e.Type == Frame && e.Page == e.Parent:
		return invalid(BadField, "a frame cannot contain itself")
	}
	return nil
}

var hows = map[string]bool{HowTyped: true, HowLink: true, HowBookmark: true, HowReload: true, HowForm: true, HowNewTab: true, HowOther: true}

// webURL checks that a URL is empty, or absolute with the scheme http or https and a host.
func webURL(name, raw string) *Invalid {
	if raw == "" {
		return nil
	}
	if len(raw) > MaxURL {
		return invalid(TooLarge, "%s has %d bytes; the limit is %d", name, len(raw), MaxURL)
	}
	scheme, _, _ := strings.Cut(raw, ":")
	scheme = strings.ToLower(scheme)
	if scheme != "http" && scheme != "https" {
		return invalid(BadURL, "%s %q is not an http or https URL", name, cut(raw))
	}
	// Browsers send escapes that net/url refuses ("%zz"), so only the part before the path is parsed.
	rest, ok := strings.CutPrefix(raw[len(scheme):], "://")
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	u, err := url.Parse(scheme + "://" + authority)
	if !ok || err != nil || u.Hostname() == "" || strings.ContainsFunc(raw, unicode.IsControl) {
		return invalid(BadURL, "%s %q is not an absolute URL", name, cut(raw))
	}
	return nil
}

// Unpack returns a snapshot's HTML: valid UTF-8 of at most MaxHTML bytes. The error is an *Invalid.
func (e Event) Unpack() ([]byte, error) {
	html, err := unpack(e.HTML)
	if err != nil {
		err.ID = e.ID
		return nil, err
	}
	return html, nil
}

func unpack(packed []byte) ([]byte, *Invalid) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, invalid(BadField, "html is not gzip: %v", err)
	}
	html, err := io.ReadAll(io.LimitReader(z, MaxHTML+1))
	switch {
	case err != nil:
		return nil, invalid(BadField, "html cannot be decompressed: %v", err)
	case len(html) > MaxHTML:
		return nil, invalid(TooLarge, "html is larger than %d bytes", MaxHTML)
	case !utf8.Valid(html):
		return nil, invalid(BadField, "html is not valid UTF-8")
	}
	return html, nil
}

// Pack returns the html field of a snapshot with this HTML.
func Pack(html []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(html) // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// UUID reports whether s is a UUID in lower-case hexadecimal with hyphens, of any version.
func UUID(s string) bool {
	id, err := uuid.Parse(s) // which reads other forms, too
	return err == nil && id.String() == s
}

// cut shortens a value for a message.
func cut(s string) string {
	if len(s) > 80 {
		return fmt.Sprintf("%s…", strings.ToValidUTF8(s[:80], ""))
	}
	return s
}
