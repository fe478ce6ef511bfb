package protocol

import "strconv"

// Types of messages that are neither events nor part of a handshake.
const (
	TypeAck       = "ack"
	TypeRefuse    = "refuse"
	TypeState     = "state"
	TypePing      = "ping"
	TypePong      = "pong"
	TypeDashboard = "dashboard"
	TypeKnown     = "known"
	TypeNever     = "never"
)

// Envelope holds the fields from which the receiver learns what a message is.
type Envelope struct {
	Type string `json:"type"`
	ID   string `json:"id"` // events only
}

// Ack says that the events with these ids are durable.
type Ack struct {
	Type string   `json:"type"`
	IDs  []string `json:"ids"`
}

// Refuse refuses an event or, without ID, the connection.
type Refuse struct {
	Type    string `json:"type"`
	ID      string `json:"id,omitempty"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// State is what the extension shows in one browser. The daemon sends it after the handshake and whenever it changes.
type State struct {
	Type     string         `json:"type"`
	Session  *SessionState  `json:"session"`           // the browser's newest session, or null
	Topics   []string       `json:"topics"`            // the one used last first
	Open     []OpenSession  `json:"open,omitempty"`    // sessions of other browsers that this one may join
	Names    []string       `json:"names"`             // milestones of the session's topic, to offer
	Training *TrainingState `json:"training"`          // null when there was no training since the daemon's start
	Problem  string         `json:"problem"`           // for people; "" without a problem
	Never    []string       `json:"never"`             // hosts of the never-record list; it includes their subdomains
	Refused  int            `json:"refused"`           // events of this browser refused since the daemon's start
	Learned  string         `json:"learned,omitempty"` // path of the dashboard's page that shows what was learned from the session
	PDFs     bool           `json:"pdfs,omitempty"`    // the text of every PDF is read, also of one that is not marked
	Knows    bool           `json:"knows,omitempty"`   // the daemon answers a KnownRequest; one that does not would take it for nonsense
}

// Statuses of a session in a State.
const (
	StatusRecording = "recording"
	StatusPaused    = "paused"
	StatusSubmitted = "submitted"
	StatusNone      = "none" // discarded or erased
)

// SessionState describes the session in a State.
type SessionState struct {
	ID       string   `json:"id"`
	Topic    string   `json:"topic"`
	Status   string   `json:"status"`
	Pages    int      `json:"pages"` // of the whole, with what other browsers recorded of it
	Useful   int      `json:"useful"`
	Browsers []string `json:"browsers,omitempty"` // names of the other browsers that record it, too
	Close    bool     `json:"close,omitempty"`    // another browser submitted it, so this one must submit its part
	Began    *Search  `json:"began,omitempty"`    // nil when it did not begin with a search
}

// Search is the search with which a session began.
type Search struct {
	Query  string `json:"query"`
	Engine string `json:"engine"` // its name, for people
}

// OpenSession is an open session of other browsers.
type OpenSession struct {
	ID      string `json:"id"`
	Topic   string `json:"topic"`
	Browser string `json:"browser"` // names of the browsers
	Pages   int    `json:"pages"`
	Useful  int    `json:"useful"`
}

// TrainingState is the progress of a training.
type TrainingState struct {
	Topic   string `json:"topic"`
	Stage   string `json:"stage"`
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Running bool   `json:"running"`
}

// Plain is a message without fields: ping and pong.
type Plain struct {
	Type string `json:"type"`
}

// ModelPath is the path of the dashboard's page about the newest model of a topic.
func ModelPath(topicID int64) string { return "/model/" + strconv.FormatInt(topicID, 10) }

// DashboardRequest asks for a link to the dashboard.
type DashboardRequest struct {
	Type string `json:"type"`
	Path string `json:"path,omitempty"` // of one of its pages, as in State.Learned; "" for the first page
}

// NeverRequest asks that a host is never recorded again, in no browser, and that what an open session has of it is deleted.
// The State that follows has the host on its list.
type NeverRequest struct {
	Type    string `json:"type"`
	V       int    `json:"v"`
	ID      string `json:"id"` // with which it is refused
	Host    string `json:"host"`
	Session string `json:"session"` // UUID, "" for none
}

// Dashboard carries a one-time link to the dashboard.
type Dashboard struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}
