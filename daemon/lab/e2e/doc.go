// Package e2e holds the tests that do what a person does, in a real Chromium and a real Firefox: pair, browse, mark,
// submit, crawl, review. They use the browser by mouse and keyboard only; nothing is called inside the extension.
//
// A browser that is not installed is said aloud and its test left out; with CI set that is a failure.
package e2e
