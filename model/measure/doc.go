// Package measure says how good a prediction is and how sure that is: each Figure is a value with the interval in which the
// bootstrap puts it. All functions are pure; the same rng state gives the same figures.
//
//	Mean, Difference            any value per unit, for instance the reciprocal rank of each decision
//	AUC, AUCDifference          scores against a yes or no
//	Brier                       probabilities against a yes or no
//	ReciprocalRank              one decision: where the right answer stands among the candidates
//	ChanceReciprocalRank        the same for a random order, as a baseline
//
// An interval speaks about the units given, as if they were drawn independently. It is the percentile interval (Efron &
// Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13), which is a little too narrow for few units: of 2,000 samples
// of normal values each, it held the true mean in 84 % with 5 values, 91 % with 10, 92 % with 20 and 95 % with 50. It has
// width 0 when all units agree, which with few of them proves little.
package measure
