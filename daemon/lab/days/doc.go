// Package days lives days with the whole program, as a person does, on webs that other people made: its tests import a session,
// look at the model and its report, let a night crawl, read the finds and their reasons, mark them, search, back up, ask the
// doctor, start the daemon again and let a second night crawl. A test fails when a fact is missing for which there is data, when
// a page of the dashboard cannot be shown, and on any warning or error in the log that it does not expect.
//
// Start with day in day_test.go. The recordings are those of $NIGHTJAR_CORPORA; TestMadeUpDay lives a day on the demo's made-up
// web and always runs.
package days
