// Package chart computes the dashboard's pictures: where circles, arrows and lines go. It draws nothing itself: what it
// returns is plain numbers and short texts, and the templates turn them into SVG, so that everything a page said is
// escaped in one place. The same input gives the same picture.
//
// Web is the web graph of a session ([HMM] fig. 2b), Concept the concept graph with hop labels (fig. 5), States the
// state diagram (fig. 4), Curves the course of a crawl (fig. 9-16).
package chart
