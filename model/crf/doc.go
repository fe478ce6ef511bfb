// Package crf is a linear-chain conditional random field over the pages of a path and the links between them, [CRF] ch. 4-5.
//
// A Sequence is a path: for each page the features of the page and of the link that led to it, as numbers, and its label.
// Start with Fit, which learns a Model from labelled sequences. Model.Lattice and Model.Viterbi label a whole path;
// Model.Start, Model.Follow and Model.Arrive label one page by page, as a crawl meets it, and Model.From scores the links of
// a page. RewardVisits and RewardPrinted compute the value of a label.
//
//	s_t(y)   = Σ_{f∈h_t} U[f][y] + [t>1] Σ_{f∈g_t} V[f][y]
//	α_1(y)   = s_1(y);   α_t(y) = s_t(y) + logsumexp_{y'} (α_{t-1}(y') + A[y'][y])
//	β_n(y)   = 0;        β_t(y) = logsumexp_{y'} (A[y][y'] + s_{t+1}(y') + β_{t+1}(y'))
//	log Z    = logsumexp_y α_n(y);   P(y_t=y | x) = exp(α_t(y) + β_t(y) - log Z)
//
// h_t are the features of page t, g_t those of the link to it. U, V and A are Model.Pages, Model.Links and Model.Steps. All
// logarithms are natural. Where [CRF] prints a formula that cannot be meant, the code beside it says what is done instead.
//
// [CRF] §5.1 has states of pages and of links. The page behind a link of state y always has label y, so the chain over both
// equals this one, in which each step has two sources of evidence.
//
// Features that a model has no row for count for nothing, except in Fit. A method panics on what only a mistake in the
// program can pass: a label out of range, a state of another number of labels. What comes from a file is for Validate.
package crf
