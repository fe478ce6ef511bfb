package work

import (
	"errors"
	"strings"
	"time"
)

// Status is what is known of the workers at one moment.
type Status struct {
	Workers []WorkerStatus // by name
	Here    bool           // this process fetches, too, since no worker is connected and the person wants that

	Waiting int    // tasks that no worker has
	Granted int    // tasks that workers have
	Why     string // why no tasks are given at present, in words; "" when they are

	Duplicates int64 // results of tasks that were committed before, which changed nothing
	Unknown    int64 // results of no task, or of a cancelled one
	Lost       int64 // tasks that no worker brought back after all attempts
}

// State is how a worker is.
type State string

// The states of a worker.
const (
	StateInvited  State = "invited"   // it never connected
	StateReady    State = "connected" // it may ask for tasks
	StatePaused   State = "paused"    // by the person: connected, and gets no tasks
	StateDraining State = "draining"  // it ends what it has and then goes
	StateSick     State = "sick"      // it lost tasks of several hosts: it gets one at a time
	StateRefused  State = "refused"   // it said hello, and its version does not fit
	StateGone     State = "gone"      // not heard for three beats, or disconnected
	StateRevoked  State = "revoked"   // it is never let in again
)

// WorkerStatus is what is known of one worker. Its texts come from another machine.
type WorkerStatus struct {
	Name    string
	State   State
	Program string    // version of its Nightjar, "" before its first hello
	Parser  int       // page.Version; if it is another than here, pages are parsed here
	Refused string    // why it was refused, and which side to update; "" when it was not
	Since   time.Time // of its connection; zero when it has none
	Seen    time.Time // when it was last heard; zero for never

	Running int     // tasks that it has
	Unsent  int     // results that it could not hand over yet
	MaxMbit float64 // its own limit, 0 for none
	Hours   string  // its own hours, "" for always

	Pages    int64            // results committed since the invitation
	Rate     float64          // pages a second, over the last minute
	Outcomes map[string]int64 // by fetch.Outcome
	Hosts    []string         // that it holds now: one task each
	Lost     int64            // tasks that it did not bring back
	Bad      int64            // results that could not be read, or did not fit their task
	Trouble  string           // its last error in words, "" for none
	Troubled time.Time        // when
	Ahead    time.Duration    // its clock against this one's, as of its last beat; only shown
	Compared int64            // pages that were fetched again here to compare
	Differed int64            // of these, the ones that were different
}

// BrokerStatus is what is known of the broker between the daemon and the workers.
type BrokerStatus struct {
	On       bool      // workers are switched on, and the broker was opened
	External bool      // a cluster elsewhere
	Address  string    // where it listens, or the addresses of the cluster
	Answers  bool      // the daemon's own connection to it works
	Problem  string    // why the broker does not work, and what to do; "" when it does
	Ends     time.Time // of the server's certificate; zero when not known
	Queued   int       // results in the stream that were not committed
	Logins   int64     // refused logins since the start
}

// ErrName is wrapped by the errors about the name of a worker: one that cannot be, or that is taken. Their text is for people.
var ErrName = errors.New("name of a worker")

// maxName is the length of a worker's name in bytes.
const maxName = 40

// NameProblem says why a text cannot be the name of a worker, which is part of subjects; "" when it can.
func NameProblem(name string) string {
	switch {
	case name == "":
		return "give the worker a name, such as attic-pc"
	case len(name) > maxName:
		return "the name of a worker may have at most 40 letters"
	case strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}):
		return "the name of a worker may have letters from a to z, digits, - and _ only"
	}
	return ""
}
