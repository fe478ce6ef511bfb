// Package doctor checks a daemon and its data folder for problems, and says how to fix them.
//
// Start with Examine. It reads and changes nothing, and works without a running daemon and with a damaged database: each
// check stands for itself, and one that cannot be made says why. The command line and the dashboard show the same report.
package doctor

import (
	"context"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// State says whether what was checked is well.
type State string

// The states, from best to worst.
const (
	Good    State = "good"
	Note    State = "note"    // well, but the person may want to know or change it
	Unknown State = "unknown" // it could not be checked
	Broken  State = "broken"  // something does not work until it is mended
)

// Check is the result of one check.
type Check struct {
	ID    string   `json:"id"`    // stable, for programs
	Name  string   `json:"name"`  // what was checked
	State State    `json:"state"` // how it is
	Says  string   `json:"says"`  // one sentence
	More  []string `json:"more,omitempty"`
	Fix   string   `json:"fix,omitempty"`  // what to do; "" when nothing needs doing
	Page  string   `json:"page,omitempty"` // path of the dashboard's page where that is done, "" for none
}

// Mind makes a check at least a note.
func (c *Check) Mind(fix string) {
	if c.State == Good {
		c.State, c.Fix = Note, fix
	}
}

// Break makes a check a broken one.
func (c *Check) Break(fix string) {
	if c.State != Broken {
		c.State, c.Fix = Broken, fix
	}
}

// Report is what Examine found.
type Report struct {
	At     time.Time `json:"at"`
	Checks []Check   `json:"checks"`
}

// Count returns how many checks have a state.
func (r Report) Count(s State) (n int) {
	for _, c := range r.Checks {
		if c.State == s {
			n++
		}
	}
	return n
}

// Broken reports whether something does not work.
func (r Report) Broken() bool { return r.Count(Broken) > 0 }

// Options say what to examine.
type Options struct {
	Data      string                // data folder
	Database  string                // file of the store
	Store     *store.Store          // nil when it could not be opened
	StoreErr  error                 // why not
	Faults    []string              // of the database, found when the daemon started; nil for none
	Recovered string                // what SQLite left out of the database when the daemon opened it; "" for nothing
	Hurt      func(faults []string) // called with new faults of the database; may be nil
	Listen    string                // where the daemon serves or, when none runs, would serve
	Running   *Running              // nil when no daemon runs on the data folder
	Machine   machine.State
	FillDisk  bool              // crawls do not wait for disk space
	Troubles  []trouble.Trouble // that keep the daemon from storing things now
	Openings  []string          // private addresses that the command line opens to the crawler
	Workers   *Workers          // nil when no daemon runs, or it has none

	Extension        string // folder of the extension
	ExtensionCurrent bool   // it holds the extension of this program
	Archive          string // folder of the archive

	Version  string        // of the program
	Protocol int           // version of what browsers send
	Now      time.Time     // of the machine's clock
	Limit    time.Duration // of the database check; 0 means 5 s, below 0 means none
}

// Workers is what a running daemon knows of workers on other machines.
type Workers struct {
	work.Status
	Broker work.BrokerStatus
}

// Running is a daemon that runs on the data folder.
type Running struct {
	PID   int
	Since time.Time // zero when that is not known
	Mute  bool      // it does not answer this program, as one of another version
}

// defaultLimit is the usual time limit of the database check.
const defaultLimit = 5 * time.Second

// otherLimit is the time limit of all other checks together.
const otherLimit = 10 * time.Second

// Examine makes the checks of the rows.
func Examine(ctx context.Context, o Options, rows []Row) Report {
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	e := &Examiner{Options: o}
	e.checked = e.database(ctx) // first, since nothing can be stored in a damaged one
	ctx, cancel := context.WithTimeout(ctx, otherLimit)
	defer cancel()
	r := Report{At: o.Now}
	for _, row := range rows {
		if e.Store != nil || !row.Stored {
			r.Checks = append(r.Checks, row.Check(ctx, e))
		}
	}
	return r
}

// Examiner makes the checks.
type Examiner struct {
	Options
	checked Check // of the database
}

// Row is a row of the report.
type Row struct {
	Check  func(ctx context.Context, e *Examiner) Check
	Stored bool // it reads the store, and is left out when that could not be opened
}

// Database says whether the file of the database is sound.
func Database(_ context.Context, e *Examiner) Check { return e.checked }
