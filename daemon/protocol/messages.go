// Package protocol is the wire format between extension and daemon, and the session file: JSON objects, one a
// WebSocket message or one a line. extension/types/protocol.d.ts describes the same format; testdata/ pins both.
package protocol

import "time"

// Version is the wire format's version. A message of another version is refused.
const Version = 1

// MaxMessage is the size in bytes of the largest message either side accepts.
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
	Label         Type = "label"
	SessionPause  Type = "session.pause"
	SessionResume Type = "session.resume"
	Submit        Type = "submit"
	Discard       Type = "discard"
)

// How a visit came about.
const (
	HowTyped    = "typed"
	HowLink     = "link"
	HowBookmark = "bookmark"
	HowReload   = "reload"
	HowForm     = "form"
	HowNewTab   = "new-tab"
	HowOther    = "other"
)

// Kinds of frame.
const (
	KindFrame  = "frame"
	KindIframe = "iframe"
)

// Event is one thing that happened while browsing, made and numbered in the extension before it is queued.
type Event struct {
	V       int       `json:"v"`
	ID      string    `json:"id"`      // UUIDv7
	Client  string    `json:"client"`  // UUID of the browser's installation
	Seq     int64     `json:"seq"`     // counts up per client
	Session string    `json:"session"` // UUIDv7
	Tab     int64     `json:"tab"`
	Frame   int64     `json:"frame"`
	At      time.Time `json:"at"` // UTC, milliseconds; never used to order events
	Type    Type      `json:"type"`

	Topic     string `json:"topic,omitempty"`     // session.start
	Page      string `json:"page,omitempty"`      // UUIDv7 of the page load
	URL       string `json:"url,omitempty"`       // visit, frame
	Title     string `json:"title,omitempty"`     // visit
	How       string `json:"how,omitempty"`       // visit
	From      string `json:"from,omitempty"`      // visit, back, forward: page load it came from
	Requested string `json:"requested,omitempty"` // visit: when it differs from URL, an alias of it
	HTML      []byte `json:"html,omitempty"`      // snapshot: gzip of UTF-8 (base64 in JSON)
	Truncated bool   `json:"truncated,omitempty"` // snapshot: HTML was cut at MaxHTML
	Parent    string `json:"parent,omitempty"`    // frame: page load that holds it
	Kind      string `json:"kind,omitempty"`      // frame
	Name      string `json:"name,omitempty"`      // label
}
