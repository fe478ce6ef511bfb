// Modelbench measures the learner: seconds and peak memory of each stage of a training and, on request, of its report, and
// the cost of scoring a fetched page. For comparison it runs the same steps with scikit-learn on the same pages.
//
//	go run ./daemon/lab/modelbench --sizes 50,200,700,5000
//
// The pages are those of $NIGHTJAR_CORPORA when it is set (corpora.go describes its layout), otherwise made up. Every
// measurement runs in its own process, so that its memory is that of one training: main starts the verb "prepare", which
// writes the sessions to a temporary folder, then "measure" and "score" for each size, and Python.
package main
