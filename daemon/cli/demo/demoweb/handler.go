package demoweb

import (
	"io"
	"net"
	"net/http"
	"strings"
)

// Handler serves the sites by the Host header. Hosts and paths that do not exist answer 404.
func (w *Web) Handler() http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(out, "this web is only for reading", http.StatusMethodNotAllowed)
			return
		}
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.ToLower(host)
		if rules, ok := w.robots[host]; ok && r.URL.Path == "/robots.txt" {
			out.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = io.WriteString(out, rules)
			return
		}
		d, ok := w.documents["http://"+host+r.URL.EscapedPath()]
		switch {
		case !ok:
			d = document{status: http.StatusNotFound, body: "<!DOCTYPE html><title>Not found</title><h1>There is no such page</h1>\n"}
		case d.location != "":
			out.Header().Set("Location", d.location)
		}
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		out.WriteHeader(d.status)
		_, _ = io.WriteString(out, d.body) // the client may have gone
	})
}
