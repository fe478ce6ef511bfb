package operators

import (
	"fmt"
	"unicode/utf8"
)

// Fault is an error in the text of a program.
type Fault struct {
	At   int // characters of the text before the place
	Text string
}

// Error says what is wrong and where, counting characters from 1.
func (f *Fault) Error() string { return fmt.Sprintf("character %d: %s", f.At+1, f.Text) }

// faultAt is a fault at a byte of a text.
func faultAt(text string, at int, format string, args ...any) *Fault {
	return &Fault{At: utf8.RuneCountInString(text[:min(at, len(text))]), Text: fmt.Sprintf(format, args...)}
}

// distance is the number of letters to insert, delete or replace to make b of a (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}
