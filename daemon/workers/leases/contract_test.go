package leases

import (
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
)

// TestContract runs the suite of all dispatchers over leases, with this machine's own hands.
func TestContract(t *testing.T) {
	worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		return contract(t, "", o)
	})
}
