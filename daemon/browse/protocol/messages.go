// Package protocol defines the wire format between extension and daemon, which is also the format of session files:
// JSON objects, one per WebSocket message or one per line. extension/types/protocol.d.ts describes the same format, and
// the vectors in testdata test both.
package protocol

import "time"

// Version is the version of the wire format. The daemon refuses messages of other versions.
const Version = 1

// MaxMessage is the size in bytes of the largest message that either side accepts.
const MaxMessage = 8 << 20

// MaxHTML is the size in bytes of a snapshot's HTML before compression.
const MaxHTML = 4 << 20

// Type says what an event reports.
type Type string

// The events of a session.
const (
	SessionStart  Type = "session.start"
	Visit         Type = "visit"
	Snapshot      Type = "snapshot"
	Back          Type = "back"
	Forward       Type = "forward"
	Frame         Type = "frame"
	Useful        Type = "useful"
	NotUseful     Type = "not-useful"
	LinkUseful    Type = "link-useful"     // the person says of a link that it looks useful
	LinkNotUseful Type = "link-not-useful" // takes that back
	Label         Type = "label"
	SessionPause  Type = "session.pause"
	SessionResume Type = "session.resume"
	Submit        Type = "submit"
	Discard       Type = "discard"
)

// Values of Event.How: how the person came to a page.
const (
	HowTyped    = "typed"
	HowLink     = "link"
	HowBookmark = "bookmark"
	HowReload   = "reload"
	HowForm     = "form"
	HowNewTab   = "new-tab"
	HowOther    = "other"
)

// Values of Event.Kind.
const (
	KindFrame  = "frame"
	KindIframe = "iframe"
)

// Values of Event.Media.
const (
	MediaPDF  = "pdf"
	MediaText = "text"
)

// Event is one thing that happened in the browser. The extension numbers events before it queues them.
type Event struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`      // UUIDv7
	Client  string    `json:"client"`  // UUID of this installation of the extension
	Seq     int64     `json:"seq"`     // counts up per client
	Session string    `json:"session"` // UUIDv7
	Tab     int64     `json:"tab"`
	Frame   int64     `json:"frame"`
	At      time.Time `json:"at"` // UTC with milliseconds; does not order events
	Type    Type      `json:"type"`

	Topic     string `json:"topic,omitempty"`     // session.start
	Page      string `json:"page,omitempty"`      // UUIDv7 of the page load
	URL       string `json:"url,omitempty"`       // visit, frame; link-useful, link-not-useful: where the link leads
	Title     string `json:"title,omitempty"`     // visit; session.start: the session's name if it has one of its own
	How       string `json:"how,omitempty"`       // visit
	From      string `json:"from,omitempty"`      // visit, back, forward: the page load before it
	Requested string `json:"requested,omitempty"` // visit: the URL before redirects, an alias of URL; empty if equal
	Media     string `json:"media,omitempty"`     // visit: what the page is when it is not HTML
	HTML      []byte `json:"html,omitempty"`      // snapshot: UTF-8 compressed with gzip; base64 in JSON
	Truncated bool   `json:"truncated,omitempty"` // snapshot: the HTML was cut at MaxHTML
	Own       bool   `json:"own,omitempty"`       // visit, frame, link-useful, link-not-useful: the person lets pages of their own network be recorded
	Parent    string `json:"parent,omitempty"`    // frame: the page load that contains it
	Kind      string `json:"kind,omitempty"`      // frame
	Name      string `json:"name,omitempty"`      // label: the milestone's name; without one, the page is no milestone any more
	Joins     string `json:"joins,omitempty"`     // session.start: UUIDv7 of another browser's session that this one belongs to
	Whole     bool   `json:"whole,omitempty"`     // discard: what other browsers recorded of the session is deleted, too
}
