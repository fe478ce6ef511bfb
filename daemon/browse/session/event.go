package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"nightjar/crawler/page"
	"nightjar/crawler/scrub"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/model/webgraph"
)

// Event is an admitted event: it follows the wire format, its addresses and those in its snapshot contain no secrets, and
// its snapshot was parsed.
type Event struct {
	protocol.Event
	Hash  []byte // SHA-256 of a snapshot's HTML
	Shown Shown
}

// Shown is what lists and counts of sessions need of a snapshot.
type Shown struct {
	Title    string `json:"title,omitempty"`
	RealText bool   `json:"real_text,omitempty"` // see webgraph.RealText
	Password bool   `json:"-"`                   // the page has a password field, so the load is withheld
}

// Refusal says why an event is not stored. The event must not be sent again.
type Refusal struct {
	ID      string
	Code    protocol.Code
	Message string
}

func refusal(id string, err error) Refusal { return Refusal{id, protocol.CodeOf(err), err.Error()} }

// somewhere is the address used to parse a snapshot before its page is known. Only links depend on it.
const somewhere = "http://somewhere.invalid/"

// Admit redacts an event's addresses, scrubs and parses its snapshot, folds the white space in a milestone's name and gives
// the address of a link its canonical form. html is the result of protocol.Event.Open. The error is a *protocol.Invalid.
func Admit(e protocol.Event, html []byte) (Event, error) {
	a := Event{Event: e}
	a.redact()
	if a.URL != "" {
		if _, err := weburl.Canonical(a.URL); err != nil {
			code := protocol.BadURL
			if errors.Is(err, weburl.ErrLong) {
				code = protocol.TooLarge
			}
			return Event{}, &protocol.Invalid{ID: e.ID, Code: code, Message: "url: " + err.Error()}
		}
	}
	if a.Links() {
		a.URL, _ = weburl.Canonical(a.URL) // which worked above
	}
	if e.Type == protocol.Label && e.Name != "" {
		name, err := protocol.MilestoneName(e.Name)
		if err != nil {
			return Event{}, &protocol.Invalid{ID: e.ID, Code: protocol.BadField, Message: err.Error()}
		}
		a.Name = name
	}
	if e.Type == protocol.Snapshot {
		if err := a.read(html); err != nil {
			return Event{}, &protocol.Invalid{ID: e.ID, Code: protocol.BadField, Message: "html: " + err.Error()}
		}
	}
	return a, nil
}

// read scrubs a snapshot and parses what is left of it. A field for a password counts wherever the page has it.
func (e *Event) read(html []byte) error {
	clean, cut := scrub.HTML(html, protocol.MaxHTML)
	p, err := page.Parse(somewhere, page.ContentUTF8, clean)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(clean)
	e.Hash, e.Shown = hash[:], shown(p)
	if bytes.Equal(clean, html) {
		return nil
	}
	e.HTML, e.Truncated = protocol.Pack(clean), e.Truncated || cut
	if p, err = page.Parse(somewhere, page.ContentUTF8, html); err == nil {
		e.Shown.Password = e.Shown.Password || p.PasswordField
	}
	return err
}

// Links reports whether an event is about a link of its page. Its address is canonical once it is admitted.
func (e *Event) Links() bool {
	return e.Type == protocol.LinkUseful || e.Type == protocol.LinkNotUseful
}

// AdmitAll admits events. It refuses those that violate the wire format or whose address cannot be canonicalized.
func AdmitAll(events []protocol.Event) (admitted []Event, refused []Refusal) {
	for _, e := range events {
		html, err := e.Open()
		var a Event
		if err == nil {
			a, err = Admit(e, html)
		}
		if err != nil {
			refused = append(refused, refusal(e.ID, err))
			continue
		}
		admitted = append(admitted, a)
	}
	return admitted, refused
}

func (e *Event) redact() {
	if e.URL != "" {
		e.URL = weburl.Redact(e.URL)
	}
	if e.Requested != "" {
		e.Requested = weburl.Redact(e.Requested)
	}
}

func shown(p *page.Page) Shown {
	return Shown{Title: p.Title, RealText: webgraph.RealText(p.Text), Password: p.PasswordField}
}

// Withheld returns why an event's page load must be withheld, as a code and in words: its page may not be stored by the
// rules, or has a password field. Otherwise it returns "". Where a link leads says nothing about its page.
func (e *Event) Withheld(rules protocol.Rules) (code protocol.Code, words string) {
	if e.URL != "" && !e.Links() {
		if words = rules.Refusal(e.URL, e.Own); words != "" {
			return protocol.NeverRecord, words
		}
	}
	if e.Shown.Password {
		return protocol.PasswordPage, "the page has a password field"
	}
	return "", ""
}

// DropAlias removes the address that a visit was requested at when the rules do not let that be stored. The page that it led
// to is no page of that host, so the visit stays: only where it came from is forgotten.
func (e *Event) DropAlias(rules protocol.Rules) {
	if e.Requested != "" && rules.Refusal(e.Requested, e.Own) != "" {
		e.Requested = ""
	}
}

// Bare removes what an event of a withheld page load says about the page.
func (e *Event) Bare() { e.URL, e.Title, e.Requested, e.Name, e.Own = "", "", "", "", false }

// packed is the form of an admitted event outside of memory.
type packed struct {
	Event    protocol.Event
	Hash     []byte
	Shown    Shown
	Password bool
}

// Pack writes an admitted event as JSON, so that it need not be admitted again.
func (e Event) Pack() ([]byte, error) {
	return json.Marshal(packed{e.Event, e.Hash, e.Shown, e.Shown.Password})
}

// Unpack reads what Pack wrote.
func Unpack(text []byte) (Event, error) {
	var p packed
	if err := json.Unmarshal(text, &p); err != nil {
		return Event{}, fmt.Errorf("a stored event was changed: %w", err)
	}
	p.Shown.Password = p.Password
	return Event{Event: p.Event, Hash: p.Hash, Shown: p.Shown}, nil
}
