package work

import "context"

// Desk is the daemon's side for workers: it gives out tasks and keeps results. A broker carries the calls; it has checked that each
// comes from the worker that it names, and nothing else. Its methods may be called concurrently.
type Desk interface {
	// Hello lets a worker in or refuses it. A worker says hello again after each new connection.
	Hello(ctx context.Context, h Hello) Welcome
	// Grant gives a worker tasks. It may wait for one, but ends when ctx does: the worker then asked again or went away.
	Grant(ctx context.Context, worker string, ask Ask) Grant
	// Arrive keeps results and says of each what it was. After an error none is kept, and all come again.
	Arrive(ctx context.Context, results []Arrival) ([]Verdict, error)
	// Beat notes that a worker is alive.
	Beat(worker string, b Beat)
	// Gone notes that a worker's connection ended; it may come back.
	Gone(worker string)
}

// Arrival is a result as a worker sent it.
type Arrival struct {
	Worker string // whose connection brought it
	Data   []byte // see Decode
}

// Verdict is what a result was.
type Verdict int

// The verdicts. After each of them the result is forgotten by the broker.
const (
	Kept      Verdict = iota + 1
	Duplicate         // its task has a result already
	Unknown           // there is no such task, or it was cancelled
	Malformed         // it cannot be read, or does not fit its task
)
