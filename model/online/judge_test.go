package online

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/model"
	"nightjar/model/logistic"
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

// TestJudgeBeginsAsTheModels: before it has learned anything it says what the model says.
func TestJudgeBeginsAsTheModels(t *testing.T) {
	b, rng := bundle(), rand.New(rand.NewPCG(2, 1))
	j := NewJudge(b)
	for range 20 {
		text := prose(rng, rng.IntN(3))
		o, words := b.Read(text)
		row := j.Row(words)
		if got := j.Useful(row); math.Abs(got-o.Useful) > 1e-12 {
			t.Errorf("useful %v, the model says %v", got, o.Useful)
		}
		if got, want := j.LogOdds(row), max(-6, min(6, math.Log(o.Useful/(1-o.Useful)))); math.Abs(got-want) > 1e-6 {
			t.Errorf("log odds %v, want %v", got, want)
		}
	}
	if none := j.Row(b.Words("xylophone")); j.Useful(none) != 0 || j.LogOdds(none) != -4 || j.Said(none) != 0 {
		t.Error("words that it does not know say something")
	}
}

// TestJudgeLearnsWhatIsUsual: fetched pages without a mark are taken for the rest of the web by the crawl's own reading
// alone; a mark changes what the person is shown, too.
func TestJudgeLearnsWhatIsUsual(t *testing.T) {
	b, rng := bundle(), rand.New(rand.NewPCG(3, 1))
	j := NewJudge(b)
	garden := j.Row(b.Words("hockey garden rose tulip"))
	before, shown := j.LogOdds(garden), j.Useful(garden)
	for i := range 40 {
		j.Add(fmt.Sprintf("https://b.test/%d", i), j.Row(b.Words(prose(rng, 2)+" hockey")))
	}
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if j.LogOdds(garden) >= before || j.Useful(garden) != shown {
		t.Errorf("log odds went from %v to %v, what is shown from %v to %v", before, j.LogOdds(garden), shown, j.Useful(garden))
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

func TestJudgeForgetsTheOldest(t *testing.T) {
	b := bundle()
	j := NewJudge(b)
	row := j.Row(b.Words("hockey"))
	for i := range maxFetched {
		j.Fetched = append(j.Fetched, Fetched{URL: fmt.Sprint(i), Row: row})
	}
	j.Mark("0", NotUseful)
	j.Add("new", row)
	if len(j.Fetched) != maxFetched || j.find("0") != 0 || j.find("1") >= 0 || j.find("new") != maxFetched-1 {
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
	j := NewJudge(b)
	got, err := j.Unseen(context.Background(), len(b.Pages))
	if err != nil {
		t.Fatal(err)
	}
	seen, unseen := 0.0, 0.0
	for i, p := range b.Pages {
		if p.Target != (got[i] > 0) {
			t.Errorf("page %d, target %v, has log odds %v", i, p.Target, got[i])
		}
		if p.Target {
			seen, unseen = seen+j.logOdds(&j.crawl, j.rows[i]), unseen+got[i]
		}
	}
	if unseen >= seen {
		t.Errorf("unseen targets score %v, seen ones %v", unseen, seen)
	}
	if !reflect.DeepEqual(j.crawl, NewJudge(b).crawl) {
		t.Error("scoring the session changed the judge")
	}
}

func TestUncertain(t *testing.T) {
	b := bundle()
	j := NewJudge(b)
	texts := map[string]string{"sure": "hockey puck goalie", "surely not": "garden flower seed", "open": "hockey garden"}
	for _, url := range []string{"sure", "surely not", "open"} {
		j.Add(url, j.Row(b.Words(texts[url])))
	}
	best := slices.MinFunc([]string{"sure", "surely not", "open"}, func(x, y string) int {
		a, c := math.Abs(j.LogOdds(j.Row(b.Words(texts[x])))), math.Abs(j.LogOdds(j.Row(b.Words(texts[y]))))
		return int(math.Copysign(1, a-c))
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
	j := NewJudge(b)
	j.Add("https://b.test/", j.Row(b.Words("hockey rink")))
	j.Mark("https://b.test/", Useful)
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	raw, err := Pack("judge", b, j.State())
	if err != nil {
		t.Fatal(err)
	}
	var state JudgeState
	again := NewJudge(b)
	if err := errors.Join(Unpack("judge", b, raw, &state), again.SetState(state)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.State(), j.State()) {
		t.Error("another judge came out")
	}
	for what, bad := range map[string][]byte{"nothing": nil, "cut": raw[:len(raw)-1], "longer": append(slices.Clone(raw), 0)} {
		if err := Unpack("judge", b, bad, &state); !errors.Is(err, ErrSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := Unpack("other", b, raw, &state); !errors.Is(err, ErrSnapshot) {
		t.Errorf("of another kind: %v", err)
	}
	state.Shown = weightsState{Words: []float32{1}}
	if err := again.SetState(state); !errors.Is(err, ErrSnapshot) {
		t.Errorf("weights of another model: %v", err)
	}
}
