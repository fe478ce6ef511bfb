// Package cluster groups the pages of a training by their LSI vectors, [HMM] §2.2.2, and finds the words that are
// characteristic of each group.
//
// Start with XMeans, which also finds the number of clusters. KMeans makes a given number. Words describes the result.
//
// XMeans departs from [XMEANS] in three points: a larger number of clusters must be better by strong evidence, a Bayes factor
// of 20, where the paper takes the best BIC; a cluster is halved along its direction of most variance, not along a random
// one; and a cluster of nothing but copies of a few points becomes these points.
//
// Clusters are numbered from 0, the largest first. Callers that reserve 0 for the targets add 1.
package cluster
