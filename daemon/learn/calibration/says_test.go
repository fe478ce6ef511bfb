package calibration

import "testing"

func TestLikelySays(t *testing.T) {
	for _, c := range []struct {
		n    Number
		want string
	}{
		{Number{Finds: 28, Open: 28, Expected: 16.6, Low: 9, High: 28}, "28 finds, about 17 of them useful, most likely 9 to 28."},
		{Number{Finds: 28, Open: 8, Known: 12, Expected: 12.4, Low: 13, High: 15}, "28 finds, about 13 of them useful, most likely 13 to 15."},
		{Number{Finds: 6, Open: 2, Known: 4, Expected: 5.9, Low: 6, High: 6}, "6 finds, most likely 6 of them useful."},
		{Number{Finds: 6, Known: 4, Expected: 4, Low: 4, High: 4}, "6 finds, 4 of them useful: you have marked all."},
	} {
		if got := (Yield{Number: c.n}).Says(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
