// Package measure measures how good predictions are. Each Figure is a value with its 95 % interval. All functions are
// pure.
//
//	Mean, Difference            any value of each unit, such as the reciprocal rank of each decision
//	AUC, AUCDifference          scores against a yes or no
//	Brier                       probabilities against a yes or no
//	ReciprocalRank              one decision: the rank of the right answer among the candidates
//	ChanceReciprocalRank        the same for a random order, as a baseline
//	Ratio                       a share over units that stand and fall together
//	MeanError                   the mean and its standard error
//
// An interval treats the units as if they were drawn independently. How many of 4,000 intervals of 95 % hold the true value, in
// percent, with 5, 10 and 30 values, positives (and 60 negatives) or units (NIGHTJAR_COVERAGE=4000 task measure:coverage):
//
//	mean, normal                      94.5  95.2  95.6
//	mean, uniform                     95.5  97.3  95.8
//	mean, the larger of two uniform   94.4  96.3  95.7
//	mean, exponential                 92.2  94.1  94.8
//	mean, reciprocal ranks of 5       93.2  91.0  97.5
//	difference, correlated            94.5  94.0  94.7
//	AUC .50                           95.9  95.6  95.7
//	AUC .76                           97.2  95.9  95.8
//	AUC .92                           97.2  97.1  97.3
//	AUC .98                           97.4  97.6  98.1
//	AUC .81, positives spread twice   96.6  92.9  94.8
//	AUC .81, positives spread half    99.3  99.0  97.1
//	AUC .80, skewed                   96.8  94.2  95.3
//	AUC .70, many scores 0            97.0  96.2  96.0
//	AUC difference 0                  94.0  95.3  95.6
//	AUC difference .16                96.9  97.0  96.4
//	AUC difference .06, high          99.0  98.9  98.0
//	Brier .21, four units for each    98.2  97.7  95.3
//	ratio .50                         96.4  94.5  95.1
//	ratio .80                         98.7  96.5  94.8
//	ratio .95                         98.7  97.7  96.4
//
// Percentile bootstrap intervals held the mean of 5 normal values in 84 of 100 cases.
package measure
