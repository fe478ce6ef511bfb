package traps

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const borrowedPages = 40 // of the good web, for their sentences

var (
	reference = regexp.MustCompile(`href="([^"]+)"`)
	paragraph = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
)

// borrow returns the sentences of the first pages of a web, from its portal on; without any, those of a made-up text.
func borrow(web http.Handler) (all []string) {
	queue := []string{"http://" + Portal + "/"}
	for read := 0; read < len(queue) && read < borrowedPages; read++ {
		at, err := url.Parse(queue[read])
		if err != nil || Family(at.Hostname()) != "" {
			continue
		}
		answer := httptest.NewRecorder()
		web.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, at.String(), nil))
		if answer.Code != http.StatusOK {
			continue
		}
		for _, p := range paragraph.FindAllStringSubmatch(answer.Body.String(), -1) {
			for sentence := range strings.SplitSeq(html.UnescapeString(p[1]), ". ") {
				if len(sentence) > 20 {
					all = append(all, sentence)
				}
			}
		}
		for _, m := range reference.FindAllStringSubmatch(answer.Body.String(), -1) {
			if to, err := at.Parse(html.UnescapeString(m[1])); err == nil && !slices.Contains(queue, to.String()) {
				queue = append(queue, to.String())
			}
		}
	}
	if len(all) == 0 {
		return strings.Split(strings.Join(proseOf(Portal, 40), ""), ". ")
	}
	return all
}
