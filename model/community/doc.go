// Package community finds communities among the pages of a crawl: groups of pages about one thing, with their names,
// typical pages, hubs, authorities and places on a map, as [PANORAMA] §3.5-3.7 and §5.2.
//
// Start with Find.
//
//	pages -> Keep -> stems -> tfidf -> spherical.KMeans -> centres -> hits, one run a cluster -> label -> layout -> Map
//
// Pages are numbered in the order in which they were fetched. The same pages, links and options give the same map.
package community
