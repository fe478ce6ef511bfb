// Package chart lays out the dashboard's pictures. It returns coordinates and short texts; templates turn them into SVG, so
// that text from the web is escaped in one place. The same input gives the same picture.
//
// Web is the web graph of a session ([HMM] fig. 2b), Concept the concept graph with hop labels (fig. 5), States the
// state diagram (fig. 4), Curves the progress of a crawl (fig. 9-16).
package chart
