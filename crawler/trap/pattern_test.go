package trap

import "testing"

func TestPattern(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/":                                   "a.test/?",
		"http://www.a.test/":                               "*.a.test/?",
		"http://x.blogspot.com/2026/11/a.html":             "x.blogspot.com/0/0/a.html?",
		"http://www.example.co.uk/":                        "*.example.co.uk/?",
		"http://example.co.uk/":                            "example.co.uk/?",
		"http://127.0.0.1/a":                               "127.0.0.1/a?",
		"http://a.test/events/2026/11/22":                  "a.test/events/0/0/0?",
		"http://a.test/events/2026-11-22":                  "a.test/events/0-0-0?",
		"http://a.test/news/4711-the-finals":               "a.test/news/0-the-finals?",
		"http://a.test/v-3fa9c2d41b/p":                     "a.test/v-*/p?",
		"http://a.test/9f86d081884c7d659a2feaa0c55ad015/x": "a.test/*/x?",
		"http://a.test/wiki/Icing_(ice_hockey)":            "a.test/wiki/Icing_(ice_hockey)?",
		"http://a.test/shoes?size=9&colour=red&size=10":    "a.test/shoes?colour&size",
		"http://a.test/shoes?f1=9&f22=red":                 "a.test/shoes?f0",
		"http://a.test/strengths/rhythm":                   "a.test/strengths/rhythm?",
	} {
		if got := groups(url)[byPattern]; got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	g := groups("http://www.a.test/x/y/z?q=1")
	if g != [levels]string{"*.a.test/x/y/z?q", "*.a.test/x/y/z?*", "*.a.test/x/**", "www.a.test", "*.a.test"} {
		t.Errorf("%q", g)
	}
}
