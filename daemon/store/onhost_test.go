package store

import "testing"

func TestOnHost(t *testing.T) {
	for _, c := range []struct {
		address, host string
		want          bool
	}{
		{"https://example.org/", "example.org", true},
		{"https://www.example.org/x", "example.org", true},
		{"http://example.org:8080/", "example.org", true},
		{"https://notexample.org/", "example.org", false},
		{"https://example.org.evil.test/", "example.org", false},
		{"https://other.test/example.org/", "example.org", false},
		{"https://other.test/?u=https://example.org/", "example.org", false},
		{"https://example.org@other.test/", "example.org", false},
		{"http://127.0.0.1:9/", "127.0.0.1", true},
		{"", "example.org", false},
	} {
		if got := OnHost(c.address, c.host); got != c.want {
			t.Errorf("OnHost(%q, %q) = %v", c.address, c.host, got)
		}
	}
}
