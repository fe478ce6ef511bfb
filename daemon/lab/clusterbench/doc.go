// Clusterbench measures in which space and by which criterion the pages of a session are best clustered: how many clusters
// are found, and how good the crawls are that "hmm" makes with them, as a share of the oracle's area.
//
//	go run ./daemon/lab/clusterbench --corpora DIR --seed 1,2,3
//
// The tasks are those of a suite of "lab bench" with "looked_at", as settings are chosen on them; --looked-at=false
// measures the others. A manner says how pages are clustered:
//
//	HOW:SPACE[:raw][:same]
//
//	HOW     xmeans      X-means, 3 to 8 clusters
//	        kmeansN     N clusters
//	        shared      the best BIC of k-means with 3 to 8 clusters, one variance for all clusters
//	        own         the same with a variance for each cluster
//	        aic         the same with one variance and the penalty of AIC
//	        silhouette  the best mean silhouette of k-means with 3 to 8 clusters
//	SPACE   all         the whole LSI space
//	        N           its first N dimensions
//	        keptN       its first dimensions, as many as keep N per cent of its squared singular values
//	        trained     its first model.ClusterRank dimensions, which is what a training does
//	raw     the coordinates are not scaled to length 1 again
//	same    a fetched page is classified in these dimensions, not in the whole space
//
// A cell of the table has the mean share of the oracle's area, in how many sessions it is larger and smaller than that of the
// first manner, how many bits the cluster of a page says of its distance to a relevant page, and how often each number of
// clusters was found. Shares vary by a tenth from session to session, so that a few dozen are needed to tell two manners apart;
// bits vary less.
//
// A crawl is that of the benchmark, made in memory on the web of the recording: links that it lacks cost nothing, and links
// lead straight to where a redirect ends. So hundreds of crawls take seconds.
package main
