package work

import "context"

// Dispatcher gives the tasks of one crawl to hands and brings back the results. Its methods may be called concurrently. A new
// implementation must pass the suite of package worktest.
type Dispatcher interface {
	// Dispatch hands over a task; only its URL is set. It does not wait. Exactly one result with the task's URL follows; when ctx
	// ends first, soon one with the outcome fetch.Canceled.
	Dispatch(ctx context.Context, t Task)
	// Results returns the channel of the results. Whoever dispatches must receive.
	Results() <-chan Result
	// Width is how many tasks can be under way at present, at least 1.
	Width() int
	// Durable reports whether the dispatcher itself stores its tasks: after a restart, Dispatch of the same URL takes up the task
	// that is under way, or returns the result that arrived meanwhile. The crawl then stores which results it has processed
	// (Batch.Tasks) instead of which fetches start.
	Durable() bool
	// Close ends the crawl's use of the dispatcher, after the last result.
	Close()
}
