package frame

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// BadInput is an error in the person's input. Its text is shown, on the page with the form (again.go).
type BadInput string

func (e BadInput) Error() string { return string(e) }

// Problems say what is wrong, by the name of the field. A text without a field is about the form's only field for text, or about
// the form as a whole.
type Problems map[string]string

// Error is all texts.
func (p Problems) Error() string {
	var all []string
	for _, field := range slices.Sorted(maps.Keys(p)) {
		all = append(all, p[field])
	}
	return strings.Join(all, " ")
}

// inField is an error with the name of the field that it is about.
type inField struct {
	error
	name string
}

func (e inField) Unwrap() error { return e.error }

// At names the field that an error in the person's input is about, unless it has a name. nil stays nil.
func At(field string, err error) error {
	if _, named := errors.AsType[inField](err); named || err == nil {
		return err
	}
	return inField{err, field}
}

// Mistake returns the text of an error about the person's input, and "" for any other error.
func (f *Frame) Mistake(err error) string {
	if bad, ok := errors.AsType[BadInput](err); ok {
		return string(bad)
	}
	for _, of := range f.mistakes {
		if text := of(err); text != "" {
			return text
		}
	}
	return ""
}

// FirstOf returns the text of the first of some errors that err wraps, and "" if it wraps none.
func FirstOf(err error, known ...error) string {
	for _, one := range known {
		if errors.Is(err, one) {
			return one.Error()
		}
	}
	return ""
}

// problemsIn are those that an error tells the person, nil for another error.
func (f *Frame) problemsIn(err error) Problems {
	if all, ok := errors.AsType[Problems](err); ok {
		return all
	}
	if text := f.Mistake(err); text != "" {
		field, _ := errors.AsType[inField](err)
		return Problems{field.name: Sentence(text)}
	}
	return nil
}

// Is reports whether err wraps an error of a type.
func Is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
