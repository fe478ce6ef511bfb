package page

import "testing"

func TestSecret(t *testing.T) {
	for _, c := range []struct {
		url, redacted string // redacted "" when there is no secret
	}{
		{"http://u:p@example.com/", "http://example.com/"},
		{"http://u@example.com/a", "http://example.com/a"},
		{"http:/\\u@example.com/", "http://example.com/"},
		{"http://example.com/?token=abc", "http://example.com/?token="},
		{"http://example.com/?a=1&access_token=abc&b=2", "http://example.com/?a=1&access_token=&b=2"},
		{"http://example.com/?X-Amz-Signature=1&x=2", "http://example.com/?X-Amz-Signature=&x=2"},
		{"http://example.com/?Client-Secret=1", "http://example.com/?Client-Secret="},
		{"http://example.com/?%74oken=1", "http://example.com/?%74oken="},
		{"http://example.com/?code=4%2F0Adeu5&state=xyz", "http://example.com/?code=&state="},
		{"http://example.com/?email=a%40example.com", "http://example.com/?email="},
		{"http://example.com/?h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/?h="},
		{"http://example.com/?x=dGhpcyBpcyBub3QgYSBzZWNyZXQ5MzI", "http://example.com/?x="},
		{"http://example.com/?doc=550e8400-e29b-41d4-a716-446655440000", "http://example.com/?doc="},
		{"http://example.com/?eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "http://example.com/?"},
		{"http://example.com/reset/Zx81kPq02LmN4vT7rYs9", "http://example.com/reset/-"},
		{"http://example.com/password-reset/verify/9f86d081884c7d659a2f", "http://example.com/password-reset/verify/-"},
		{"http://example.com/a;jsessionid=1F2A", "http://example.com/a"},
		{"http://example.com/cb#access_token=x1", "http://example.com/cb"},

		{"http://example.com/", ""},
		{"http://example.com/?token=", ""},
		{"http://example.com/?q=how+do+hidden+markov+models+work+in+crawlers", ""},
		{"http://example.com/?q=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/?id=1234567&page=2&lang=en", ""},
		{"http://example.com/?title=Introduction-to-Hidden-Markov-Models", ""},
		{"http://example.com/?v=introduction-to-hidden-markov-models-part-2", ""},
		{"http://example.com/?ref=2024-11-05-a-day-at-the-races", ""},
		{"http://example.com/?topic=HiddenMarkovModelsForFocusedCrawling", ""},
		{"http://example.com/?n=12345678901234567890123456", ""},
		{"http://example.com/?u=http%3A%2F%2Fexample.org%2Fa%2Fb%2Fc", ""},
		{"http://example.com/commit/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/a/reset/how-to-reset-a-lost-password", ""},
		{"http://example.com/@user/post", ""},
		{"http://example.com/#section-2", ""},
	} {
		want := c.redacted != ""
		if got := Secret(c.url); got != want {
			t.Errorf("Secret(%q) = %v", c.url, got)
		}
		clean := Redact(c.url)
		if want && clean != c.redacted {
			t.Errorf("Redact(%q) = %q; want %q", c.url, clean, c.redacted)
		}
		if Secret(clean) || Redact(clean) != clean {
			t.Errorf("Redact(%q) = %q, which is not clean", c.url, clean)
		}
	}
}

func TestSearchEngine(t *testing.T) {
	for url, want := range map[string]bool{
		"https://www.google.com/search?q=hockey":            true,
		"https://www.google.co.uk/search?hl=en&q=ice+rink":  true,
		"https://duckduckgo.com/?q=hockey&ia=web":           true,
		"https://www.bing.com/search?q=hockey":              true,
		"https://search.yahoo.com/search?p=hockey":          true,
		"https://scholar.google.com/scholar?q=hmm":          true,
		"http://search.demo.test/find?q=hockey":             true,
		"https://www.google.com/":                           false,
		"https://www.google.com/search?q=":                  false,
		"https://example.com/search?q=hockey":               false,
		"https://google.example.com/search?q=hockey":        false,
		"https://research.example.com/?q=1":                 false,
		"https://en.wikipedia.org/w/index.php?search=rinks": false,
	} {
		if got := SearchEngine(url); got != want {
			t.Errorf("SearchEngine(%q) = %v", url, got)
		}
	}
}

func TestAction(t *testing.T) {
	for url, want := range map[string]bool{
		"http://example.com/logout":                          true,
		"http://example.com/user/sign-out.php":               true,
		"http://example.com/list/unsubscribe/abc":            true,
		"http://example.com/post/12/delete":                  true,
		"http://example.com/delete/12":                       true,
		"http://example.com/delete?id=12":                    true,
		"http://example.com/index.php?action=delete":         true,
		"http://example.com/?do=logout":                      true,
		"http://example.com/w/index.php?title=A&action=edit": true,
		"http://example.com/":                                false,
		"http://example.com/wiki/Delete":                     false,
		"http://example.com/docs/sql-delete.html":            false,
		"http://example.com/how-to-vote":                     false,
		"http://example.com/?q=delete":                       false,
		"http://example.com/news/vote/":                      false,
	} {
		if got := Action(url); got != want {
			t.Errorf("Action(%q) = %v", url, got)
		}
	}
}
