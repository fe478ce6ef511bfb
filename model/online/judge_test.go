package online

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/text"
)

var subjects = [][]string{
	strings.Fields("hockey puck goalie stick rink skate league playoff"),
	strings.Fields("university faculty professor lecture campus student degree"),
	strings.Fields("garden flower seed soil plant rose tulip compost"),
}

func prose(rng *rand.Rand, subject int) string {
	var words []string
	for range 30 {
		words = append(words, subjects[subject][rng.IntN(len(subjects[subject]))])
	}
	return strings.Join(words, " ")
}

// bundle is of a session whose targets are about hockey.
var bundle = sync.OnceValue(func() *model.Bundle {
	rng := rand.New(rand.NewPCG(1, 1))
	set := model.TrainingSet{Topic: "Hockey"}
	for i := range 36 {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: prose(rng, i%3), Target: i%3 == 0})
		if i > 0 {
			set.Edges = append(set.Edges, [2]int{i - 1, i})
		}
	}
	for range 6 {
		set.Background = append(set.Background, prose(rng, 2))
	}
	b, err := model.Train(context.Background(), set, model.DefaultSettings(), nil)
	if err != nil {
		panic(err)
	}
	return b
})

// host stands for the site of a URL.
func host(url string) string { return strings.Split(url, "/")[2] }

func learned(t *testing.T, b *model.Bundle) *Judge {
	t.Helper()
	j := NewJudge(b, host)
	if err := j.Learn(context.Background()); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestJudgeBeginsAsTheModels: before it has learned anything it says what the model says.
func TestJudgeBeginsAsTheModels(t *testing.T) {
	b, rng := bundle(), rand.New(rand.NewPCG(2, 1))
	j := NewJudge(b, host)
	for range 20 {
		o, words := b.Read(prose(rng, rng.IntN(3)))
		p := j.Page(text.English, "https://a.test/x", "", words)
		want := max(-6, min(6, math.Log(o.Useful/(1-o.Useful))))
		if got := j.LogOdds(p.Row); math.Abs(got-want) > 1e-6 {
			t.Errorf("log odds %v, want %v", got, want)
		}
		if got := j.Useful(p); math.Abs(got-Probability(want)) > 1e-6 {
			t.Errorf("useful %v, the model says %v", got, o.Useful)
		}
	}
	none := learned(t, b).Page(text.English, "https://a.test/0", "Hockey", b.Words("xylophone"))
	if j.Useful(none) != 0 || j.LogOdds(none.Row) != -4 || j.Said(none.Row) != 0 {
		t.Error("words that it does not know say something")
	}
}

// TestJudgeLearnsWhatIsUsual: fetched pages without a mark are taken for the rest of the web by the crawl's own reading
// alone; a mark changes what the person is shown, too.
func TestJudgeLearnsWhatIsUsual(t *testing.T) {
	b, rng := bundle(), rand.New(rand.NewPCG(3, 1))
	j := learned(t, b)
	garden := j.Page(text.English, "https://b.test/garden", "", b.Words("hockey garden rose tulip"))
	before, shown := j.LogOdds(garden.Row), j.Useful(garden)
	for i := range 40 {
		j.Add(j.Page(text.English, fmt.Sprintf("https://b.test/%d", i), "", b.Words(prose(rng, 2)+" hockey")))
	}
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if j.LogOdds(garden.Row) >= before || j.Useful(garden) != shown {
		t.Errorf("log odds went from %v to %v, what is shown from %v to %v", before, j.LogOdds(garden.Row), shown, j.Useful(garden))
	}
	for i := range 8 {
		if _, changed := j.Mark(fmt.Sprintf("https://b.test/%d", i), Useful); !changed {
			t.Fatal("the mark of a fetched page changed nothing")
		}
	}
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if j.Useful(garden) <= shown || j.Marked() {
		t.Errorf("eight marks on gardens: %v, before %v", j.Useful(garden), shown)
	}
	if _, changed := j.Mark("https://elsewhere.test/", Useful); changed {
		t.Error("a page that was not fetched was marked")
	}
}

// templated is of a session whose targets are hardly told by their words, but by title and address.
var templated = sync.OnceValue(func() *model.Bundle {
	rng := rand.New(rand.NewPCG(8, 1))
	set := model.TrainingSet{Topic: "Reports"}
	for i := range 60 {
		p := model.Page{URL: fmt.Sprintf("https://a.test/people/%d", i), Title: "Someone", Text: prose(rng, rng.IntN(2))}
		if i%3 == 0 {
			p = model.Page{URL: fmt.Sprintf("https://a.test/news/day-%d-of-a-long-season", i), Title: "Report", Text: prose(rng, rng.IntN(2)) + " playoff", Target: true}
		}
		set.Pages = append(set.Pages, p)
		if i > 0 {
			set.Edges = append(set.Edges, [2]int{i - 1, i})
		}
	}
	for range 6 {
		set.Background = append(set.Background, prose(rng, 2))
	}
	b, err := model.Train(context.Background(), set, model.DefaultSettings(), nil)
	if err != nil {
		panic(err)
	}
	return b
})

// TestJudgeReadsTitleAndAddress: on a site of the session both count, elsewhere the title alone.
func TestJudgeReadsTitleAndAddress(t *testing.T) {
	b := templated()
	j := learned(t, b)
	words := b.Words("rink professor league campus")
	odds := func(url, title string) float64 { return LogOdds(j.Useful(j.Page(text.English, url, title, words))) }
	news, people := "/news/day-99-of-a-long-season", "/people/99"
	if a, b := odds("https://a.test"+news, ""), odds("https://a.test"+people, ""); a < b+1 {
		t.Errorf("at home the address of news gives %v, of people %v", a, b)
	}
	if a, b := odds("https://b.test"+news, ""), odds("https://b.test"+people, ""); a != b {
		t.Errorf("abroad the address of news gives %v, of people %v", a, b)
	}
	for _, site := range []string{"https://a.test/x", "https://b.test/x"} {
		if a, b := odds(site, "A report"), odds(site, "Someone else"); a < b+.3 {
			t.Errorf("%s: a title of news gives %v, of people %v", site, a, b)
		}
	}
}

// TestMarksTeachTitles: pages marked against the session's habits change what a title says.
func TestMarksTeachTitles(t *testing.T) {
	b := templated()
	j := learned(t, b)
	words := b.Words("rink professor league campus")
	odds := func(title string) float64 {
		return LogOdds(j.Useful(j.Page(text.English, "https://b.test/x", title, words)))
	}
	before := odds("Someone") - odds("Report")
	for i := range 20 {
		url, title, mark := fmt.Sprintf("https://b.test/%d", i), "Report", NotUseful
		if i%2 == 0 {
			title, mark = "Someone", Useful
		}
		j.Add(j.Page(text.English, url, title, words))
		j.Mark(url, mark)
	}
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if after := odds("Someone") - odds("Report"); after < before+1 {
		t.Errorf("the titles were %v apart, after 20 marks %v", before, after)
	}
}

// TestOneClassTeachesNoHabits: a session with one useful page, or with one other, says nothing about titles and addresses.
func TestOneClassTeachesNoHabits(t *testing.T) {
	for _, useful := range []int{1, 5} {
		of := templated()
		b := &model.Bundle{Features: of.Features, Judge: of.Judge, Pages: slices.Clone(of.Pages[:6])}
		b.Lessons.Pages, b.Lessons.Background = of.Lessons.Pages[:6], of.Lessons.Background
		for i := range b.Pages {
			b.Pages[i].Target = i < useful
		}
		j := learned(t, b)
		p := j.Page(text.English, "https://a.test/news/day-99-of-a-long-season", "Report", b.Words("rink professor"))
		if got, want := j.Useful(p), NewJudge(b, host).Useful(p); got != want {
			t.Errorf("%d of 6 pages useful: %v, by the words %v", useful, got, want)
		}
	}
}

func TestJudgeForgetsTheOldest(t *testing.T) {
	b := bundle()
	j := NewJudge(b, host)
	page := func(url string) Page { return j.Page(text.English, "https://b.test/"+url, "", b.Words("hockey")) }
	for i := range maxFetched {
		j.Fetched = append(j.Fetched, Fetched{Page: page(fmt.Sprint(i))})
	}
	j.Mark("https://b.test/0", NotUseful)
	j.Add(page("new"))
	if len(j.Fetched) != maxFetched || j.find("https://b.test/0") != 0 || j.find("https://b.test/1") >= 0 || j.find("https://b.test/new") != maxFetched-1 {
		t.Error("the oldest page without a mark did not go first")
	}
}

func TestLargest(t *testing.T) {
	r := logistic.Row{Index: []int32{2, 5, 7, 9}, Value: []float32{.1, .9, .3, .9}}
	if index, value := Largest(r.Index, r.Value, 3); !slices.Equal(index, []int32{5, 7, 9}) || !slices.Equal(value, []float32{.9, .3, .9}) {
		t.Errorf("kept %v, %v", index, value)
	}
	if index, value := Largest(r.Index, r.Value, 4); !slices.Equal(index, r.Index) || !slices.Equal(value, r.Value) {
		t.Errorf("a short row became %v, %v", index, value)
	}
}

// TestUnseen: pages are scored by judges that have not seen them, so targets score lower than by the judge that has.
func TestUnseen(t *testing.T) {
	b := bundle()
	j := learned(t, b)
	got, err := j.Unseen(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seen, unseen := 0.0, 0.0
	for i, p := range b.Pages {
		if p.Target != (got[i] > 0) {
			t.Errorf("page %d, target %v, has log odds %v", i, p.Target, got[i])
		}
		if p.Target {
			seen, unseen = seen+j.LogOdds(j.rows[i]), unseen+got[i]
		}
	}
	if unseen >= seen {
		t.Errorf("unseen targets score %v, seen ones %v", unseen, seen)
	}
	if !reflect.DeepEqual(j.State(), learned(t, b).State()) {
		t.Error("scoring the session changed the judge")
	}
}

func TestUncertain(t *testing.T) {
	b := bundle()
	j := NewJudge(b, host)
	texts := map[string]string{"https://b.test/sure": "hockey puck goalie", "https://b.test/not": "garden flower seed", "https://b.test/open": "hockey garden"}
	urls := slices.Sorted(maps.Keys(texts))
	page := func(url string) Page { return j.Page(text.English, url, "", b.Words(texts[url])) }
	for _, url := range urls {
		j.Add(page(url))
	}
	best := slices.MinFunc(urls, func(x, y string) int {
		return cmp.Compare(math.Abs(j.LogOdds(page(x).Row)), math.Abs(j.LogOdds(page(y).Row)))
	})
	if got := j.Uncertain(2); len(got) != 2 || got[0] != best {
		t.Errorf("asks about %v, the nearest to even odds is %q", got, best)
	}
	j.Mark(best, Useful)
	if got := j.Uncertain(9); len(got) != 2 || slices.Contains(got, best) || j.Uncertain(-1) != nil {
		t.Errorf("asks about %v", got)
	}
}

func TestPack(t *testing.T) {
	b := bundle()
	j := learned(t, b)
	page := j.Page(text.English, "https://b.test/", "Hockey rink", b.Words("hockey rink"))
	j.Add(page)
	j.Mark(page.URL, Useful)
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	raw, err := Pack("judge", b, j.State())
	if err != nil {
		t.Fatal(err)
	}
	var state JudgeState
	again := NewJudge(b, host)
	if err := errors.Join(Unpack("judge", b, raw, &state), again.SetState(state)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.State(), j.State()) || again.Useful(page) != j.Useful(page) {
		t.Error("another judge came out")
	}
	for _, one := range []*Judge{j, again} {
		one.Mark(page.URL, NotUseful)
		if err := one.Retrain(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(again.State(), j.State()) {
		t.Error("after a restart it learns something else")
	}
	for what, bad := range map[string][]byte{"nothing": nil, "cut": raw[:len(raw)-1], "longer": append(slices.Clone(raw), 0)} {
		if err := Unpack("judge", b, bad, &state); !errors.Is(err, ErrSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := Unpack("other", b, raw, &state); !errors.Is(err, ErrSnapshot) {
		t.Errorf("of another kind: %v", err)
	}
	for what, spoil := range map[string]func(*JudgeState){
		"weights of another model":          func(s *JudgeState) { s.Shown = weightsState{Words: []float32{1}} },
		"a regression of other signals":     func(s *JudgeState) { s.Abroad.Signals = nil },
		"a regression that is not finite":   func(s *JudgeState) { s.Home.Bias = math.NaN() },
		"a page with a mark that is no one": func(s *JudgeState) { s.Fetched = []Fetched{{Page: page, Mark: 9}} },
		"a page without an address":         func(s *JudgeState) { s.Fetched = []Fetched{{Page: Page{Row: page.Row}}} },
	} {
		state := j.State()
		spoil(&state)
		if err := again.SetState(state); !errors.Is(err, ErrSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !reflect.DeepEqual(again.State(), j.State()) {
		t.Error("a bad state changed the judge")
	}
}

// TestAddressTokens: a page's address tells its folder and the look of its name, and nothing of its host or digits.
func TestAddressTokens(t *testing.T) {
	same := [][2]string{
		{"https://a.test/news/2016/03/a-b-c", "http://other.test/News/2017/11/a-b-c"},
		{"https://a.test", "https://a.test/"},
	}
	for _, c := range same {
		if !slices.Equal(addressTokens(c[0]), addressTokens(c[1])) {
			t.Errorf("%s and %s differ", c[0], c[1])
		}
	}
	for _, url := range []string{"https://a.test/news", "https://a.test/news/", "https://a.test/news?p=1", "https://a.test/a/news", "https://a.test/some-long-news-of-the-day"} {
		if slices.Equal(addressTokens(url), addressTokens("https://a.test/people")) {
			t.Errorf("%s looks like a page of people", url)
		}
	}
	if most := len(addressTokens("https://a.test/" + longPath())); most > maxPageTokens+5 {
		t.Errorf("a long address has %d tokens", most)
	}
	if !slices.Contains(addressTokens("https://a.test/~ann/"), hash32(Address, "~")) {
		t.Error("a person's folder is not known as one")
	}
}

func longPath() string {
	var parts []string
	for i := range 500 {
		parts = append(parts, strings.Repeat("x", i+1))
	}
	return strings.Join(parts, "/")
}

// TestMarksOnOneHost: some pages of a host that the person marks Not useful during a crawl teach nothing of the words that all
// pages of the host share, nor of their titles.
func TestMarksOnOneHost(t *testing.T) {
	const everywhere = " cornell ithaca upson rhodes library ezra cayuga telluride duffield olin sage statler warren morrill mccormick"
	rng := rand.New(rand.NewPCG(4, 1))
	set := model.TrainingSet{Topic: "Hockey"}
	for i := range 60 {
		p := model.Page{URL: fmt.Sprintf("https://a.test/%d", i), Title: "A page", Text: prose(rng, i%3), Target: i%3 == 0}
		if i < 3 { // or they would be no words that the judge knows
			p.Title, p.Text = "Cornell", p.Text+everywhere
		}
		set.Pages = append(set.Pages, p)
	}
	b, err := model.Train(t.Context(), set, model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	j := learned(t, b)
	page := func(i, subject int) Page {
		_, words := b.Read(prose(rng, subject) + everywhere)
		return j.Page(text.English, fmt.Sprintf("https://cornell.test/%d", i), "Cornell", words)
	}
	useful := page(100, 0)
	before := j.Useful(useful)
	for i := range 12 {
		p := page(i, 2)
		j.Add(p)
		j.Mark(p.URL, NotUseful)
	}
	if err := j.Retrain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := j.Useful(useful); after < .8*before {
		t.Errorf("a useful page of the host: %.3f after the marks, %.3f before", after, before)
	}
	_, shared := b.Read(everywhere)
	if says := j.shown.sum(j.Row(shared)); says < -.5 {
		t.Errorf("the words that all pages of the host share say %.2f", says)
	}
}
