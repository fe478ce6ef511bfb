package session

import (
	"crypto/sha256"
	"errors"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/protocol"
	"nightjar/model/webgraph"
)

// Event is an event that was admitted: it has the right form, its addresses carry no secrets, and its snapshot was read.
type Event struct {
	protocol.Event
	Hash  []byte // SHA-256 of a snapshot's HTML
	Size  int    // bytes of a snapshot's HTML
	Shown Shown
}

// Shown is what a snapshot shows, as far as the lists and counts of sessions need it.
type Shown struct {
	Title    string `json:"title,omitempty"`
	RealText bool   `json:"real_text,omitempty"` // see webgraph.RealText
	Password bool   `json:"-"`                   // a field for one; of such a page nothing is kept
}

// Refusal is an event that will never be stored.
type Refusal struct {
	ID      string
	Code    protocol.Code
	Message string
}

func refusal(id string, err error) Refusal { return Refusal{id, protocol.CodeOf(err), err.Error()} }

// somewhere is the address by which a snapshot is read before it is known which page it shows. Only links depend on it.
const somewhere = "http://somewhere.invalid/"

// Admit takes the secrets out of an event's addresses and reads its snapshot. html is what protocol.Event.Open returned.
// The error is a *protocol.Invalid.
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
	if e.Type == protocol.Snapshot {
		p, err := page.Parse(somewhere, page.ContentUTF8, html)
		if err != nil {
			return Event{}, &protocol.Invalid{ID: e.ID, Code: protocol.BadField, Message: "html: " + err.Error()}
		}
		hash := sha256.Sum256(html)
		a.Hash, a.Size, a.Shown = hash[:], len(html), shown(p)
	}
	return a, nil
}

// AdmitAll admits events. Those that break the format, or whose address cannot be one of a page, are refused.
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

// Withheld says why nothing may be kept of the page load that an event is about, "" when it may: its host is among those
// that are never recorded, or the page asks for a password.
func (e *Event) Withheld(never []string) protocol.Code {
	switch {
	case e.URL != "" && protocol.Never(never, e.URL):
		return protocol.NeverRecord
	case e.Shown.Password:
		return protocol.PasswordPage
	}
	return ""
}

// Bare takes out of an event what it says of a page load of which nothing may be kept.
func (e *Event) Bare() { e.URL, e.Title, e.Requested, e.Name = "", "", "", "" }
