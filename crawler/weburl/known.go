package weburl

import (
	"net/url"
	"strings"
	"unicode"
)

// engines are the search engines by the label before the public suffix.
var engines = map[string]struct{ param, name string }{
	"google": {"q", "Google"}, "bing": {"q", "Bing"}, "duckduckgo": {"q", "DuckDuckGo"}, "yahoo": {"p", "Yahoo"},
	"ecosia": {"q", "Ecosia"}, "startpage": {"query", "Startpage"}, "qwant": {"q", "Qwant"}, "brave": {"q", "Brave"},
	"kagi": {"q", "Kagi"}, "yandex": {"text", "Yandex"}, "ya": {"text", "Yandex"}, "baidu": {"wd", "Baidu"},
	"sogou": {"query", "Sogou"}, "naver": {"query", "Naver"}, "seznam": {"q", "Seznam"}, "mojeek": {"q", "Mojeek"},
	"swisscows": {"query", "Swisscows"}, "metager": {"eingabe", "MetaGer"}, "ask": {"q", "Ask"}, "aol": {"q", "AOL"},
	"dogpile": {"q", "Dogpile"}, "lycos": {"q", "Lycos"}, "gibiru": {"q", "Gibiru"}, "presearch": {"q", "Presearch"},
	"searx": {"q", "SearX"}, "searxng": {"q", "SearXNG"},
}

// Search is a web search.
type Search struct {
	Query  string // its words, in one line
	Engine string // name of the search engine, for people; its host if it is not a known one
}

// maxQuery is the number of characters of a query that are kept.
const maxQuery = 200

// SearchEngine reports whether a URL is the result page of a web search. The start page is the page that the person opened
// from it.
func SearchEngine(url string) bool {
	raw, _ := searchOf(url)
	return raw != ""
}

// SearchOf returns the search whose result page a URL is; ok is false for any other page.
func SearchOf(page string) (s Search, ok bool) {
	raw, engine := searchOf(page)
	if raw == "" {
		return Search{}, false
	}
	words, err := url.QueryUnescape(raw)
	if err != nil {
		words = raw
	}
	words = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(words, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if cut := []rune(words); len(cut) > maxQuery {
		words = string(cut[:maxQuery]) + "…"
	}
	if words == "" {
		return Search{}, false
	}
	return Search{words, engine}, true
}

// searchOf returns the search words in a URL, as they are written there, and the search engine; "" for any other page.
func searchOf(url string) (words, engine string) {
	name, _, _ := strings.Cut(Site(url), ".")
	_, query, _ := strings.Cut(url, "?")
	query, _, _ = strings.Cut(query, "#")
	if known, ok := engines[name]; ok {
		return paramOf(query, known.param), known.name
	}
	host := Host(url)
	first, _, _ := strings.Cut(host, ".")
	if first == "search" || first == "searx" || first == "searxng" {
		return paramOf(query, "q"), host
	}
	return "", ""
}

// paramOf returns the first value of a parameter that is not empty.
func paramOf(query, name string) string {
	for part := range strings.SplitSeq(query, "&") {
		if n, value, _ := strings.Cut(part, "="); n == name && value != "" {
			return value
		}
	}
	return ""
}
