package weburl

import "strings"

// engines are the search engines by the label before the public suffix, with the parameter of the search words.
var engines = map[string]string{
	"google": "q", "bing": "q", "duckduckgo": "q", "yahoo": "p", "ecosia": "q", "startpage": "query", "qwant": "q",
	"brave": "q", "kagi": "q", "yandex": "text", "ya": "text", "baidu": "wd", "sogou": "query", "naver": "query",
	"seznam": "q", "mojeek": "q", "swisscows": "query", "metager": "eingabe", "ask": "q", "aol": "q", "dogpile": "q",
	"lycos": "q", "gibiru": "q", "presearch": "q", "searx": "q", "searxng": "q",
}

// SearchEngine reports whether a URL is the result page of a web search. The start page is the page that the person opened
// from it.
func SearchEngine(url string) bool {
	name, _, _ := strings.Cut(Site(url), ".")
	_, query, _ := strings.Cut(url, "?")
	query, _, _ = strings.Cut(query, "#")
	if param, ok := engines[name]; ok {
		return hasParam(query, param)
	}
	first, _, _ := strings.Cut(Host(url), ".")
	return (first == "search" || first == "searx" || first == "searxng") && hasParam(query, "q")
}

// hasParam reports whether a query has the parameter with a value.
func hasParam(query, name string) bool {
	for part := range strings.SplitSeq(query, "&") {
		if n, value, _ := strings.Cut(part, "="); n == name && value != "" {
			return true
		}
	}
	return false
}
