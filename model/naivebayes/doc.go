// Package naivebayes tells pages that are like those around a document or a topic from others: the classifier of
// [PANORAMA] §3.3, by which a crawl orders its links.
//
// Start with Train, which learns a Classifier from the words of positive and negative pages. Classifier.Read then reads
// a page. FitMultinomial and FitGaussian are the models inside, for vectors and any number of classes.
//
//	pages -> tfidf.Vocabulary of all of them -> weights, eq. (3.1) -> Multinomial -> λ(p) -> per term: priority
//	                                                                        -> per square root of terms: Platt on folds -> P(c⁺|p)
//
// The paper used the default of Weka, which takes each weight for a value of a normal distribution. Its probabilities
// are nearly always 0 or 1 up to rounding, so that nearly all links of a crawl have the same priority. The multinomial
// model over the fractional weights has log odds that differ. Options.Gaussian is the paper's choice.
//
// Pages count as independent of each other. Training pages of one site should be in one group (Options.Groups), or the
// calibration believes the classifier more than it deserves.
package naivebayes
