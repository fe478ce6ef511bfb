package forecast

// fitted are the constants that forecastbench prints with --fit.
var fitted = Constants{
	First: Line{Weights: []float64{3.80, 0.44, 0.78}, Spread: 0.96},
	Later: Line{Weights: []float64{0.42, -0.16, 0.35, -0.27}, Spread: 0.5},
}
