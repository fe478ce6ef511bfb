// Package model learns from a browsing session which pages lead to useful ones. It is pure computation: no network,
// files, clock, logging or global randomness.
//
// Start with Train, which turns a TrainingSet into a Bundle. Bundle.Observe then reads a page with it. Learn trains, too,
// and keeps what Training.Assess needs to measure on folds of the session how reliable the model is.
//
//	text -> text.Counts -> lsi.Space -> cluster.XMeans -> webgraph.Layers -> hmm.Model -> Bundle
//	                    -> Features  -> logistic.Fit   -> Soft, Judge                  ->
//
// X-means sees the first ClusterRank dimensions of the LSI space; everything else reads all of them.
//
// A bundle reads a page in two ways. The first is the paper's: the page's cluster, which is what B of hmm.Model emits. The
// second is the page's words (Soft), which take the place of B where the session shows that they do better (Choice).
//
// What the ways of the session teach is learned apart, by ways.Learn, and put into the bundle by Bundle.WithWays.
//
// Likewise naivebayes.Train learns which pages are around the topic, and Bundle.WithBayes puts it into the bundle.
//
// Communities of pages around a document or a topic ([PANORAMA]) are found apart from bundles. A crawl looks
// for what Bundle.Bayes takes for pages around them. community.Find then makes a map of what the crawl fetched:
//
//	text.Counts -> tfidf.Vector -> naivebayes.Classifier -> crawl
//	                            -> spherical.Clustering -> hits.Scores, label.Profile, layout.Circle -> community.Map
//
// # Storage
//
// Bundle.Encode stores a model as named sections, each with a version of its own: "about", "lsi", "graph", "hmm",
// "classifiers", "lessons", "text", "ways", "bayes" and "report". Decode keeps a section that it does not know, so that a newer
// kind of section never makes a model unreadable. Each section has a file section_NAME.go and a line in the table in
// sections.go, which says how to add one.
//
// # Sources
//
//	[HMM]      Liu, Janssen, Milios: Using a Hidden Markov Model to Learn User Browsing Patterns for Focused Web
//	           Crawling. Dalhousie University, Technical Report CS-2005-05, 2005.
//	[CRF]      Sajjanhar: Focused Web Crawling for E-Learning Content. Indian Institute of Technology Kharagpur, Master's
//	           thesis, 2008. See model/crf.
//	[CGS]      Diligenti, Coetzee, Lawrence, Giles, Gori: Focused Crawling Using Context Graphs. VLDB 2000. See
//	           model/contextgraph.
//	[PANORAMA] Pant, Tsioutsoulis, Johnson, Giles: Panorama: Extending Digital Libraries with Topical Crawlers. NEC
//	           Laboratories, Technical Report 2003-L087. See model/naivebayes and
//	           model/community.
//	[THESUS]   Varlamis, Vazirgiannis, Halkidi, Nguyen: THESUS, a Closer View on Web Content Management Enhanced with Link
//	           Semantics. IEEE Transactions on Knowledge and Data Engineering 16(6), 2004. See model/ontology and
//	           model/conceptset.
//	[XMEANS]   Pelleg, Moore: X-means: Extending K-means with Efficient Estimation of the Number of Clusters. ICML 2000.
//	[PLATT]    Platt: Probabilistic Outputs for Support Vector Machines. Advances in Large Margin Classifiers, 1999; with
//	           the numerics of Lin, Lin & Weng, Machine Learning 68, 2007.
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
//	γ        Bundle.Gamma          smallest cosine to a target that is relevant         [HMM] §4
//	r_j      Observation.Emission  P(T_j | page)/P(T_j), evidence in the place of b_j(o)
//	         Observation.Useful    calibrated P(the person would mark the page Useful)
//	         ExpectedValue         Σ_j 0.5^j P(T_j), the value of a page
//	U, V, A  crf.Model             the weights W of pages, links and steps from label to label  [CRF] §4.3
//	R(y)     Model.RewardVisits    the value of a label, in [0, 1]                     [CRF] §5.2.1
//	w_ik     weight                tf-idf of term i in document k                      [HMM] §2.2.1, eq. (1)
//	w_sp     tfidf.Vector          tf-idf of term s in page p                          [PANORAMA] §3.3, eq. (3.1)
//	λ(p)     Reading.LogOdds       ln Pr(c⁺|p) - ln Pr(c⁻|p) of page p                  [PANORAMA] §3.3
//	Q_c      Clustering.Centres    mean of the vectors of cluster c                    [PANORAMA] §3.5, eq. (3.3)
//	D_c      Graph.Run's bias      cosines of the pages and Q_c, a diagonal            [PANORAMA] §3.6, eq. (3.5)
//	V_c      Profile.Words         sum of the word vectors of cluster c                [PANORAMA] §3.7, eq. (3.6)
//	S(a,b)   Tree.Similarity       similarity of two terms, from their depths          [THESUS] §5.3
//	         Net.Similarity        similarity of two senses of WordNet, over all paths [THESUS] §5.3
//	s_j      Word.Similarity       similarity of word k_j and the term it is mapped to [THESUS] §5.3.3
//	r_i      senses.Term's Weight  weight of term t_i for a page                       [THESUS] §5.3.3, eq. (1)
//	ζ(A,B)   conceptset.Similarity similarity of two weighted sets of concepts         [THESUS] §5.4.1
//	CU       Node.Utility          category utility of the clusters below a node       [THESUS] §5.4
//	E        Agreement.Entropy     entropy of categories in clusters, base 10          [THESUS] §6.3
package model
