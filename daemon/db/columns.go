package db

import (
	"cmp"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"reflect"
	"slices"
	"time"
)

// Millis returns a time as it is stored.
func Millis(t time.Time) int64 { return t.UnixMilli() }

// OrNull returns a time as it is stored where it may be missing: NULL for the zero time.
func OrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Millis(t)
}

// MillisUp is Millis of the next full millisecond, for a time before which something must not happen.
func MillisUp(t time.Time) int64 { return t.Add(time.Millisecond - time.Nanosecond).UnixMilli() }

// Moment returns a stored time in UTC; 0 and NULL are the zero time.
func Moment(ms sql.NullInt64) time.Time {
	if !ms.Valid || ms.Int64 == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}

// TimeOf is the target of a Scan that reads a stored time; see Moment.
func TimeOf(t *time.Time) sql.Scanner { return timeOf{t} }

// SpanOf is the target of a Scan that reads a duration, which is stored in milliseconds.
func SpanOf(d *time.Duration) sql.Scanner { return spanOf{d} }

// JSON is a value in a column with JSON.
type JSON interface {
	driver.Valuer
	sql.Scanner
}

// JSONOf is a value in a column with JSON: an argument of a statement that stores it, or, around a pointer, the target of a Scan that
// reads it. Reading "" or NULL leaves the value as it is.
func JSONOf(v any) JSON { return jsonOf{v} }

type timeOf struct{ *time.Time }

// Scan is sql.Scanner's.
func (t timeOf) Scan(stored any) error {
	var ms sql.NullInt64
	err := ms.Scan(stored)
	*t.Time = Moment(ms)
	return err
}

type spanOf struct{ *time.Duration }

// Scan is sql.Scanner's.
func (d spanOf) Scan(stored any) error {
	var ms sql.NullInt64
	err := ms.Scan(stored)
	*d.Duration = time.Duration(ms.Int64) * time.Millisecond
	return err
}

type jsonOf struct{ v any }

// Value is driver.Valuer's.
func (j jsonOf) Value() (driver.Value, error) {
	text, err := json.Marshal(j.v)
	return string(text), err
}

// Scan is sql.Scanner's.
func (j jsonOf) Scan(stored any) error {
	var text []byte
	switch stored := stored.(type) {
	case string:
		text = []byte(stored)
	case []byte:
		text = stored
	}
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, j.v)
}

// Fields reads a row into the fields of a struct: all of them, in their order, and those of an embedded struct as its own. Times are
// read as by TimeOf, durations as by SpanOf, and lists, maps, pointers and structs as by JSONOf.
func Fields[T any](row Scanner) (one T, err error) {
	err = row.Scan(targets(reflect.ValueOf(&one).Elem(), nil)...)
	return one, err
}

// targets appends what a Scan needs to read the fields of a struct.
func targets(of reflect.Value, into []any) []any {
	for i := range of.NumField() {
		field := of.Field(i)
		switch to := field.Addr().Interface().(type) {
		case *time.Time:
			into = append(into, timeOf{to})
		case *time.Duration:
			into = append(into, spanOf{to})
		case *[]byte:
			into = append(into, to)
		default:
			switch kind := field.Kind(); {
			case of.Type().Field(i).Anonymous:
				into = targets(field, into)
			case kind == reflect.Slice, kind == reflect.Map, kind == reflect.Pointer, kind == reflect.Struct:
				into = append(into, jsonOf{to})
			default:
				into = append(into, to)
			}
		}
	}
	return into
}

// ListOf returns what a function gives for each element of a list.
func ListOf[T, U any](all []T, of func(T) U) []U {
	list := make([]U, len(all))
	for i, one := range all {
		list[i] = of(one)
	}
	return list
}

// Distinct returns the different elements of a list, in ascending order.
func Distinct[T cmp.Ordered](all []T) []T {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}

// JSONList writes a list for json_each, "[]" for nil.
func JSONList[T int64 | string](all []T) string {
	text, err := json.Marshal(append([]T{}, all...))
	if err != nil {
		panic("store: " + err.Error()) // cannot happen: numbers and texts
	}
	return string(text)
}
