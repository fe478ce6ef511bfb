package weburl

import "strings"

// A route is a fragment that begins with "/" or "!", such as #/teams/7 or #!topic/ice. Pages whose scripts show many pages
// under one address of the server use it to name what they show. Other fragments name a place in a page, or hand over a
// token. An empty route, "#/" or "#!", names what the page shows without it.

// IsRoute reports whether a fragment, without its "#", is a route.
func IsRoute(fragment string) bool {
	return fragment != "" && (fragment[0] == '/' || fragment[0] == '!')
}

// Document returns the address that a server is asked for: a canonical URL without its route. Whoever requests pages
// compares these: URLs that differ only in the route lead to one document.
func Document(url string) string {
	document, _, _ := strings.Cut(url, "#")
	return document
}

// keepRoute returns the canonical form of a parsed URL's fragment with its "#", or "" when it is no route or an empty one.
// A fragment in the route, which is a place in what it shows, and parameters for tracking are dropped.
func keepRoute(fragment string) string {
	if !IsRoute(fragment) {
		return ""
	}
	fragment, _, _ = strings.Cut(fragment, "#")
	path, query, _ := strings.Cut(fragment, "?")
	return joinRoute(path, keepParams(query))
}

// joinRoute makes a route of its path and query; "" of an empty one.
func joinRoute(path, query string) string {
	switch {
	case query != "":
		return "#" + path + "?" + query
	case strings.Trim(path, "/!") == "":
		return ""
	}
	return "#" + path
}

// scrubRoute removes the secrets of a fragment: of a route as of the path and query of a URL, in which a single segment or
// one with "=" may also be a parameter (#/access_token=…); of another fragment everything. told is what the URL's path
// says.
func scrubRoute(fragment string, told telling, depth int) (clean string, hit bool) {
	if !IsRoute(fragment) {
		_, hit = scrubPairs(fragment, untold, depth)
		return "", hit
	}
	fragment, place, _ := strings.Cut(fragment, "#")
	path, query, _ := strings.Cut(fragment, "?")
	mark := path[:len(path)-len(strings.TrimLeft(path, "!"))]
	path, told, inPath := scrubPath("", path[len(mark):], told, depth)
	path, inPairs := scrubSegments(path, depth)
	query, inQuery := scrubPairs(query, told, depth)
	_, inPlace := scrubPairs(place, untold, depth)
	return joinRoute(mark+path, query), inPath || inPairs || inQuery || inPlace
}

// scrubSegments removes secrets from the segments of a route that may be parameters.
func scrubSegments(path string, depth int) (clean string, hit bool) {
	segments := strings.Split(path, "/")
	alone := strings.Count(strings.Trim(path, "/"), "/") == 0
	for i, segment := range segments {
		if segment != "" && (alone || strings.Contains(segment, "=")) {
			clean, bad := scrubPairs(segment, untold, depth)
			segments[i], hit = clean, hit || bad
		}
	}
	return strings.Join(segments, "/"), hit
}
