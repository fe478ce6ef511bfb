// Package echo says what the person's marks change, soon after they were made.
//
// Marked notes that marks of topics changed. Run waits until the person pauses, trains each of these topics in the
// background as before the next crawl (trainer.Try, which stores nothing), and compares that model with the one before:
// which words count more or less for a useful page, and which links a crawl would follow first (scheduler.PreviewWith). So
// several quick marks give one echo. Now returns the present state, and the bus tells of "echo" when it changes.
//
// Refused says that a site was refused or allowed. Nothing is trained then: the first links with and without the site are
// compared (scheduler.PreviewSite).
//
// Echoes live in memory. After a restart the marks are there and their echo is not.
package echo
