// Package report tells people what a benchmark measured: SVG draws one task, Suite writes a whole suite as a Markdown
// page with a picture a task. Every number and every verdict comes from the result; the same result gives the same
// bytes.
//
// Names in a result may come from files that anyone made: they are shown as text, in pictures and in Markdown.
package report
