package logistic

import (
	"reflect"
	"testing"
)

func TestGrouped(t *testing.T) {
	rows := func() []Row {
		return []Row{{[]int32{0, 2}, []float32{.6, .8}}, {}, {[]int32{1}, []float32{1}}}
	}
	given := rows()
	got, columns := Grouped(given, 3, []int{1, 0, -1})
	want := []Row{{[]int32{0, 2, 4}, []float32{.6, .8, 1}}, {[]int32{3}, []float32{1}}, given[2]}
	if columns != 5 || !reflect.DeepEqual(got, want) {
		t.Errorf("%v in %d columns, want %v", got, columns, want)
	}
	if !reflect.DeepEqual(given, rows()) {
		t.Errorf("the rows became %v", given)
	}
	if got, columns := Grouped(given, 3, []int{-1, -1, -1}); columns != 3 || !reflect.DeepEqual(got, rows()) {
		t.Errorf("%v in %d columns without a group", got, columns)
	}
}
