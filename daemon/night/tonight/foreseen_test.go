package tonight

import (
	"testing"

	"nightjar/daemon/night/forecast"
)

// TestExpects: a forecast in words, with whole numbers.
func TestExpects(t *testing.T) {
	for _, tt := range []struct {
		f     forecast.Forecast
		pages int
		want  string
	}{
		{forecast.Forecast{Expected: 14.2, Low: 8.4, High: 23.6}, 500, "about 14 useful pages of 500, most likely 8 to 24"},
		{forecast.Forecast{Expected: 1.2, Low: 0.2, High: 3.4}, 100, "about 1 useful page of 100, most likely 0 to 3"},
		{forecast.Forecast{Expected: 0.2, Low: 0, High: 2}, 100, "hardly any new useful page of 100, most likely 0 to 2"},
		{forecast.Forecast{Expected: 3, Low: 3, High: 3}, 3, "about 3 useful pages of 3, most likely 3"},
	} {
		if got := Expects(tt.f, tt.pages); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestSaysLeft: what is left in words.
func TestSaysLeft(t *testing.T) {
	for _, tt := range []struct {
		found int
		f     forecast.Forecast
		want  string
	}{
		{61, forecast.Forecast{Expected: 9.1, Low: 4.2, High: 17.4}, "61 useful pages found so far, about 9 (4 to 17) more are likely in the next 5 nights."},
		{1, forecast.Forecast{Expected: 1.2, Low: 0.2, High: 3}, "1 useful page found so far, about 1 (0 to 3) more is likely in the next 5 nights."},
		{2, forecast.Forecast{Expected: 0.1, High: 0.3}, "2 useful pages found so far, no more are likely in the next 5 nights."},
		{0, forecast.Forecast{Expected: 0.2, High: 1}, "0 useful pages found so far, at most 1 more is likely in the next 5 nights."},
	} {
		if got := saysLeft(tt.found, tt.f); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
