package page

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// resolver resolves the references of one document. Most of a document's links are of a plain form that can be put
// together from parts; the URL parser is asked for the others.
type resolver struct {
	base   *whatwg.Url
	origin string // scheme://host of the base; "" when the base itself is not plain
	folder string // of the base, with its last slash
}

func newResolver(base *whatwg.Url) *resolver {
	r := &resolver{base: base}
	path := base.Pathname()
	if base.Username() != "" || base.Password() != "" || !plainPath(path) || path == "" {
		return r
	}
	r.origin = base.Scheme() + "://" + base.Host()
	r.folder = path[:strings.LastIndexByte(path, '/')+1]
	return r
}

// resolve is resolve(base, ref).
func (r *resolver) resolve(ref string) (string, error) {
	if path, _, _ := strings.Cut(ref, "#"); path != "" && len(ref) <= maxRaw && r.origin != "" && plainPath(path) {
		u := r.origin + path
		if path[0] != '/' {
			u = r.origin + r.folder + path
		}
		if len(u) <= MaxURL {
			return u, nil
		}
	}
	return resolve(r.base, ref)
}

// plainPath reports whether a path holds nothing that the URL parser would change or take for anything else: letters,
// digits and - _ . ~ only, no empty segment before the last, none of dots.
func plainPath(path string) bool {
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '~':
		case c == '.':
			if i == 0 || path[i-1] == '/' { // a segment that begins with a dot may be one of dots
				return false
			}
		case c == '/':
			if i > 0 && path[i-1] == '/' || i == 0 && len(path) > 1 && path[1] == '/' {
				return false
			}
		default:
			return false
		}
	}
	return true
}
