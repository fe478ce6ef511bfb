// Package report presents benchmark results: SVG draws one task, Suite writes a suite as a Markdown page with a picture per
// group. All numbers and statements are computed from the result; the same result gives the same bytes.
//
// Names in a result may come from untrusted files: they are escaped in pictures and in Markdown.
package report
