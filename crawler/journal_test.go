package crawler_test

import (
	"context"
	"errors"
	"testing"

	"nightjar/crawler"
)

var errFull = errors.New("disk full")

// fullDisk is a journal whose n-th call and all after it fail.
type fullDisk struct{ calls, n int }

func (j *fullDisk) Commit(context.Context, *crawler.Batch) error { return j.call() }

func (j *fullDisk) call() error {
	if j.calls++; j.calls >= j.n {
		return errFull
	}
	return nil
}

// TestJournalFails: whichever call of the journal fails, the crawl ends with that error, and only recorded fetches are
// reported.
func TestJournalFails(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for _, workers := range []int{1, 4} {
			if n > 6 && workers > 1 {
				continue // several fetches make one call
			}
			told := 0
			j := &fullDisk{n: n}
			r, err := crawler.Run(t.Context(), mustClient(t, mustWeb(t, "testdata/web.txtar")), counting{}, crawler.Options{
				Starts: []string{start}, Workers: workers, Journal: j, OnFetch: func(*crawler.Fetch) { told++ },
			})
			if !errors.Is(err, errFull) || r.End != crawler.Stopped {
				t.Errorf("call %d fails, %d workers: %v, end %d", n, workers, err, r.End)
			}
			if told > max(0, n-2)*workers {
				t.Errorf("call %d fails, %d workers: %d fetches reported", n, workers, told)
			}
		}
	}
}
