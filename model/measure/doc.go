// Package measure measures how good predictions are. Each Figure is a value with its bootstrap interval. All functions are
// pure; the same rng state gives the same figures.
//
//	Mean, Difference            any value of each unit, such as the reciprocal rank of each decision
//	AUC, AUCDifference          scores against a yes or no
//	Brier                       probabilities against a yes or no
//	ReciprocalRank              one decision: the rank of the right answer among the candidates
//	ChanceReciprocalRank        the same for a random order, as a baseline
//	Agree, NMI, ARI             clusters against known categories, without intervals
//	MeanError, PairedT          standard error and t-test, where a paper reports these
//
// An interval treats the units as if they were drawn independently. It is the percentile interval (Efron & Tibshirani, An
// Introduction to the Bootstrap, 1993, ch. 13), which is a little too narrow for few units: in 2,000 samples of normal
// values, it contained the true mean in 84 % of the samples with 5 values, 91 % with 10, 92 % with 20 and 95 % with 50. Its
// width is 0 when all units agree, which proves little when they are few.
package measure
