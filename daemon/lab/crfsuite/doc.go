// Crfsuite trains the conditional random field of model/crf on files in CRFsuite's text format, and tags such files, so that
// it can be compared with other implementations on their data (https://www.chokkan.org/software/crfsuite/).
//
//	go run ./daemon/lab/crfsuite train train.txt --c2 0.5 --model model.json
//	go run ./daemon/lab/crfsuite tag test.txt --model model.json --marginals
//
// train prints the loss F, which is what CRFsuite calls the loss of its algorithm lbfgs with c1 = 0 and the same c2, and the
// iterations. tag prints for each item its label, the predicted one and the probability of that, and after them the loss,
// the accuracy, and precision, recall and F1 of each label. FILE may be - for the standard input.
//
// # Format
//
// A line is an item: its label, then features, separated by tabs. An empty line ends a sequence. In names, \: stands for a
// colon and \\ for a backslash. A field that begins with # is a comment, as is the rest of its line. A line @weight:2 gives
// the sequence that it stands in the weight 2.
//
// A feature is on or off: a value (name:value) other than 1 is refused, and so is a feature that a line has twice. A feature
// whose name begins with "link:" (or "link\:") is evidence of the link to the item, all others are evidence of the page. The
// first item of a sequence has no link to it, so that its link features count for nothing. CRFsuite knows no such
// difference: files without link features give the same numbers here and there.
package main
