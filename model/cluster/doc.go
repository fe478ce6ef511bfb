// Package cluster groups the pages of a training by their LSI vectors, [HMM] §2.2.2, and says which words tell a group
// from the others.
//
// Start with XMeans, which also finds the number of clusters; KMeans is for a given number. Words describes the result.
//
// Clusters are numbered from 0, the largest first. Callers who keep 0 for the targets add 1.
package cluster
