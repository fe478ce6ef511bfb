// Package measure turns what a model got right and wrong into figures with intervals.
package measure

// Figure is a measured value with its bootstrap interval. The zero Figure, with N 0, was not measured.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`  // 2.5 % of the resamples lie below
	High  float64 `json:"high"` // 2.5 % lie above
	N     int     `json:"n"`    // units measured
}
