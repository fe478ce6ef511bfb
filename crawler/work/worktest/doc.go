// Package worktest tests dispatchers: one suite for every implementation of work.Dispatcher.
//
//	func TestContract(t *testing.T) {
//		worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
//			live := fetch.NewLive(o)
//			...
//		})
//	}
//
// Each test serves its own small web over HTTP (farm.go) and compares what the dispatcher brings with what a plain fetch.Live does.
package worktest
