// Package logistic gives probabilities of classes for sparse documents: logistic regression with a penalty on the squared
// weights, and the calibration of any score into a probability.
//
// Start with NewProblem, which takes the rows once; Problem.Fit trains a Model on some of them, as often as
// cross-validation wants, and Model.Probabilities reads a document with it.
//
//	rows x_i, classes y_i, weights w_i  ->  minimise  C·Σ_i w_i·loss_i + ½‖W‖²  ->  W, bias
//	two classes:  loss = ln(1+e^z) - y·z, z = W·x + bias, P(1) = 1/(1+e^-z)
//	more:         loss = ln Σ_c e^z_c - z_y, z_c = W_c·x + bias_c, P(c) = e^z_c / Σ e^z
//
// The minimum is the one of scikit-learn's LogisticRegression with solver lbfgs and the same C. It is found by gonum's
// L-BFGS (Nocedal & Wright, Numerical Optimization, 2nd ed., §7.2) in one of two coordinate systems: up to some hundred
// rows in the space which the rows span, so that a fit costs as many parameters as there are rows; beyond, in the terms.
// Both agree to 1e-5 in probabilities.
package logistic
