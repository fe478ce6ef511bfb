package page

import "strings"

// engines are the search engines by the label before the public suffix, and the parameter of the words searched.
var engines = map[string]string{
	"google": "q", "bing": "q", "duckduckgo": "q", "yahoo": "p", "ecosia": "q", "startpage": "query", "qwant": "q",
	"brave": "q", "kagi": "q", "yandex": "text", "ya": "text", "baidu": "wd", "sogou": "query", "naver": "query",
	"seznam": "q", "mojeek": "q", "swisscows": "query", "metager": "eingabe", "ask": "q", "aol": "q", "dogpile": "q",
	"lycos": "q", "gibiru": "q", "presearch": "q", "searx": "q", "searxng": "q",
}

// SearchEngine reports whether a URL is the result page of a web search. Such a page is no start page: what the person
// followed from it is.
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

// hasParam reports whether a query holds the parameter with a value.
func hasParam(query, name string) bool {
	for part := range strings.SplitSeq(query, "&") {
		if n, value, _ := strings.Cut(part, "="); n == name && value != "" {
			return true
		}
	}
	return false
}

var (
	// actionSegments end a session or a subscription wherever they stand in a path.
	actionSegments = set(`logout logoff signout signoff unsubscribe optout`)
	// actionWords change something when they name what is to be done to a thing.
	actionWords = set(`delete remove destroy logout logoff signout unsubscribe vote upvote downvote like unlike follow
		unfollow subscribe buy checkout purchase addtocart edit post reply report flag cancel approve reject purge`)
	// actionParams are the parameters that say what is to be done.
	actionParams = set(`action act do op cmd task mode event`)
)

// Action reports whether a URL looks as if opening it did something: logging out, unsubscribing, deleting. Nobody
// asked for that, so such a link is not followed.
func Action(url string) bool {
	a, _ := split(url)
	query := a.query
	segments := strings.Split(strings.Trim(a.path, "/"), "/")
	for i, s := range segments {
		word := actionWord(s)
		switch {
		case actionSegments[word]:
			return true
		case actionWords[word] && (query != "" && i == len(segments)-1 || i > 0 && number(segments[i-1]) || i+1 < len(segments) && number(segments[i+1])):
			return true
		}
	}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.ToLower(unescape(name)), actionWord(unescape(value))
		if actionParams[name] && actionWords[value] || actionSegments[actionWord(name)] {
			return true
		}
	}
	return false
}

// actionWord is the word of a path segment: lower case, without hyphens and file name extension.
func actionWord(s string) string {
	s, _, _ = strings.Cut(strings.ToLower(s), ".")
	return hyphens.Replace(s)
}

var hyphens = strings.NewReplacer("-", "", "_", "")

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
