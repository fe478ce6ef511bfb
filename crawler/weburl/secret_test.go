package weburl

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	for _, c := range []struct {
		url, redacted string // redacted "" when there is no secret
	}{
		{"http://u:p@example.com/", "http://example.com/"},
		{"http://u@example.com/a", "http://example.com/a"},
		{"http:/\\u@example.com/", "http://example.com/"},
		{"http://example.com/?token=aB3dE5fG7h", "http://example.com/?token=redacted"},
		{"http://example.com/?a=1&access_token=abc&b=2", "http://example.com/?a=1&access_token=redacted&b=2"},
		{"http://example.com/?X-Amz-Signature=1&x=2", "http://example.com/?X-Amz-Signature=redacted&x=2"},
		{"http://example.com/?Client-Secret=1", "http://example.com/?Client-Secret=redacted"},
		{"http://example.com/?%74oken=aB3dE5fG7h", "http://example.com/?%74oken=redacted"},
		{"http://example.com/?code=4%2F0AX4XfWh3gRm&state=aB3dE5fG7h", "http://example.com/?code=redacted&state=redacted"},
		{"http://example.com/?email=a%40example.com", "http://example.com/?email=redacted"},
		{"http://example.com/?h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/?h=redacted"},
		{"http://example.com/?x=dGhpcyBpcyBub3QgYSBzZWNyZXQ5MzI", "http://example.com/?x=redacted"},
		{"http://example.com/?doc=550e8400-e29b-41d4-a716-446655440000", "http://example.com/?doc=redacted"},
		{"http://example.com/?eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "http://example.com/?redacted"},
		{"http://example.com/reset/Zx81kPq02LmN4vT7rYs9", "http://example.com/reset/redacted"},
		{"http://example.com/password-reset/verify/9f86d081884c7d659a2f", "http://example.com/password-reset/verify/redacted"},
		{"http://example.com/a;jsessionid=1F2A", "http://example.com/a;jsessionid=redacted"},
		{"http://example.com/cb#access_token=x1", "http://example.com/cb"},

		// The form of a version or of a vehicle's number, and the name of a revision, only where such things stand.
		{"http://example.com/share/v1a3kpha", "http://example.com/share/redacted"},
		{"http://example.com/share/v1alpha3xQ9", "http://example.com/share/redacted"},
		{"http://example.com/?code=1HGCM82633A00435", "http://example.com/?code=redacted"},
		{"http://example.com/?code=1HGCM82633A0O4352", "http://example.com/?code=redacted"},
		{"http://example.com/reset?code=1HGCM82633A004352", "http://example.com/reset?code=redacted"},
		{"http://example.com/?a=commit&key=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/?a=commit&key=redacted"},
		{"http://example.com/?a=commit&api_key=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/?a=commit&api_key=redacted"},
		{"http://example.com/?a=view&h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/?a=view&h=redacted"},
		{"http://example.com/?p=x.git;a=commit;h=9f86d081884c7d659a2feaa0c55ad015", "http://example.com/?p=x.git;a=commit;h=redacted"},
		{"http://example.com/unsubscribe?a=commit&h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "http://example.com/unsubscribe?a=commit&h=redacted"},

		// A redacted secret is still recognised.
		{"http://example.com/?token=redacted", "http://example.com/?token=redacted"},
		{"http://example.com/?x=redacted", "http://example.com/?x=redacted"},
		{"http://example.com/?redacted&x=1", "http://example.com/?redacted&x=1"},
		{"http://example.com/reset/redacted/done", "http://example.com/reset/redacted/done"},
		{"http://example.com/redacted/a", "http://example.com/redacted/a"},

		// Hidden spellings.
		{"https:\\\\u:p@example.com\\reset\\Zx81kPq02LmN4vT7", "https://example.com/reset/redacted"},
		{"HTTPS:u:p@example.com", "https://example.com"},
		{"ht\ttp://u:\np@example.com/?to\rken=aB3dE5fG7h", "http://example.com/?token=redacted"},
		{" http:///example.com/%72eset/Zx81%6BPq02LmN4vT7rYs9 ", "http://example.com/%72eset/redacted"},
		{"http://example.com/?a=1&amp;token=aB3dE5fG7h", "http://example.com/?a=1&amp;token=redacted"},
		{"http://example.com/?%zz%74oken=abc", "http://example.com/?%zz%74oken=redacted"},
		{"http://example.com/?next=%2Fcb%3Ftoken%3DaB3dE5fG7h", "http://example.com/?next=redacted"},
		{"http://example.com/?q=https%3A%2F%2Fu%3Ap%40example.org%2F", "http://example.com/?q=redacted"},
		{"http://example.com/?https%3A%2F%2Fu%3Ap%40example.org%2F", "http://example.com/?redacted"},
		{"http://example.com/?url=http%3A%2F%2Fa.test%2F%3Fu%3Dhttp%253A%252F%252Fb.test%252F%253Fpwd%253D1", "http://example.com/?url=redacted"},

		{"http://example.com/", ""},
		{"http://example.com/?token=", ""},
		{"http://example.com/?token=abc&code=CS101&key=Gm&sid=1234&state=WA", ""},
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
		{"http://example.com/share/v1alpha3", ""},
		{"http://example.com/s/v1p1beta1", ""},
		{"http://example.com/car?code=1HGCM82633A004352&key=WVWZZZ1JZ3W386752", ""},
		{"http://example.com/?p=x.git;a=commit;h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/gitweb/?p=a/x.git&a=blob_plain&f=README&h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b&hb=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/?p=x;a=commitdiff;hp=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b;h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/?p=x.git;a=shortlog;h=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b;pg=2", ""},
		{"http://example.com/a/reset/how-to-reset-a-lost-password", ""},
		{"http://example.com/@user/post", ""},
		{"http://example.com/#section-2", ""},
		{"http://example.com/a?q=redacted", ""},
		{"http://example.com/?u=http%3A%2F%2Fexample.org%2Fcommit%2F9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ""},
		{"http://example.com/?codecs=h264-mp3-v1-api2-x86", ""},
		{"ftp://example.com/a", ""},
	} {
		want := c.redacted != ""
		if got := Secret(c.url); got != want {
			t.Errorf("Secret(%q) = %v", c.url, got)
		}
		clean := Redact(c.url)
		if want && clean != c.redacted {
			t.Errorf("Redact(%q) = %q; want %q", c.url, clean, c.redacted)
		}
		if Redact(clean) != clean || !want && Secret(clean) {
			t.Errorf("Redact(%q) = %q, which is not clean", c.url, clean)
		}
	}
}

// draw returns n random characters of an alphabet.
func draw(rng *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}

// At least 95 of 100 tokens of each usual kind are seen under a name that says nothing, and behind a telling word.
func TestRandomTokensAreSeen(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []struct {
		name, alphabet string
		length         int
	}{{"hexadecimal", letters[52:] + "abcdef", 32}, {"long hexadecimal", letters[52:] + "ABCDEF", 64}, {"letters and digits", letters, 24},
		{"base64url", letters + "-_", 43}, {"base64", letters + "+/", 32}, {"base32", letters[:26] + "234567", 32}} {
		const all = 2000
		inQuery, inPath := 0, 0
		for range all {
			token := url.QueryEscape(draw(rng, kind.alphabet, kind.length))
			if Secret("https://a.test/p?h=" + token) {
				inQuery++
			}
			if Secret("https://a.test/account/reset/" + token) {
				inPath++
			}
		}
		if least := all * 95 / 100; inQuery < least || inPath < least {
			t.Errorf("%s: of %d seen %d in queries, %d in paths", kind.name, all, inQuery, inPath)
		}
	}
}

// At least 95 of 100 queries that show different pages are kept: searches of many words, numbers, dates, names, options.
func TestUsefulQueriesStay(t *testing.T) {
	words := strings.Fields("ice hockey rules 2026 offside iPhone15 MacBook h264 Stockholm u20 the of women-s world_cup 4k Part2 NHL SaaS e-mail C++ 1999/2000")
	rng := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		all := make([]string, 1+rng.IntN(9))
		for i := range all {
			all[i] = words[rng.IntN(len(words))]
		}
		return strings.Join(all, " ")
	}
	slug := func() string { return strings.ReplaceAll(text(), " ", "-") }
	const all = 4000
	kept := 0
	for range all {
		query := []string{
			"q=" + url.QueryEscape(text()), "id=" + draw(rng, "0123456789abcdef", 24), "page=" + draw(rng, "0123456789", 3),
			"p=" + draw(rng, "0123456789", 6), "article=" + slug(), "category=" + url.QueryEscape(text()), "date=2026-11-21T10:00:00Z",
			"lat=59.334591&lon=18.063240", "v=" + draw(rng, "0123456789abcdefXYZ_-", 11), "tag=" + slug() + "&sort=date-descending",
			"file=archive/2026/" + slug() + ".pdf", "isbn=978-0-13-468599-1", "n=" + draw(rng, "0123456789", 25),
			"url=" + url.QueryEscape("https://b.test/news/2026/"+slug()), "next=/wiki/" + slug(), "lang=en-GB&size=1024x768",
		}[rng.IntN(16)]
		if u := "https://a.test/search?" + query; !Secret(u) && Redact(u) == u {
			kept++
		}
	}
	t.Logf("kept %d of %d", kept, all)
	if kept < all*95/100 {
		t.Errorf("kept %d of %d", kept, all)
	}
}

// FuzzRedact compares Redact with a parser of the URL standard: no spelling keeps a user, a password or a fragment that is no
// route, and none hides a secret that the serialized URL shows.
func FuzzRedact(f *testing.F) {
	for _, seed := range []string{"https://u:p@a.test/?token=1#x", "http:\\\\u@a.test/reset/Zx81kPq02LmN4vT7", "h\tttp:/a.test;sid=1?a;b&c=%68ttp://u@b.test",
		"http://a.test/reset/../Zx81kPq02LmN4vT7?next=/?x=https%3a%2f%2fb.test%2f%3fpwd%3d1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once := Redact(raw)
		if twice := Redact(once); twice != once {
			t.Errorf("Redact(%q) = %q, and redacted again %q", raw, once, twice)
		}
		if u, err := parse(nil, once); err == nil && (u.Username() != "" || u.Password() != "" || u.Fragment() != "" && !IsRoute(u.Fragment())) {
			t.Errorf("Redact(%q) = %q", raw, once)
		}
		u, err := parse(nil, raw)
		if err != nil {
			return
		}
		if once == "" {
			t.Errorf("Redact(%q) is empty", raw)
		}
		if href := u.Href(false); Secret(href) && !Secret(raw) {
			t.Errorf("Secret(%q), but not Secret(%q)", href, raw)
		}
	})
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

// BenchmarkRedact: addresses without a secret, as most are.
func BenchmarkRedact(b *testing.B) {
	for b.Loop() {
		Redact("https://www.example.com/2024/01/15/world/europe/iceland-volcano-grindavik.html?page=2&sort=date")
		Redact("https://en.wikipedia.org/wiki/Hidden_Markov_model")
	}
}
