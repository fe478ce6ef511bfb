// Modelbench measures the learner: seconds and peak memory of each stage of a training, of its report when asked, and
// what it costs to score a fetched page. Beside each training it runs the same steps by scikit-learn on the same pages.
//
//	go run ./daemon/lab/modelbench --sizes 50,200,700,5000
//
// The pages are those of $NIGHTJAR_CORPORA when it is set (see corpora.go for its layout), otherwise made up. Everything
// that is measured runs in a process of its own, so that memory is that of one training: main starts "prepare", which
// writes the sessions to a folder for a while, and then "measure" and "score" for each size, and Python.
package main
