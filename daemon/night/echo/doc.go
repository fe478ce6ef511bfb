// Package echo says what the person's marks change, soon after they were made.
//
// Marked notes that marks of topics changed. Run waits until the person pauses and trains each of these topics in the
// background, as before the next crawl, once with the marks and once as if they had not been made (trainer.Try, which stores
// nothing). So several quick marks give one echo. Both trainings have the same data and seed: what sets them apart comes from
// the marks, not from what was recorded since the stored model. Now returns the present state, and the bus tells of "echo"
// when it changes.
//
// A model with another page differs in all its weights a little, and a small difference says nothing to a person. So:
//
//   - A word is named when a marked page holds it and its weight in the judge changed more than that of any word which no page
//     of the marks holds. The weights of one model are first stretched to fit the other's, by these same words.
//   - Links and sites (scheduler.Scheduler.Preview) are named when they changed more than in two further trainings without the marks,
//     each with another seed (trainer.Again). The seed moves clusters and folds, and not the weights of words.
//
// Refused says that a site was refused or allowed. Nothing is trained then: the first links with and without the site are
// compared (scheduler.Previewed.As).
//
// Echoes live in memory. After a restart the marks are there and their echo is not.
package echo
