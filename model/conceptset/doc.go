// Package conceptset compares pages that are described by weighted concepts, all pairs of many pages, and names clusters.
//
// Start with New, which makes a Set, and Similarity, which is ζ of two sets. AllPairs computes ζ of all pairs of pages.
// CandidatePairs computes it only for pairs that may be similar, for more pages. Both give what model/dbscan needs. Labels
// names clusters.
//
// Concepts are integers: terms of an ontology (model/ontology), or senses of WordNet. Their similarity S is a function.
//
// # The similarity
//
// A = {(k_i, w_i)}, B = {(h_j, v_j)} with weights in (0, 1]; [THESUS] §5.4.1, put together again from the text, since the
// formulas of the printed paper are pictures:
//
//	ζ(A,B) = ½ [ (1/K) Σ_i max_j λ_ij S(k_i,h_j)  +  (1/H) Σ_j max_i λ_ij S(k_i,h_j) ]
//	λ_ij   = (w_i+v_j) / (2·max(w_i,v_j)) ∈ (½, 1]
//	K      = Σ_i λ_{i,x(i)},  x(i) = argmax_j λ_ij S(k_i,h_j);   H likewise
//
// Where several j give the maximum, x(i) is one with the largest λ. Otherwise ζ would depend on the order of the concepts.
//
// ζ(A,A) = 1, ζ is symmetric, lies between the smallest S and the largest S of a concept of A and one of B, and does not
// change when all weights of both sets are multiplied by one number. An empty set has ζ = 0 with every set.
//
// There are limits to know:
//
//   - 1-ζ is no metric. Of 20,000 triples of random sets (1 to 5 of the terms of a random tree of 40), 3.3 % break the
//     triangle inequality, so that indexes for metric spaces do not find all neighbours.
//   - Weights count little. K divides λ out again: sets of the same concepts have ζ = 1 whatever their weights, as long as
//     the best partner of each concept is that concept itself.
//
// Pairs are kept as one byte each, in steps of 1/Steps, rounded down. So ζ >= t holds for what is kept exactly if it holds
// for ζ, for every t that is a multiple of 1/Steps.
package conceptset
