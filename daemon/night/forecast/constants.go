package forecast

// fitted are the constants that were fitted on simulated nights of recorded webs: WebKB, Wikispeedia and UIC.
//
// First: sessions of 60 and 200 pages, nights of 100 to 1,000 pages. A web of usual yield brings some 38 useful pages of 500 to a
// session with a usual share of useful pages; ten times as many pages bring 2.7 times as many.
//
// Later and Left: sessions of 100 pages and 14 to 20 nights of 50 pages that continue one another, two of them also taken together
// as one of 100 pages and, for Later, four as one of 200. After a topic's first night that brought 20 useful pages, the next one is
// expected to bring 8, and the next five 31; after a tenth night that brought none, none and 2.
//
// The spreads of Later and Left were chosen on other months: with them, 88 and 81 of 100 intervals hold on those of MONTH.md in which
// nights go on, for the useful pages that were shown. Those of Later can hardly be narrower: most nights bring few pages, and
// counting alone gives them their width.
var fitted = Constants{
	First: Line{Weights: []float64{3.67, 0.43, 0.78}, Spread: 0.88},
	Later: Line{Weights: []float64{0.62, 0.52, -0.18}, Spread: 0.60},
	Left:  Line{Weights: []float64{2.11, 0.44, -0.49}, Spread: 1.20},
}
