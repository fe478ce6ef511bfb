package pages

import (
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
)

// TestBook: a chapter names the book that it is part of: the page above it on its host that the trail came by.
func TestBook(t *testing.T) {
	for title, want := range map[string]bool{
		"Chapter 3": true, "Chapter IV: The moon": true, "3.2 Options": true, "12. Gates": true, "Appendix A": true, "Preface": true, "Kapitel 7": true,
		"Глава 7": true, "Introduction": true,
		"": false, "10 turbines to know": false, "Chapters of the club": false, "Tidal power": false, "Introduction to tides": false, "3.2 Options - Tidal handbook": false,
		"Chapter 3 | Tides": false, "2026 in tides": false,
	} {
		if got := isChapter(title); got != want {
			t.Errorf("%q is a chapter: %v", title, got)
		}
	}
	step := func(url, title string) finds.Step { return finds.Step{URL: url, Title: title} }
	handbook := step("https://a.test/book/index.html", "Tidal handbook")
	for _, c := range []struct {
		want  string
		trail []finds.Step
	}{
		{"Tidal handbook", []finds.Step{step("https://a.test/", "The press"), handbook, step("https://a.test/book/2.html", "Chapter 2")}},
		{"The press", []finds.Step{step("https://a.test/", "The press"), step("https://a.test/other/", "Others")}},
		{"", []finds.Step{step("https://b.test/book/", "Another site"), step("://", "none")}},
		{"", nil},
	} {
		if got := bookOf("https://a.test/book/3.html", append(c.trail, step("https://a.test/book/3.html", "Chapter 3"))); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestListNamesTheBook: the list of finds shows it.
func TestListNamesTheBook(t *testing.T) {
	s := seed(t)
	id := s.Count(t, `SELECT min(d.id) FROM finds d JOIN fetches f ON f.id = d.fetch_id WHERE f.parent_id IS NOT NULL`)
	s.Exec(t, `UPDATE finds SET title = 'Chapter 3' WHERE id = ?`, id)
	s.Exec(t, `UPDATE fetches SET title = 'Tidal handbook', final_url = (SELECT url FROM finds WHERE id = ?1) || '?contents'
		WHERE id = (SELECT f.parent_id FROM finds d JOIN fetches f ON f.id = d.fetch_id WHERE d.id = ?1)`, id)
	if got := webtest.Text(s.Page(t, "/?state=all").Find(".book")); got != "Tidal handbook" {
		t.Errorf("the list says %q", got)
	}
}
