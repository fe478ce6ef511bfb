package api

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// BadRequest is an error in the parameters of a request. Its text is for the person who writes the program.
type BadRequest struct{ Problem string }

func (e BadRequest) Error() string { return e.Problem }

// maxText is the maximal length of a text parameter in characters.
const maxText = 200

// query has the parameters of a request. Its methods read one each; the first problem is kept in err.
type query struct {
	path   int64 // the id in the path, 0 without one
	values url.Values
	err    error
}

// newQuery checks that the parameters are among those that a route has.
func newQuery(path int64, values url.Values, known []string) (*query, error) {
	for name, given := range values {
		if !slices.Contains(known, name) {
			return nil, BadRequest{fmt.Sprintf("there is no parameter %.40q here; there are: %s", name, listed(known))}
		}
		if len(given) > 1 {
			return nil, BadRequest{fmt.Sprintf("the parameter %s may be given once", name)}
		}
	}
	return &query{path: path, values: values}, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (q *query) bad(format string, args ...any) {
	if q.err == nil {
		q.err = BadRequest{fmt.Sprintf(format, args...)}
	}
}

// text reads a text.
func (q *query) text(name string) string {
	text := strings.TrimSpace(q.values.Get(name))
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxText {
		q.bad("%s must be UTF-8 of at most %d characters", name, maxText)
	}
	return text
}

// id reads a number above 0; 0 if the parameter is absent.
func (q *query) id(name string) int64 {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		q.bad("%s must be a whole number above 0", name)
	}
	return n
}

// cursor reads the place after which a list goes on.
func (q *query) cursor() int64 {
	text := q.values.Get("after")
	n, err := strconv.ParseInt(text, 10, 64)
	if text != "" && (err != nil || n < 1) {
		q.bad("after must be the value of next in an earlier answer")
	}
	return n
}

// limit reads the length of a page.
func (q *query) limit(otherwise, most int) int {
	text := q.values.Get("limit")
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		q.bad("limit must be a whole number from 1 to %d", most)
	}
	return n
}

// oneOf reads one of several words.
func (q *query) oneOf(name, otherwise string, words ...string) string {
	text := q.values.Get(name)
	if text == "" {
		return otherwise
	}
	if !slices.Contains(words, text) {
		q.bad("%s must be one of: %s", name, strings.Join(words, ", "))
	}
	return text
}

// time reads a time or a date; a date means its begin in UTC.
func (q *query) time(name string) time.Time {
	text := q.values.Get(name)
	if text == "" {
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	q.bad("%s must be a date such as 2026-11-22 or a time such as 2026-11-22T08:00:00Z", name)
	return time.Time{}
}
