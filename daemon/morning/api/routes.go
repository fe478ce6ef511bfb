package api

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// Base is the address below which the API is served.
const Base = "/api/v1"

// route is one path of the API. All are read with GET.
type route struct {
	path   string // below Base; {id} is a number
	params []string
	answer func(*Reader, context.Context, *query) (any, error)
}

// routes is the table of the API. openapi.json describes the same; a test compares them.
var routes = []route{
	{"/status", nil, (*Reader).status},
	{"/topics", nil, (*Reader).topics},
	{"/finds", []string{"topic", "state", "q", "after", "limit"}, (*Reader).finds},
	{"/finds/{id}", nil, (*Reader).find},
	{"/finds/{id}/why", nil, (*Reader).why},
	{"/search", []string{"q", "topic", "site", "kind", "since", "until", "after", "limit"}, (*Reader).search},
	{"/explore", []string{"q", "limit"}, (*Reader).explore},
	{"/sessions", []string{"after", "limit"}, (*Reader).sessions},
	{"/crawls", []string{"after", "limit"}, (*Reader).crawls},
	{"/crawls/{id}", nil, (*Reader).crawl},
}

// Answer answers a path below Base with one of the types of this package. The error is BadRequest, store.ErrNotFound,
// ErrNoPath or one of the store.
func (r *Reader) Answer(ctx context.Context, path string, values url.Values) (any, error) {
	for _, one := range routes {
		id, ok := match(one.path, path)
		if !ok {
			continue
		}
		q, err := newQuery(id, values, one.params)
		if err != nil {
			return nil, err
		}
		return one.answer(r, ctx, q)
	}
	return nil, ErrNoPath
}

// match compares a path with that of a route and returns the id in it.
func match(pattern, path string) (id int64, ok bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return 0, false
	}
	for i := range want {
		if want[i] != "{id}" {
			if want[i] != got[i] {
				return 0, false
			}
			continue
		}
		n, err := strconv.ParseInt(got[i], 10, 64)
		if err != nil || n < 1 {
			return 0, false
		}
		id = n
	}
	return id, true
}
