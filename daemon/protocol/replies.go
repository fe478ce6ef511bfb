package protocol

// Types of the messages beside events; handshake.go has the handshake's.
const (
	TypeAck       = "ack"
	TypeRefuse    = "refuse"
	TypeState     = "state"
	TypePing      = "ping"
	TypePong      = "pong"
	TypeDashboard = "dashboard"
)

// Envelope is what every message has.
type Envelope struct {
	Type string `json:"type"`
	ID   string `json:"id"` // events only
}

// Ack says that the events with these ids are stored for good.
type Ack struct {
	Type string   `json:"type"`
	IDs  []string `json:"ids"`
}

// Refuse turns an event down, or with an empty ID the connection.
type Refuse struct {
	Type    string `json:"type"`
	ID      string `json:"id,omitempty"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// State is what the daemon has to say to one browser: sent after the proof and whenever it changes.
type State struct {
	Type     string         `json:"type"`
	Session  *SessionState  `json:"session"` // the browser's newest session, null without one
	Topics   []string       `json:"topics"`
	Training *TrainingState `json:"training"` // null when nothing trains or trained since the daemon's start
	Problem  string         `json:"problem"`  // in words a person understands, "" without one
	Never    []string       `json:"never"`    // hosts never recorded, subdomains included
	Refused  int            `json:"refused"`  // events of this browser refused since the daemon's start
}

// Statuses of a session as State tells them.
const (
	StatusRecording = "recording"
	StatusPaused    = "paused"
	StatusSubmitted = "submitted"
	StatusNone      = "none" // discarded or erased
)

// SessionState is one session in a State.
type SessionState struct {
	ID     string `json:"id"`
	Topic  string `json:"topic"`
	Status string `json:"status"`
	Pages  int    `json:"pages"`
	Useful int    `json:"useful"`
}

// TrainingState is how far a training is.
type TrainingState struct {
	Topic   string `json:"topic"`
	Stage   string `json:"stage"`
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Running bool   `json:"running"`
}

// Plain is a message without fields: ping, pong and the request for a dashboard link.
type Plain struct {
	Type string `json:"type"`
}

// Dashboard carries a one-time link to the dashboard.
type Dashboard struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}
