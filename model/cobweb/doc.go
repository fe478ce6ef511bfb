// Package cobweb builds a tree of clusters to which objects are added one by one (COBWEB; Fisher, Machine Learning 2, 1987).
//
// Start with Build, or with the zero Tree and Tree.Add. Tree.Partition gives the clusters directly below the root. Describe
// makes objects of pages, with concepts of an ontology and those above them as attributes ([THESUS] §5.4).
//
// An attribute has the values present and absent. An object counts r for present and 1-r for absent, r ∈ [0, 1]. Objects
// whose r are all 0 or 1 give ordinary COBWEB with nominal attributes. A cluster C of n objects keeps only the sums
// s_a = Σ r_a, with P(a present | C) = s_a/n. Clusters C_1, ..., C_K below a node have the category utility
//
//	CU = (1/K) Σ_k P(C_k) [ Σ_a Σ_v P(a=v | C_k)² - Σ_a Σ_v P(a=v)² ] / (number of attributes)
//
// With two values Σ_v P(a=v)² = 1 - 2p + 2p², and the terms in p cancel, since the sums of the clusters are together those
// of the node. What is left needs n and Σ_a s_a² of each cluster:
//
//	CU = 2/(K·N·attributes) · [ Σ_k Σ_a s_ka²/n_k - Σ_a s_a²/N ]
//
// An object goes down from the root. At each node the operator with the largest CU is applied: put the object into the
// child where it fits best, make it a child of its own, merge the two best children and put it there, or replace the best
// child by its children and decide again. Of equal ones the first of this list is taken. There is no acuity, since
// attributes are not numeric.
//
// Unlike in Fisher's paper, objects with the same values share a leaf. Otherwise many equal pages would make long chains.
// The order of the objects matters; Build shuffles them by a seed.
package cobweb
