// Package cluster groups the pages of a training by their LSI vectors, [HMM] §2.2.2, and finds the words that are
// characteristic of each group.
//
// Start with XMeans, which also finds the number of clusters. KMeans makes a given number. Words describes the result.
//
// Clusters are numbered from 0, the largest first. Callers that reserve 0 for the targets add 1.
package cluster
