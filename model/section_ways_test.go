package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/crf"
	"nightjar/model/measure"
	"nightjar/model/ways"
)

// tinyWays is what could be learned from ways, written out by hand.
func tinyWays() *ways.Ways {
	half := measure.Figure{Value: .5, Low: .25, High: .75, N: 4}
	return &ways.Ways{
		Labelling: ways.Milestones, Labels: []string{"goal", "fail", "fakultät"}, Goal: 0,
		PageFeatures: []string{"rep", "w=course"}, LinkFeatures: []string{"a=course"}, HeadingSets: "teaching: courses\n",
		Field: &crf.Model{
			Labels: 3, Steps: []float64{0, 1, 2, 3, 4, 5, 6, 7, -8},
			Pages: crf.Table{Start: []int32{0, 2, 3}, Label: []int32{0, 2, 1}, Weight: []float64{.5, -.25, 1}},
			Links: crf.Table{Start: []int32{0, 1}, Label: []int32{2}, Weight: []float64{2}},
		},
		Gamma: .5, C2: 2, Visits: []float64{1, 0, .3}, Printed: []float64{.8, .3, .3}, Reward: ways.Visits, Threshold: .4,
		Facts: ways.Facts{
			Paths: map[ways.Kind]int{ways.Marked: 3, ways.Left: 1}, Positive: 3, Negative: 1, Pages: 7, Weights: 9, Dropped: 1, Objective: 3.5,
			Iterations: 12, Unused: []string{"lab"}, Folds: []ways.Fold{{C2: 2, Gamma: .5, Loss: .25, Rank: half}},
		},
		Report: &ways.Report{Folds: 2, HeldBy: ways.HeldBySite, Pages: 7, Paths: 4, Precision: half, Recall: half, F1: half, Accuracy: half},
		Shown: []ways.Shown{{Kind: ways.Marked, Positive: true, Count: 2, Held: true, Steps: []ways.ShownStep{
			{URL: "https://a.test/2", Title: "Two", True: 2, Predicted: 1, Probability: .6},
			{URL: "https://a.test/1", Title: "One", Anchor: "One", Probability: 1},
		}}},
	}
}

// full is tiny with all optional sections.
func full() *Bundle {
	return spoken().WithWays(tinyWays(), "").WithBayes(tinyBayes(false), "").WithAncestors(tinyAncestors())
}

func TestWaysRoundTrip(t *testing.T) {
	noFeatures := tinyWays()
	noFeatures.PageFeatures, noFeatures.LinkFeatures = nil, nil
	noFeatures.Field.Pages, noFeatures.Field.Links = crf.Table{Start: []int32{0}}, crf.Table{Start: []int32{0}}
	noFeatures.Report, noFeatures.Shown, noFeatures.Facts.Folds = nil, nil, nil
	for name, b := range map[string]*Bundle{
		"by hand": full(), "none": tiny().WithWays(nil, "3 ways to a useful page are needed"), "no features": tiny().WithWays(noFeatures, ""),
	} {
		raw := mustEncode(t, b)
		got, err := Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "no features" && !reflect.DeepEqual(fields(got), fields(b)) {
			t.Errorf("%s: got %+v\nwant %+v", name, got.Ways, b.Ways)
		}
		if again := mustEncode(t, got); !bytes.Equal(again, raw) {
			t.Errorf("%s: encoded again, the bytes differ", name)
		}
	}
	if b := mustReport(t, full(), tiny().Report); b.Ways == nil {
		t.Error("a report drops the ways")
	}
	if b := full().WithWays(nil, "too few"); b.Ways != nil || b.NoWays != "too few" || b.Report == nil {
		t.Errorf("%+v, %q", b.Ways, b.NoWays)
	}
	if b := full().WithWays(tinyWays(), "ignored"); b.NoWays != "" || b.Validate() != nil {
		t.Errorf("%q, %v", b.NoWays, b.Validate())
	}
}

// TestWaysCoverAllFields fails when a field of the ways is not written.
func TestWaysCoverAllFields(t *testing.T) {
	base := mustEncode(t, full())
	changes := map[string]func(*ways.Ways){
		"Labelling": func(w *ways.Ways) { w.Labelling, w.Labels = ways.Hops, []string{"T0", "T1", "T2"} }, "Labels": func(w *ways.Ways) { w.Labels[2] = "x" },
		"Goal": func(w *ways.Ways) { w.Goal = 1 }, "PageFeatures": func(w *ways.Ways) { w.PageFeatures[0] = "r" }, "LinkFeatures": func(w *ways.Ways) { w.LinkFeatures[0] = "r" },
		"HeadingSets": func(w *ways.Ways) { w.HeadingSets = "" }, "Field": func(w *ways.Ways) { w.Field.Steps[0] = 9 }, "Gamma": func(w *ways.Ways) { w.Gamma = .8 },
		"C2": func(w *ways.Ways) { w.C2 = .5 }, "Visits": func(w *ways.Ways) { w.Visits[1] = .1 }, "Printed": func(w *ways.Ways) { w.Printed[1] = .1 },
		"Reward": func(w *ways.Ways) { w.Reward = ways.Printed }, "Threshold": func(w *ways.Ways) { w.Threshold = .1 }, "Facts": func(w *ways.Ways) { w.Facts.Dropped = 7 },
		"Report": func(w *ways.Ways) { w.Report.Pages = 9 }, "Shown": func(w *ways.Ways) { w.Shown[0].Steps[1].Anchor = "x" },
	}
	of := reflect.TypeFor[ways.Ways]()
	for i := range of.NumField() {
		if changes[of.Field(i).Name] == nil {
			t.Errorf("no change of %s is tried", of.Field(i).Name)
		}
	}
	changes["a weight of a page"] = func(w *ways.Ways) { w.Field.Pages.Weight[1] = 7 }
	changes["a label of a link"] = func(w *ways.Ways) { w.Field.Links.Label[0] = 1 }
	changes["the rows of pages"] = func(w *ways.Ways) { w.Field.Pages.Start[1] = 1; w.Field.Pages.Label = []int32{0, 1, 2} }
	for name, change := range changes {
		b := full()
		change(b.Ways)
		if bytes.Equal(mustEncode(t, b), base) {
			t.Errorf("a change of %s does not change the bytes", name)
		}
	}
}

// TestValidateWays breaks each thing that readers of the ways rely on.
func TestValidateWays(t *testing.T) {
	nan := math.NaN()
	for name, spoil := range map[string]func(*Bundle){
		"a reason for none":         func(b *Bundle) { b.NoWays = "too few" },
		"one label":                 func(b *Bundle) { b.Ways.Labels = b.Ways.Labels[:1] },
		"a label twice":             func(b *Bundle) { b.Ways.Labels[1] = "goal" },
		"a label without a name":    func(b *Bundle) { b.Ways.Labels[1] = "" },
		"goal elsewhere":            func(b *Bundle) { b.Ways.Goal = 3 },
		"goal before the first":     func(b *Bundle) { b.Ways.Goal = -1 },
		"labels of no kind":         func(b *Bundle) { b.Ways.Labelling = "" },
		"hops that are no numbers":  func(b *Bundle) { b.Ways.Labelling = ways.Hops },
		"no reward":                 func(b *Bundle) { b.Ways.Reward = "" },
		"a worth missing":           func(b *Bundle) { b.Ways.Visits = b.Ways.Visits[:2] },
		"a worth of NaN":            func(b *Bundle) { b.Ways.Visits[0] = nan },
		"a printed worth over 1":    func(b *Bundle) { b.Ways.Printed[0] = 1.1 },
		"γ of 2":                    func(b *Bundle) { b.Ways.Gamma = 2 },
		"c₂ infinite":               func(b *Bundle) { b.Ways.C2 = math.Inf(1) },
		"threshold of NaN":          func(b *Bundle) { b.Ways.Threshold = nan },
		"features out of order":     func(b *Bundle) { b.Ways.PageFeatures[0] = "z" },
		"a feature without weights": func(b *Bundle) { b.Ways.PageFeatures = append(b.Ways.PageFeatures, "z") },
		"weights without a feature": func(b *Bundle) { b.Ways.LinkFeatures = nil },
		"a step missing":            func(b *Bundle) { b.Ways.Field.Steps = b.Ways.Field.Steps[1:] },
		"a step of NaN":             func(b *Bundle) { b.Ways.Field.Steps[0] = nan },
		"a weight infinite":         func(b *Bundle) { b.Ways.Field.Pages.Weight[0] = math.Inf(1) },
		"a weight of label 7":       func(b *Bundle) { b.Ways.Field.Pages.Label[1] = 7 },
		"a label twice in a row":    func(b *Bundle) { b.Ways.Field.Pages.Label[1] = 0 },
		"an unknown kind":           func(b *Bundle) { b.Ways.Facts.Paths["walked"] = 1 },
		"fewer than no ways":        func(b *Bundle) { b.Ways.Facts.Paths[ways.Left] = -1 },
		"fewer than no pages":       func(b *Bundle) { b.Ways.Facts.Pages = -1 },
		"F of NaN":                  func(b *Bundle) { b.Ways.Facts.Objective = nan },
		"a loss of NaN":             func(b *Bundle) { b.Ways.Facts.Folds[0].Loss = nan },
		"a rank over 1":             func(b *Bundle) { b.Ways.Facts.Folds[0].Rank.High = 2 },
		"held by chance":            func(b *Bundle) { b.Ways.Report.HeldBy = "chance" },
		"accuracy of NaN":           func(b *Bundle) { b.Ways.Report.Accuracy.Low = nan },
		"fewer than no paths":       func(b *Bundle) { b.Ways.Report.Paths = -1 },
		"too many shown":            func(b *Bundle) { b.Ways.Shown = make([]ways.Shown, ways.MaxShown+1) },
		"a way too long":            func(b *Bundle) { b.Ways.Shown[0].Steps = make([]ways.ShownStep, ways.MaxSteps+1) },
		"a true label 3":            func(b *Bundle) { b.Ways.Shown[0].Steps[0].True = 3 },
		"a predicted label -1":      func(b *Bundle) { b.Ways.Shown[0].Steps[0].Predicted = -1 },
		"a probability of 2":        func(b *Bundle) { b.Ways.Shown[0].Steps[0].Probability = 2 },
	} {
		b := full()
		spoil(b)
		if _, err := b.Encode(); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}

// TestHostileWays: stored ways that no program writes are an error, and never a panic.
func TestHostileWays(t *testing.T) {
	for name, spoil := range map[string]func(*storedWays){
		"a row too many":     func(s *storedWays) { s.Pages.Size = append(s.Pages.Size, 0) },
		"rows of 255":        func(s *storedWays) { s.Pages.Size = bytes.Repeat([]byte{255}, 4) },
		"no rows":            func(s *storedWays) { s.Pages.Size = nil },
		"a label of 255":     func(s *storedWays) { s.Links.Label[0] = 255 },
		"labels missing":     func(s *storedWays) { s.Pages.Label = nil },
		"weights missing":    func(s *storedWays) { s.Pages.Weights = nil },
		"names missing":      func(s *storedWays) { s.Pages.Names = nil },
		"no labels":          func(s *storedWays) { s.Labels = nil },
		"41 labels":          func(s *storedWays) { s.Labels = manyLabels(41) },
		"labels for 3 alone": func(s *storedWays) { s.Labels = manyLabels(40) },
		"no numbers":         func(s *storedWays) { *s = storedWays{} },
	} {
		s := &waysSection{}
		s.from(full())
		spoil(s.Ways)
		content, err := encoding.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		all := sectionsOf(t, mustEncode(t, full()))
		all["ways"] = section{Version: 1, Content: content}
		if b, err := Decode(assemble(t, all)); b != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, b, err)
		}
	}
}

func manyLabels(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("label %02d", i))
	}
	return list
}

// TestPackedNames: what is cut, or counts wrongly, is an error.
func TestPackedNames(t *testing.T) {
	want := packedNames{"", "a", "ü\n\xff", string(bytes.Repeat([]byte("x"), 300))}
	data, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got packedNames
	if err := got.UnmarshalBinary(data); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if err := got.UnmarshalBinary(data[:len(data)-1]); err == nil {
		t.Error("a cut name is read")
	}
	for _, bad := range [][]byte{{5}, {0x80}, bytes.Repeat([]byte{0xff}, 11), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}} {
		if err := got.UnmarshalBinary(bad); err == nil {
			t.Errorf("%x is read as %q", bad, got)
		}
	}
	if err := got.UnmarshalBinary(make([]byte, maxStoredNames+1)); err == nil {
		t.Error("more names than may be are read")
	}
	if _, err := make(packedNames, maxStoredNames+1).MarshalBinary(); err == nil {
		t.Error("more names than may be are written")
	}
}

// TestSizeOfWays: 60,000 weights of 12,000 features take less than 5 MB.
func TestSizeOfWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 13))
	w := tinyWays()
	w.Labels = manyLabels(26)
	w.Visits, w.Printed, w.Field.Labels = make([]float64, 26), make([]float64, 26), 26
	w.Field.Steps = make([]float64, 26*26)
	w.PageFeatures = nil
	w.Field.Pages = crf.Table{Start: []int32{0}}
	for f := range 12_000 {
		w.PageFeatures = append(w.PageFeatures, fmt.Sprintf("w=%05d%016x", f, rng.Uint64()))
		for y := range int32(5) {
			w.Field.Pages.Label = append(w.Field.Pages.Label, y*5)
			w.Field.Pages.Weight = append(w.Field.Pages.Weight, rng.NormFloat64())
		}
		w.Field.Pages.Start = append(w.Field.Pages.Start, int32(len(w.Field.Pages.Label)))
	}
	step := ways.ShownStep{URL: fmt.Sprintf("https://www.university.test/%x", rng.Uint64()), Title: "Department of computer science"}
	for range ways.MaxShown {
		w.Shown = append(w.Shown[:len(w.Shown):len(w.Shown)], ways.Shown{Kind: ways.Left, Count: 1, Steps: slices.Repeat([]ways.ShownStep{step}, ways.MaxSteps)})
	}
	w.Shown = w.Shown[:ways.MaxShown]
	plain := len(mustEncode(t, tiny()))
	if size := len(mustEncode(t, tiny().WithWays(w, ""))) - plain; size > 5_000_000 || size < 8*60_000 {
		t.Errorf("%d bytes", size)
	} else {
		t.Logf("%d bytes", size)
	}
}
