package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/base/jobs"
)

// A part that prints pages. The slice stands for a table of the database, and the failing printer for a full disk.
func Example() {
	queue, broken := []int64{1, 2}, true
	var running jobs.Running[string]
	ctx, stop := context.WithCancel(context.Background())

	loop := &jobs.Loop{Retry: time.Millisecond, Failed: func(err error) { fmt.Println("try again:", err) }}
	loop.Step = func(ctx context.Context) (time.Duration, error) {
		if len(queue) == 0 {
			stop() // a daemon goes on: return jobs.Never, nil
			return jobs.Never, nil
		}
		page := queue[0]
		ctx, end := running.Begin(ctx, page) // running.Stop(ctx, page, …) ends it
		defer end()
		if broken {
			broken = false
			return 0, errors.New("no paper") // the page is still in the queue
		}
		running.Note(page, "printing", "half of it")
		fmt.Println("page", page, running.Progress(page), ctx.Err())
		queue = queue[1:] // stored before the next page begins
		return 0, nil
	}
	_ = loop.Run(ctx) // always nil

	// Output:
	// try again: no paper
	// page 1 half of it <nil>
	// page 2 half of it <nil>
}
