package reason

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/morning/finds"
	"nightjar/model"
	"nightjar/model/text"
)

// tides is a model of pages about tidal power among others about bread and cats.
func tides(t testing.TB) *model.Bundle {
	t.Helper()
	var set model.TrainingSet
	set.Topic = "Tides"
	for i := range 6 {
		set.Pages = append(set.Pages, model.Page{
			URL: fmt.Sprint("http://tides.test/", i), Title: fmt.Sprint("Power of the sea ", i), Target: true,
			Text: fmt.Sprint("Power of the sea ", i, "\nThe tidal range of an estuary drives turbines behind a barrage when the water falls. Dams ", strings.Repeat("lagoon ", i)),
		})
		set.Pages = append(set.Pages, model.Page{
			URL: fmt.Sprint("http://bread.test/", i), Title: "Bread",
			Text: fmt.Sprint("Bread\nFlour water and salt make a dough that the baker folds before the oven is hot ", strings.Repeat("yeast ", i)),
		})
	}
	b, err := model.Train(t.Context(), set, model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const severn = `Severn
Home Contact About us Search the site Sitemap
We bake bread every day. Visitors come from far away to see the town, its market and the old bridge over the river, and many of them stay.
A barrage across the Severn would use the largest tidal range in Europe. Tidal ranges of 14 metres push water through turbines twice a day.
Flour and salt are sold on Mondays.`

func TestOf(t *testing.T) {
	b := tides(t)
	f := Of(b, "", "Severn", severn, nil)
	if f.Like < 0 || !b.Pages[f.Like].Target {
		t.Fatalf("like page %d", f.Like)
	}
	if len(f.Words) == 0 || len(f.Words) > mostNamed || !slices.Contains(f.Words, "tidal range") && !slices.Contains(f.Words, "Tidal ranges") {
		t.Errorf("words %q", f.Words)
	}
	for _, w := range f.Words {
		if !strings.Contains(severn, w) {
			t.Errorf("%q is not in the page", w)
		}
		if strings.Contains(strings.ToLower(w), "flour") || strings.Contains(w, "bread") {
			t.Errorf("%q speaks against the page", w)
		}
	}
	if !strings.HasPrefix(f.Passage, "A barrage across the Severn would use the largest tidal range in Europe. Tidal ranges") {
		t.Errorf("passage %q", f.Passage)
	}
}

// The words named are words of the page that it is like.
func TestWordsAreShared(t *testing.T) {
	b := tides(t)
	f := Of(b, "", "", "lagoon barrage lagoon turbines", nil)
	have := map[string]bool{}
	for _, i := range b.Lessons.Pages[f.Like].Index {
		have[b.Features.Terms[i]] = true
	}
	st := newStemmer(text.English)
	for _, w := range f.Words {
		for _, part := range st.tokens(w) {
			if !have[part.stem] {
				t.Errorf("%q is not in the page that it is like", w)
			}
		}
	}
}

func TestNothingStandsOut(t *testing.T) {
	b := tides(t)
	for _, text := range []string{"", "\n\n", "qwertz uiop", "!!! \x00 \xff\xfe", strings.Repeat("flour ", 100)} {
		f := Of(b, "", "", text, nil)
		if len(f.Words) > 0 {
			t.Errorf("%.20q: words %q", text, f.Words)
		}
	}
	if f := Of(b, "", "T", "T\nSome words that no page of the session has, but which make one long line of running text.", nil); f.Passage !=
		"Some words that no page of the session has, but which make one long line of running text." {
		t.Errorf("passage %q", f.Passage)
	}
}

// A passage is a piece of the text, at most so long, whatever the text is.
func TestPassageIsOfTheText(t *testing.T) {
	b := tides(t)
	for _, text := range []string{
		severn, strings.Repeat("x", 5000) + " tidal", strings.Repeat("ä ", 1000) + "tidal barrage " + strings.Repeat("ö ", 1000),
		strings.Repeat("tidal. ", 300), "a\xffb tidal\xff", "<script>alert(1)</script> tidal barrage", strings.Repeat("tidal\n", 400),
		"\u202etidal barrage\u202c \u0000 estuary", strings.Repeat("no stop here and on we go ", 60) + "tidal barrage " + strings.Repeat("and on ", 100),
	} {
		p := Of(b, "", "", text, nil).Passage
		clean := strings.TrimSuffix(strings.TrimPrefix(p, "… "), " …")
		if !strings.Contains(strings.Join(strings.Fields(strings.ToValidUTF8(text, " ")), " "), clean) {
			t.Errorf("%.30q: %q is not of the text", text, p)
		}
		if n := len([]rune(p)); n > passageLength+4 {
			t.Errorf("%.30q: %d runes", text, n)
		}
		if !strings.Contains(clean, "tidal") {
			t.Errorf("%.30q: no telling word in %q", text, p)
		}
	}
}

func TestSentence(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	like := &finds.LikePage{URL: "http://x.test/", Title: "X  \n Y", MarkedAt: time.Date(2026, 5, 3, 23, 30, 0, 0, time.UTC)}
	earlier := &finds.LikePage{URL: "http://x.test/", MarkedAt: time.Date(2025, 5, 3, 1, 0, 0, 0, time.UTC)}
	for want, r := range map[string]*finds.Reason{
		"Shares “tidal range” and “barrage” with “X Y” (marked Useful 3 May).":                                  {Words: []string{"tidal range", "barrage"}, Like: like},
		"Shares “a”, “b” and “c” with “http://x.test/” (marked Useful 3 May 2025).":                             {Words: []string{"a", "b", "c"}, Like: earlier},
		"Shares “a” with “T” (marked Useful).":                                                                  {Words: []string{"a"}, Like: &finds.LikePage{URL: "u", Title: "T"}},
		"Contains “a”, like pages you marked Useful.":                                                           {Words: []string{"a"}},
		"No single word stands out. The model judged the words of the page as a whole.":                         {},
		"No single word stands out. As a whole, its words are closest to those of “X Y” (marked Useful 3 May).": {Like: like},
		"The reason has not been worked out yet.":                                                               nil,
	} {
		if got := Sentence(r, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMark(t *testing.T) {
	for _, c := range []struct{ text, words, want string }{
		{"The tidal range here", "tidal range", "The [tidal range] here"},
		{"Tidal ranges, tidal power, a tidal-range map", "tidal range", "[Tidal ranges], tidal power, a [tidal-range] map"},
		{"Barrages and a barrage", "barrage", "[Barrages] and a [barrage]"},
		{"barrage", "barrage", "[barrage]"},
		{"nothing", "barrage", "nothing"},
		{"", "barrage", ""},
		{"the the", "the", "the the"},
		{"<b>barrage</b>", "barrage|<b>", "<b>[barrage]</b>"},
	} {
		var got strings.Builder
		for _, p := range Mark(c.text, strings.Split(c.words, "|")) {
			if p.Word {
				got.WriteString("[" + p.Text + "]")
			} else {
				got.WriteString(p.Text)
			}
		}
		if got.String() != c.want {
			t.Errorf("%q: %q, want %q", c.text, got.String(), c.want)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	bundle := tides(b)
	text := strings.Repeat(severn+"\n", 30)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Of(bundle, "", "Severn", text, nil)
	}
}
