package weburl

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSearchOf(t *testing.T) {
	long := strings.Repeat("é ", 150)
	for url, want := range map[string]Search{
		"https://www.google.com/search?q=goalie+pads&hl=en":  {"goalie pads", "Google"},
		"https://www.google.co.uk/search?hl=en&q=ice%20rink": {"ice rink", "Google"},
		"https://duckduckgo.com/?q=caf%C3%A9+%22x%22#top":    {"café \"x\"", "DuckDuckGo"},
		"https://search.yahoo.com/search?p=hockey":           {"hockey", "Yahoo"},
		"https://yandex.ru/search/?text=%D0%BB%D1%91%D0%B4":  {"лёд", "Yandex"},
		"https://www.baidu.com/s?wd=%E5%86%B0":               {"冰", "Baidu"},
		"https://searx.example.org/search?q=a%0Ab%00c":       {"a b c", "searx.example.org"},
		"https://www.bing.com/search?q=50%":                  {"50%", "Bing"},
		"https://www.bing.com/search?q=%ff":                  {"\ufffd", "Bing"},
		"https://www.bing.com/search?q=" + long:              {string([]rune(long)[:200]) + "…", "Bing"},
		"https://www.google.com/search?q=&q=second":          {"second", "Google"},
		"https://www.google.com/search?q=%20":                {},
		"https://www.google.com/":                            {},
		"https://example.com/search?q=hockey":                {},
		"http://google.example.com/search?q=hockey":          {},
	} {
		got, ok := SearchOf(url)
		if !strings.Contains(url, long) && got != want || ok != (want.Engine != "") {
			t.Errorf("SearchOf(%q) = %+v, %v; want %+v", url, got, ok, want)
		}
		if ok && !SearchEngine(url) {
			t.Errorf("%q has search words, but is no result page", url)
		}
		if n := utf8.RuneCountInString(got.Query); n > maxQuery+1 {
			t.Errorf("%d characters", n)
		}
	}
}
