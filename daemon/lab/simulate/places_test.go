//go:build failpoints

package simulate

import "nightjar/crawler/failpoint"

func init() {
	places = true
	failpoint.Passes = func(name string) {
		if l := living.Load(); l != nil {
			l.passes(name)
		}
	}
}
