// Package logistic is logistic regression on sparse documents, with a penalty on the squared weights. It also calibrates
// scores of any kind to probabilities.
//
// Start with NewProblem, which prepares the rows once. Problem.Fit trains a Model on some of them, as often as
// cross-validation needs it. Model.Scores then classifies a document.
//
//	rows x_i, classes y_i, weights w_i  ->  minimise  C·Σ_i w_i·loss_i + ½‖W‖²  ->  W, bias
//	two classes:  loss = ln(1+e^z) - y·z, z = W·x + bias, P(1) = 1/(1+e^-z)
//	more:         loss = ln Σ_c e^z_c - z_y, z_c = W_c·x + bias_c, P(c) = e^z_c / Σ e^z
//
// The minimum is that of scikit-learn's LogisticRegression with solver lbfgs and the same C. It is found by gonum's L-BFGS
// (Nocedal & Wright, Numerical Optimization, 2nd ed., §7.2) in one of two coordinate systems. With up to some hundred rows
// it is the span of the rows, so that there are as many parameters as rows; with more, it is the terms. The probabilities
// of the two agree to 1e-5.
package logistic
