package work

import "time"

// Version is that of the messages between workers and the daemon. A worker with another one is refused in its hello.
const Version = 3

// Names of message headers.
const (
	HeaderVersion = "Nj-V" // Version
)

// Hello is what a worker says first, on nj.hello.
type Hello struct {
	Version  int       `json:"v"`
	Program  string    `json:"program"` // version of Nightjar, for people
	Parser   int       `json:"parser"`  // page.Version
	Name     string    `json:"name"`
	Parallel int       `json:"parallel"` // tasks at once
	MaxMbit  float64   `json:"max_mbit,omitempty"`
	Hours    string    `json:"hours,omitempty"` // "22:00-06:00" of the worker's clock, "" for always
	Now      time.Time `json:"now"`             // only shown to the person
}

// Welcome answers a hello.
type Welcome struct {
	Version   int    `json:"v"`
	Program   string `json:"program"`
	Refused   string `json:"refused,omitempty"` // why the worker may not work, and what to do; "" when it may
	UserAgent string `json:"user_agent,omitempty"`
	Parallel  int    `json:"parallel,omitempty"` // at most, 0 for as many as the worker offered
}

// Ask is a request for tasks, on nj.next.<worker>.
type Ask struct {
	Free int `json:"free"` // tasks that can start at once
}

// Grant answers an ask.
type Grant struct {
	Tasks []Task        `json:"tasks,omitempty"`
	Pause time.Duration `json:"pause,omitempty"` // before the next ask
	Why   string        `json:"why,omitempty"`   // there are no tasks, in words
}

// Beat says every five seconds that a worker is alive, on nj.beat.<worker>.
type Beat struct {
	Running int       `json:"running"`           // tasks
	Waiting int       `json:"waiting"`           // results that are not stored in the stream yet
	Done    int64     `json:"done"`              // tasks since its start
	Trouble string    `json:"trouble,omitempty"` // last error in words
	Now     time.Time `json:"now"`
}

// Control is an order to a worker, on nj.ctl.<worker>.
type Control struct {
	Do       string `json:"do"`                 // "drain", "stop", "pause", "go on"
	Parallel int    `json:"parallel,omitempty"` // new limit, 0 for none
	Why      string `json:"why,omitempty"`
}
