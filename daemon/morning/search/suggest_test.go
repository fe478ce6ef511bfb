package search_test

import (
	"slices"
	"testing"

	"nightjar/daemon/morning/search"
)

// TestBeginningsFollowWholeWords: a beginning finds longer words, after the pages that have it as a word.
func TestBeginningsFollowWholeWords(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Birds", map[string][2]string{
		"http://whole.test/": {"Notes", "Some say pengu and mean the bird of the south, which they like."},
		"http://title.test/": {"Penguins of Antarctica: penguins", "Penguins, penguins, penguins."},
		"http://other.test/": {"Auks", "No such bird. A university keeps them."},
	})
	indexAll(t, s)
	for query, want := range map[string][]string{"pengu": {"http://whole.test/", "http://title.test/"}, `"pengu"`: {"http://whole.test/"},
		"pengu antarc": {"http://title.test/"}, "penguinsx": nil, "universit": {"http://other.test/"}} {
		hits, total, err := search.Search(t.Context(), s, search.Filter{Text: query})
		var got []string
		for _, h := range hits {
			got = append(got, h.URL)
		}
		if err != nil || total != len(want) || !slices.Equal(got, want) {
			t.Errorf("%s: %q of %d, %v; want %q", query, got, total, err, want)
		}
	}
	hits, _, err := search.Search(t.Context(), s, search.Filter{Text: "universit"})
	if want := (search.SnippetPart{Text: "university", Hit: true}); err != nil || len(hits) != 1 || !slices.Contains(hits[0].Snippet, want) {
		t.Errorf("%+v, %v: the longer word is not marked", hits, err)
	}
}

func TestSuggest(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Birds", map[string][2]string{
		"http://birds.test/": {"The Albatross", "Albatrosses glide. An albatross of Ørsted. Barrages, and a bar\u00adrage. Пингвин."},
		"http://ice.test/":   {"Ice", "Glider"},
	})
	indexAll(t, s)
	for query, want := range map[string]string{
		"albatros": "albatross", "ALBATROS": "Albatross", "barages": "barrages", "orstad": "ørsted", "glidr": "glider", "пингвн": "пингвин",
		`"albatros glide" -bar site:birds.test`: `"albatross glide" -bar site:birds.test`, "an -albatros": "", "albatross": "", "zebra": "", "": "",
		"albatros barages":       "albatross barrages",
		"albatros site:ice.test": "", // it would find nothing there
	} {
		if got, err := search.Suggest(t.Context(), s, search.Filter{Text: query}); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", query, got, err, want)
		}
	}
	if got, err := search.Suggest(t.Context(), s, search.Filter{Text: "albatros", After: 15}); err != nil || got != "" {
		t.Errorf("on the second page: %q, %v", got, err)
	}
}
