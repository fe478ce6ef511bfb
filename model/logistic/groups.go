package logistic

import "slices"

// Grouped gives each group of rows a term of its own, with value 1, behind the columns that there are. Its weight is an offset of the
// group's scores, penalised like all weights: what makes the rows of a group alike no longer has to come from the words that they
// share. group holds the group of each row, from 0 on, or -1 for none; rows are not changed. It returns the rows, and how many
// columns they have now.
func Grouped(rows []Row, columns int, group []int) ([]Row, int) {
	with, last := slices.Clone(rows), -1
	for i, g := range group {
		if g >= 0 {
			with[i].Index = append(slices.Clone(rows[i].Index), int32(columns+g))
			with[i].Value = append(slices.Clone(rows[i].Value), 1)
		}
		last = max(last, g)
	}
	return with, columns + last + 1
}
