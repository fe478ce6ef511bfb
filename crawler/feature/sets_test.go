package feature

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
)

// TestDefaultSets: the first set is the one that [CRF] §5.3.2 prints, and the text of the sets gives them back.
func TestDefaultSets(t *testing.T) {
	s := DefaultSets()
	var lines []string
	for line := range strings.Lines(s.String()) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if want := "homepage: teaching, courses, research interests, publications, contact"; len(lines) == 0 || lines[0] != want {
		t.Errorf("sets %q, want first %q", lines, want)
	}
	again, err := ParseSets(s.String())
	if err != nil || again.String() != s.String() || len(again.sets) != len(lines) {
		t.Errorf("parsed again: %+v, %v", again, err)
	}
}

func TestHeadingSet(t *testing.T) {
	sets := mustSets(t, "homepage: teaching, courses, research interests, publications, contact\n"+
		"# a comment\r\n\r\ncourse: syllabus, grading, homework\r\n")
	for _, tt := range []struct {
		headings []string
		want     string
	}{
		{nil, ""},
		{[]string{"Publications"}, ""},
		{[]string{"Publications", "Teaching"}, "homepage"},
		{[]string{"MY PUBLICATIONS", "Contact me:"}, "homepage"},
		{[]string{"Research Interest", "Course"}, "homepage"}, // the thesis prints both forms
		{[]string{"Publications", "Publication", "publications"}, ""},
		{[]string{"Selected publications", "Teaching, spring"}, "homepage"},
		{[]string{"Publications of members of the robotics and vision laboratory", "Teaching"}, ""}, // too long
		{[]string{"Teaching and courses"}, ""},                                                      // one heading
		{[]string{"Discourses", "Publications"}, ""},
		{[]string{"Interests", "Research"}, ""},
		{[]string{"Grading", "Teaching", "Syllabus", "Contact"}, "course homepage"},
		{[]string{"", "the", "12"}, ""},
	} {
		var got []string
		for _, f := range (Reader{}).Page(&page.Page{URL: "https://a.test/", Headings: tt.headings}, sets) {
			if name, ok := strings.CutPrefix(f, "hset="); ok {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: got %q, want %q", tt.headings, got, tt.want)
		}
	}
}

func mustSets(tb testing.TB, text string) Sets {
	tb.Helper()
	s, err := ParseSets(text)
	if err != nil {
		tb.Fatal(err)
	}
	if s.String() != text {
		tb.Fatalf("the text is %q, not %q", s.String(), text)
	}
	return s
}

func TestNoSets(t *testing.T) {
	mustSets(t, manySets(maxSets))
	for _, text := range []string{"", "\n\n", "# none\n", "\ufeff# none"} {
		s := mustSets(t, text)
		if got := (Reader{}).Page(&page.Page{Headings: []string{"Teaching", "Contact"}}, s); slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, "hset") }) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestParseSetsErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"teaching, courses", `line 1: no colon after the name`},
		{"# sets\n\na: chapter, course\n: x, y", `line 4: "" is not a valid name for a set`},
		{"Home Page: x, y", `line 1: "Home Page" is not a valid name for a set`},
		{strings.Repeat("n", 21) + ": x, y", "is not a valid name for a set"},
		{"a: teaching", `line 1: set "a" has only one heading`},
		{"a: course, Courses", `line 1: set "a" has only one heading`},
		{"a: teaching,, courses", `line 1: set "a" has a comma without a heading`},
		{"a:", `line 1: set "a" has a comma without a heading`},
		{"a: teaching, about", `line 1: heading "about" of set "a" has only stop words`},
		{"a: teaching, courses\na: syllabus, grading", `line 2: there is a set "a" above`},
		{"a: teaching, cours\xff", "line 1: not UTF-8"},
		{"a: teaching, courses\n# caf\xe9", "line 2: not UTF-8"},
		{manySets(maxSets + 1), "line 101: more than 100 sets"},
		{strings.Repeat("#", maxSetsText+1), "65537 bytes, at most 65536 are read"},
	} {
		if s, err := ParseSets(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) || s.String() != "" {
			t.Errorf("%.40q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func manySets(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "set-%d: teaching, courses\n", i)
	}
	return b.String()
}
