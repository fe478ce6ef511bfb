package traps

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"
)

// drip is the time between two bytes of slow.test.
const drip = 100 * time.Millisecond

// slow sends an endless page byte by byte, until the client gives up.
func (f *Farm) slow(w http.ResponseWriter, r *http.Request) {
	s := sheet{title: "Measurements", text: []string{"Measurements of this station, one after the other."}}
	for i := range 15 {
		s.links = append(s.links, fmt.Sprintf("/station/%d", hash(fmt.Sprint(r.URL.Path, i))%100000))
	}
	if r.URL.Path == "/" {
		s.write(w)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	body := s.html()
	for i := range len(body) << 10 {
		if _, err := w.Write([]byte{body[i%len(body)]}); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-time.After(drip):
		case <-r.Context().Done():
			return
		case <-f.closed:
			return
		}
	}
}

// maze redirects endlessly, sometimes in a circle, sometimes to a page with more links.
func (f *Farm) maze(w http.ResponseWriter, r *http.Request) {
	at := hash(r.URL.Path)
	switch {
	case r.URL.Path == "/" || at%7 == 0:
		s := sheet{title: "Crossing", text: []string{"From here you can go in all directions."}}
		for i := range 15 {
			s.links = append(s.links, "/way/"+wordOf(fmt.Sprint(r.URL.Path, i))+"/"+wordOf(fmt.Sprint(i, r.URL.Path)))
		}
		s.write(w)
	case at%7 == 1:
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	default:
		http.Redirect(w, r, fmt.Sprintf("/way/%s/%s", wordOf(r.URL.Path+"<"), wordOf(r.URL.Path+">")), http.StatusFound)
	}
}

// bomb sends a heading and 1 GiB of spaces, gzipped into 1 MiB. Each page links to more of them.
func (f *Farm) bomb(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		s := sheet{title: "Large files", text: []string{"Everything that we have, in one page each."}}
		for i := range 15 {
			s.links = append(s.links, fmt.Sprintf("/file-%d", i))
		}
		s.write(w)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Encoding", "gzip")
	head := sheet{title: "A large file", text: []string{"It begins here."}, links: []string{r.URL.Path + "0", r.URL.Path + "1"}}.html()
	if _, err := w.Write(gzipped([]byte(head))); err != nil {
		return
	}
	for range 1 << 10 { // a gzip file may have many members (RFC 1952 section 2.2)
		if _, err := w.Write(mebibyte()); err != nil {
			return
		}
	}
}

// mebibyte is 1 MiB of spaces, gzipped.
var mebibyte = sync.OnceValue(func() []byte { return gzipped(bytes.Repeat([]byte(" "), 1<<20)) })

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b) // a buffer never fails
	_ = z.Close()
	return out.Bytes()
}

// mirror shows a copy of a page of the other web under /COPY/HOST/PATH. Its links lead to copies in this mirror and in the
// next.
func (f *Farm) mirror(w http.ResponseWriter, r *http.Request) {
	copied, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	host, path, _ := strings.Cut(rest, "/")
	if host == "" || Family(host) != "" {
		copied, host, path = "1", Portal, ""
	}
	original := httptest.NewRecorder()
	ask := httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil)
	ask.URL = &url.URL{Scheme: "http", Host: host, Path: "/" + path, RawQuery: r.URL.RawQuery}
	f.good.ServeHTTP(original, ask)
	body := original.Body.String()
	for i, from := range []string{`href="http://`, `href="/`} {
		to := []string{`href="/` + copied + `/`, `href="/` + copied + `/` + host + `/`}[i]
		if i == 1 {
			body = strings.ReplaceAll(body, `href="/`+copied+`/`, "\x00")
		}
		body = strings.ReplaceAll(body, from, to)
	}
	body = strings.ReplaceAll(body, "\x00", `href="/`+copied+`/`)
	next := fmt.Sprintf("<p>Copy %s. <a href=\"/%s1/%s/%s\">newer copy</a></p></body>", copied, copied, host, path)
	body = strings.Replace(body, "</body>", next, 1)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(original.Code)
	_, _ = w.Write([]byte(body))
}
