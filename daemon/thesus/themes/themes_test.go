package themes

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/model/ontology"
)

const music = "music\n  instrument | instruments\n    string instrument\n      guitar\n    flute\n  genre\n    Jazz_Music\n"

func mustShelf(t *testing.T) *ontologies.Shelf {
	t.Helper()
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return ontologies.New(st, nil)
}

func mustAdd(t *testing.T, s *ontologies.Shelf, name string) ontologies.Ontology {
	t.Helper()
	o, _, err := s.Import(t.Context(), name, []byte(music), "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestThemes: without a name there must be one ontology; each error says what to do next.
func TestThemes(t *testing.T) {
	shelf := mustShelf(t)
	s := &Source{Shelf: shelf}
	wants := func(name, want string) {
		t.Helper()
		got, err := s.Themes(t.Context(), name)
		if err == nil {
			if got.Name() != want {
				t.Errorf("%q gives %q, want %q", name, got.Name(), want)
			}
			return
		}
		if _, no := errors.AsType[*strategy.NoOntology](err); !no || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	wants("", "nightjar explore ontology add FILE")
	wants("Music", `no ontology "Music"`)
	first := mustAdd(t, shelf, "Music")
	wants("", "Music")
	wants(" music ", "Music")
	mustAdd(t, shelf, "Weather: storms")
	wants("", "there are 2 ontologies: name one, such as thematic:Music")
	wants("weather: storms", "Weather: storms")
	if err := shelf.Delete(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	wants("Music", "nightjar explore ontology lists")
	wants("", "Weather: storms")
}

// fading is a shelf whose ontology is deleted between two looks.
type fading struct{ Shelf }

func (fading) Tree(context.Context, int64) (*ontology.Tree, error) { return nil, store.ErrNotFound }

func TestThemesDeletedMeanwhile(t *testing.T) {
	shelf := mustShelf(t)
	mustAdd(t, shelf, "Music")
	_, err := (&Source{Shelf: fading{shelf}}).Themes(t.Context(), "")
	if _, no := errors.AsType[*strategy.NoOntology](err); !no {
		t.Errorf("%v", err)
	}
}

// TestNavigation: the person's words of navigation are used; a file that cannot be read does no harm.
func TestNavigation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "navigation-words.txt")
	for _, c := range []struct {
		text string
		want []string
	}{{"guitar\nflute", []string{"flute", "guitar"}}, {"1 2 3\x00", nil}} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := (&Source{Navigation: file, Log: slog.New(slog.DiscardHandler)}).navigation()
		var words []string
		for w := range got {
			words = append(words, w)
		}
		if slices.Sort(words); !slices.Equal(words, c.want) {
			t.Errorf("%q gives %q", c.text, words)
		}
	}
	for _, name := range []string{"", file + ".none"} {
		if got := (&Source{Navigation: name}).navigation(); got != nil {
			t.Errorf("%q gives %v", name, got)
		}
	}
}
