// Package model learns from a browsing session which pages are on the way to useful ones. It is pure computation: no
// network, files, clock, logging or global randomness.
//
// Start with Train, which turns a TrainingSet into a Bundle; Bundle.Observe reads a page with it.
//
//	text -> text.Counts -> lsi.Space -> cluster.XMeans -> webgraph.Layers -> hmm.Model -> Bundle
//
// # Sources
//
//	[HMM]      Liu, Janssen, Milios: Using a Hidden Markov Model to Learn User Browsing Patterns for Focused Web
//	           Crawling. Dalhousie University, Technical Report CS-2005-05, 2005.
//	[XMEANS]   Pelleg, Moore: X-means: Extending K-means with Efficient Estimation of the Number of Clusters. ICML 2000.
//
// # Notation
//
//	symbol   Go name               meaning                                             source
//	T_i      State                 i links from a target; the last: that many or more  [HMM] §3.1
//	o_t      Cluster               cluster of the t-th page of a path                  [HMM] §3.1
//	π        Bundle.Initial        P(T_i) at a start page                              [HMM] §3.1
//	A, a_ij  Bundle.Transition     P(T_j next | T_i now)                               [HMM] §3.2, eq. (3)
//	B, b_ij  Bundle.Emission       P(cluster j | T_i)                                  [HMM] §3.2, eq. (4)
//	α_t(j)   alpha                 P(T_j | o_1..t), sums to 1                          [HMM] §3.3, eq. (7)
//	γ        Bundle.Gamma          least cosine to a target of a relevant page         [HMM] §4
//	w_ik     weight                tf-idf of term i in document k                      [HMM] §2.2.1, eq. (1)
package model
