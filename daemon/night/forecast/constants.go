package forecast

// fitted are the constants that were fitted on the simulated nights of the suite's tasks that settings are chosen on: WebKB,
// Wikispeedia and UIC, sessions of 60 and 200 pages, nights of 100 to 1,000 pages.
//
// First: a web of usual yield brings some 38 useful pages of 500 to a session with a usual share of useful pages; ten times as
// many pages bring 2.7 times as many. Later: little of what the last night brought comes again, more when its last fifth still
// brought some.
var fitted = Constants{
	First: Line{Weights: []float64{3.67, 0.43, 0.78}, Spread: 0.88},
	Later: Line{Weights: []float64{0.89, -0.28, 0.39, -0.46}, Spread: 0.80},
}
