// Package spherical groups pages by the direction of their TF-IDF vectors: spherical k-means, [PANORAMA] §3.5 (Dhillon
// & Modha, Machine Learning 42, 2001).
//
// Start with KMeans, or with Auto, which also finds the number of clusters. Clustering.Centres gives the centres that
// are shown, Similarities how near each page is to each of them, and Examples the typical pages of a cluster.
//
// Vectors are compared by their direction, and summed with their length. Scale them to length 1 first (tfidf.Vector.Unit) to
// have all pages count alike. The paper does not, and then pages with many distinct terms rule a centre.
//
// Everything is deterministic: the same vectors and seed give the same clusters on any number of cores.
package spherical
