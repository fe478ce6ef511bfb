// Package dbscan groups objects by a similarity, and arranges groups of falling similarity in a hierarchy.
//
// Start with Find, which is DBSCAN (Ester, Kriegel, Sander, Xu, KDD 1996) with a similarity in the place of a distance; or
// with Hierarchy, which runs it at several similarities ([THESUS] §5.4).
//
//   - An object is a core when at least MinDocs other objects have a similarity of at least MinSim with it. The object
//     itself does not count, unlike in scikit-learn, whose min_samples is MinDocs+1.
//   - Cores of at least that similarity are in the same cluster.
//   - A border object is no core, but similar enough to one. It goes to the cluster of its most similar core; of equal ones,
//     to that of the lowest number.
//   - All others are noise, which belongs to no cluster.
//
// Clusters are numbered by their first core. The same similarities always give the same clusters.
package dbscan
