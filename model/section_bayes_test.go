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

	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// tinyBayes is a classifier of four pages, two of each kind.
func tinyBayes(gaussian bool) *naivebayes.Classifier {
	c, err := naivebayes.Train(
		[]text.Counts{{"hockey": 2, "puck": 1}, {"hockey": 1, "rink": 3}}, []text.Counts{{"seminar": 1, "rink": 1}, {"seminar": 4}},
		naivebayes.Options{Gaussian: gaussian, Folds: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	return c
}

func TestBayesRoundTrip(t *testing.T) {
	wordless, err := naivebayes.Train([]text.Counts{{}}, []text.Counts{{}}, naivebayes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Bundle{
		"multinomial": tiny().WithBayes(tinyBayes(false), ""), "gaussian": tiny().WithBayes(tinyBayes(true), ""),
		"no words": tiny().WithBayes(wordless, ""), "none": tiny().WithBayes(nil, "there are no pages from elsewhere"),
	} {
		raw := mustEncode(t, b)
		got, err := Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.NoBayes != b.NoBayes || (got.Bayes == nil) != (b.Bayes == nil) {
			t.Fatalf("%s: %v, %q", name, got.Bayes, got.NoBayes)
		}
		if again := mustEncode(t, got); !bytes.Equal(again, raw) {
			t.Errorf("%s: encoded again, the bytes differ", name)
		}
		if b.Bayes == nil {
			continue
		}
		for _, page := range []string{"", "nothing known", "A hockey rink", "seminar seminar, and hockey pucks"} {
			if now, before := got.ReadBayes(page), b.ReadBayes(page); now != before {
				t.Errorf("%s: %q is read as %+v, before as %+v", name, page, now, before)
			}
		}
	}
	if r := tiny().WithBayes(tinyBayes(false), "").ReadBayes("Hockey, and a puck for the hockey"); r != tinyBayes(false).Read(text.Counts{"hockey": 2, "puck": 1}) || r.LogOdds <= 0 {
		t.Errorf("a text is read as %+v", r)
	}
}

func TestWithBayes(t *testing.T) {
	if b := mustReport(t, full(), tiny().Report); b.Bayes == nil || b.Ways == nil {
		t.Error("a report drops the classifier or the ways")
	}
	if b := full().WithWays(nil, "none"); b.Bayes == nil {
		t.Error("ways drop the classifier")
	}
	if b := full().WithBayes(nil, "too few"); b.Bayes != nil || b.NoBayes != "too few" || b.Ways == nil || b.Report == nil {
		t.Errorf("%+v, %q", b.Bayes, b.NoBayes)
	}
	if b := full().WithBayes(tinyBayes(true), "ignored"); !b.Bayes.Gaussian() || b.NoBayes != "" || b.Validate() != nil {
		t.Errorf("%q, %v", b.NoBayes, b.Validate())
	}
	all := sectionsOf(t, mustEncode(t, full()))
	delete(all, "bayes")
	if b, err := Decode(assemble(t, all)); err != nil || b.Bayes != nil || b.NoBayes != "" || b.Ways == nil {
		t.Errorf("a model from before: %+v, %v", b, err)
	}
}

// storedTiny is the section of tinyBayes.
func storedTiny(gaussian bool) *bayesSection {
	s := &bayesSection{}
	s.from(tiny().WithBayes(tinyBayes(gaussian), ""))
	return s
}

// TestBayesCoversAllFields fails when a part of a classifier is not written.
func TestBayesCoversAllFields(t *testing.T) {
	changes := map[string]func(*naivebayes.Stored){
		"Terms": func(s *naivebayes.Stored) { s.Terms[0] = "a" }, "DF": func(s *naivebayes.Stored) { s.DF[0] = 3 }, "Pages": func(s *naivebayes.Stored) { s.Pages = 9 },
		"Multinomial": func(s *naivebayes.Stored) { s.Multinomial.LogTerm[1][2] = -9 }, "Calibration": func(s *naivebayes.Stored) { s.Calibration.A = -9 },
		"Gaussian": func(s *naivebayes.Stored) { s.Gaussian.Mean[1][2] = 7 },
	}
	of := reflect.TypeFor[naivebayes.Stored]()
	for i := range of.NumField() {
		if changes[of.Field(i).Name] == nil {
			t.Errorf("no change of %s is tried", of.Field(i).Name)
		}
	}
	changes["a prior"] = func(s *naivebayes.Stored) { s.Multinomial.LogPrior[0] = -2 }
	changes["the offset"] = func(s *naivebayes.Stored) { s.Calibration.B = -9 }
	changes["Gaussian step"] = func(s *naivebayes.Stored) { s.Gaussian.Step[1] = 7 }
	changes["Gaussian width"] = func(s *naivebayes.Stored) { s.Gaussian.Width[0][1] = 7 }
	changes["Gaussian prior"] = func(s *naivebayes.Stored) { s.Gaussian.LogPrior[1] = -2 }
	for name, change := range changes {
		gaussian := name[0] == 'G'
		s := tinyBayes(gaussian).Store()
		change(&s)
		c, err := s.Classifier()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, err := Decode(mustEncode(t, tiny().WithBayes(c, "")))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := b.Bayes.Store(); !reflect.DeepEqual(got, c.Store()) || reflect.DeepEqual(got, tinyBayes(gaussian).Store()) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// TestHostileBayes: a stored classifier that no program writes is an error, and never a panic.
func TestHostileBayes(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	hostile := map[string]func(*bayesSection){
		"a reason for none":      func(s *bayesSection) { s.None = "too few" },
		"terms out of order":     func(s *bayesSection) { s.Bayes.Terms[0] = "z" },
		"a term missing":         func(s *bayesSection) { s.Bayes.Terms = s.Bayes.Terms[1:] },
		"no terms":               func(s *bayesSection) { s.Bayes.Terms, s.Bayes.DF = nil, nil },
		"in no page":             func(s *bayesSection) { s.Bayes.DF[0] = 0 },
		"in more pages than are": func(s *bayesSection) { s.Bayes.DF[0] = 5 },
		"no pages":               func(s *bayesSection) { s.Bayes.Pages = 0 },
		"fewer than no pages":    func(s *bayesSection) { s.Bayes.Pages = -1 },
		"of no kind":             func(s *bayesSection) { s.Bayes.Multinomial, s.Bayes.Gaussian = nil, nil },
		"a slope of NaN":         func(s *bayesSection) { s.Bayes.Slope = nan },
		"an offset infinite":     func(s *bayesSection) { s.Bayes.Offset = inf },
		"no numbers":             func(s *bayesSection) { s.Bayes = &storedBayes{} },
	}
	of := map[bool]map[string]func(*bayesSection){
		false: {
			"of both kinds":           func(s *bayesSection) { s.Bayes.Gaussian = storedTiny(true).Bayes.Gaussian },
			"one class":               func(s *bayesSection) { s.Bayes.Multinomial.LogPrior = s.Bayes.Multinomial.LogPrior[:1] },
			"a row short":             func(s *bayesSection) { s.Bayes.Multinomial.LogTerm = s.Bayes.Multinomial.LogTerm[1:] },
			"a row too many":          func(s *bayesSection) { s.Bayes.Multinomial.LogTerm = make([]float64, 12) },
			"a probability over 1":    func(s *bayesSection) { s.Bayes.Multinomial.LogTerm[0] = .1 },
			"a probability of NaN":    func(s *bayesSection) { s.Bayes.Multinomial.LogTerm[0] = nan },
			"a class without a share": func(s *bayesSection) { s.Bayes.Multinomial.LogPrior[0] = -inf },
		},
		true: {
			"three classes":    func(s *bayesSection) { s.Bayes.Gaussian.LogPrior = make([]float64, 3) },
			"a prior of NaN":   func(s *bayesSection) { s.Bayes.Gaussian.LogPrior[0] = nan },
			"a step missing":   func(s *bayesSection) { s.Bayes.Gaussian.Step = s.Bayes.Gaussian.Step[1:] },
			"a step of 0":      func(s *bayesSection) { s.Bayes.Gaussian.Step[0] = 0 },
			"a width of 0":     func(s *bayesSection) { s.Bayes.Gaussian.Width[0] = 0 },
			"a width infinite": func(s *bayesSection) { s.Bayes.Gaussian.Width[0] = inf },
			"a mean below 0":   func(s *bayesSection) { s.Bayes.Gaussian.Mean[0] = -1 },
			"means missing":    func(s *bayesSection) { s.Bayes.Gaussian.Mean = nil },
		},
	}
	for gaussian, own := range of {
		for _, list := range []map[string]func(*bayesSection){hostile, own} {
			for name, spoil := range list {
				s := storedTiny(gaussian)
				spoil(s)
				if b, err := Decode(withBayesSection(t, s)); b != nil || !errors.Is(err, ErrDamaged) {
					t.Errorf("%s, Gaussian %v: %v, %v", name, gaussian, b, err)
				}
			}
		}
	}
	if b, err := Decode(withBayesSection(t, storedTiny(true))); b == nil || err != nil {
		t.Errorf("the section as it was: %v", err)
	}
}

// withBayesSection is a model with a section "bayes" that was not checked.
func withBayesSection(t *testing.T, s *bayesSection) []byte {
	t.Helper()
	content, err := encoding.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	all := sectionsOf(t, mustEncode(t, tiny()))
	all["bayes"] = section{Version: 1, Content: content}
	return assemble(t, all)
}

// TestBayesRefusesWhatCannotBeRead: a classifier whose numbers Decode would refuse is not encoded either.
func TestBayesRefusesWhatCannotBeRead(t *testing.T) {
	s := tinyBayes(false).Store()
	s.Multinomial.LogTerm[0][0] = math.Inf(-1)
	c, err := s.Classifier()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tiny().WithBayes(c, "").Encode(); err == nil {
		t.Error("encoded")
	}
	b := full()
	b.NoBayes = "too few"
	if _, err := b.Encode(); err == nil {
		t.Error("a classifier and a reason for none: encoded")
	}
}

// TestExtremeBayes: within the bounds of checkBayes, no page has log odds that are infinite or NaN.
func TestExtremeBayes(t *testing.T) {
	for _, step := range []float64{leastStep, mostWeight} {
		for _, width := range []float64{leastStep / 10, mostWeight} {
			for _, mean := range []float64{0, mostWeight} {
				s := tinyBayes(true).Store()
				s.Pages = math.MaxInt
				s.Calibration.A, s.Calibration.B = -mostSlope, mostSlope
				g := s.Gaussian
				for t := range g.Step {
					g.Step[t], g.Mean[0][t], g.Width[0][t], g.Mean[1][t] = step, mean, width, mostWeight-mean
				}
				c, err := s.Classifier()
				if err == nil {
					err = tiny().WithBayes(c, "").Validate()
				}
				if err != nil {
					t.Fatal(err)
				}
				r := c.Read(text.Counts{"hockey": 1, "rink": 1 << 40})
				if math.IsNaN(r.LogOdds) || math.IsInf(r.LogOdds, 0) || !(r.P >= 0 && r.P <= 1) {
					t.Errorf("step %g, width %g, mean %g: %+v", step, width, mean, r)
				}
			}
		}
	}
}

func TestPackedCounts(t *testing.T) {
	want := packedCounts{0, 1, 127, 128, math.MaxInt32}
	data, err := want.MarshalBinary()
	if err != nil || !bytes.Equal(data, []byte{0, 1, 127, 128, 1, 255, 255, 255, 255, 7}) {
		t.Fatalf("%v, %v", data, err)
	}
	var got packedCounts
	if err := got.UnmarshalBinary(data); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range [][]byte{{0x80}, bytes.Repeat([]byte{0xff}, 11), {0x80, 0x80, 0x80, 0x80, 8}, make([]byte, maxStoredNames+1)} {
		if err := got.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d bytes are read", len(bad))
		}
	}
	if _, err := (packedCounts{-1}).MarshalBinary(); err == nil {
		t.Error("a count of -1 is written")
	}
}

// TestSizeOfBayes: a classifier of 20,000 terms takes less than 1 MB.
func TestSizeOfBayes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	pages := make([]text.Counts, 200)
	for i := range pages {
		pages[i] = text.Counts{}
		for range 200 {
			pages[i][fmt.Sprintf("term%05d", rng.IntN(20_000))]++
		}
	}
	c, err := naivebayes.Train(pages[:60], pages[60:], naivebayes.Options{Folds: 2})
	if err != nil {
		t.Fatal(err)
	}
	size := len(mustEncode(t, tiny().WithBayes(c, ""))) - len(mustEncode(t, tiny()))
	if size > 1_000_000 || size < 20_000 {
		t.Errorf("%d bytes", size)
	}
}
