package work_test

import (
	"testing"

	"go.uber.org/goleak"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLocal(t *testing.T) {
	worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		live := fetch.NewLive(o)
		d := work.NewLocal(work.New(live, nil, nil, true), 4)
		t.Cleanup(func() {
			d.Close()
			if err := live.Close(); err != nil {
				t.Error(err)
			}
		})
		return d, live
	})
}
