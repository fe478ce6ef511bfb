// Package contextgraph predicts from the words of a page how many links it is away from a target, with the context graphs
// of [CGS]: the pages that lead to the targets form layers by their distance, each layer has a Naive Bayes classifier, and
// a page that fits no layer is of the class "other".
//
// Start with Learn, which makes a Model of the pages, the links among them and the targets. Model.Classify then classifies
// a page.
//
//	links, targets -> Layers -> vocabulary V of layers 0 and 1 -> 40 highest TF-IDF -> P(w_t|c_j), threshold -> Class
//
// # Sources
//
//	[CGS]  Diligenti, Coetzee, Lawrence, Giles, Gori: Focused Crawling Using Context Graphs. VLDB 2000.
//	[HMM]  Liu, Janssen, Milios, see package model: §5.2.1 and §5.2.2 use [CGS] on a session.
//
// # Notation
//
//	symbol      Go name             meaning                                                      source
//	c_j         Class.Layer         j links from a target                                        [CGS] §3.2
//	D_j         Layers(…)[j]        pages of layer j                                             [CGS] §3.2
//	V           Model.vocabulary    words of the seeds and of the first layer                    [CGS] §3.2
//	v(w)        Model.reduce        TF-IDF of a word in a page                                   [CGS] §3.2, eq. (1)
//	P(c_j|d)    Class.Posterior     of the winning layer                                         [CGS] §3.2, eq. (3)
//	P(w_t|c_j)  Model.logWord       of a word in a layer                                         [CGS] §3.2, eq. (4)
//
// # Where the paper leaves a choice
//
// The threshold of [CGS] §3.3 is "the minimum likelihood obtained on the training set". P(d|c_j) falls with each further word,
// so that as printed the longest page of a layer would set it, and hardly a page would be "other". So thresholds and the order
// of a layer's pages use the mean log likelihood of a page's words.
package contextgraph
