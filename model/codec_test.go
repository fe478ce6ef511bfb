package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"nightjar/model/measure"
	"nightjar/model/webgraph"
)

// tiny is a bundle written out by hand: two pages, two terms, one dimension.
func tiny() *Bundle {
	return &Bundle{
		Topic:    "Höckey",
		Settings: DefaultSettings(),
		Facts:    Facts{Pages: 2, Targets: 1, Edges: 1, Terms: 2, Rank: 1, Clusters: 1, LastEvent: time.Date(2026, 11, 21, 10, 0, 0, 5e6, time.UTC)},
		Terms:    []string{"hockey", "puck"}, IDF: []float64{1, 2}, Basis: []float32{1, 0}, Singular: []float64{1.5},
		Vectors:    [][]float64{{1}, {0}},
		Pages:      []PageFact{{URL: "https://a.test/1", Title: "One", Target: true, Words: 2}, {URL: "https://a.test/2", Cluster: 1, State: 1, Rejected: true}},
		Edges:      [][2]int{{1, 0}},
		Clusters:   []Cluster{{Size: 1, LogOdds: []Word{{"hockey", 2.5}}, MutualInformation: []Word{{"puck", -1}}}, {Size: 1}},
		Initial:    []float64{.5, .5},
		Transition: [][]float64{{.5, .5}, {1, 0}},
		Emission:   [][]float64{{1, 0}, {.25, .75}},
		Gamma:      GammaFact{Value: .7, How: "Not calibrated."},
		Features:   Features{Terms: []string{"hockey", "rink"}, Written: []string{"hockey", "rinks"}, IDF: []float32{1, 1.5}},
		Soft:       Soft{Weights: []float32{1, -1, .5, -.5}, Bias: []float64{0, .1}, Prior: []float64{.5, .5}},
		Judge:      Judge{Weights: []float32{2, -2}, Bias: -1, Slope: -1.5, Offset: .5, Threshold: .5, How: "Not calibrated."},
		Lessons: Lessons{
			Pages:      []Words{{Index: []int32{0, 1}, Count: []int32{3, 1}}, {}},
			Background: []Words{{Index: []int32{1}, Count: []int32{300}}},
			Links: []LinkLesson{
				{From: 1, To: 0, Link: webgraph.Link{URL: "https://a.test/1", Anchor: "One", Around: "see for the puck", Heading: "Hockey", Path: "div.menu>ul>li"}},
				{From: 1, To: -1, Link: webgraph.Link{URL: "https://b.test/"}},
			},
		},
		Choice: Choice{Relevance: RelevantByJudge, Measured: true, Why: "measured"},
		Report: &Report{
			Folds: 2, LinkMRR: measure.Figure{Value: .5, Low: .25, High: .75, N: 3}, HopConfusion: [][]int{{1, 0}, {0, 1}},
			AUC: AUC{Judge: measure.Figure{Value: .9, Low: .8, High: 1, N: 2}}, HopBaseline: .5,
			Reliability: []Band{{Low: .2, High: .3, Said: .25, Useful: .5, N: 2}},
			Choice:      Choice{Relevance: RelevantByJudge, Measured: true, Why: "measured"}, Verdict: "Good.",
		},
	}
}

func mustEncode(tb testing.TB, b *Bundle) []byte {
	tb.Helper()
	raw, err := b.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func mustReport(tb testing.TB, b *Bundle, r *Report) *Bundle {
	tb.Helper()
	with, err := b.WithReport(r)
	if err != nil {
		tb.Fatal(err)
	}
	return with
}

// fields gives all exported fields, for comparing: the index made for reading pages is no part of a bundle's value.
func fields(b *Bundle) map[string]any {
	m := map[string]any{}
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			m[f.Name] = v.Field(i).Interface()
		}
	}
	return m
}

func TestCodecRoundTrip(t *testing.T) {
	zoned := tiny()
	zoned.Facts.LastEvent = zoned.Facts.LastEvent.In(time.FixedZone("east", 3600))
	zero := tiny()
	zero.Facts.LastEvent = time.Time{}
	trained := mustTrain(t, session(60, 1), DefaultSettings())
	for name, b := range map[string]*Bundle{"by hand": tiny(), "with ways": full(), "no time": zero, "trained": trained} {
		raw := mustEncode(t, b)
		got, err := Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(fields(got), fields(b)) {
			t.Errorf("%s: got %+v\nwant %+v", name, fields(got), fields(b))
		}
		if again := mustEncode(t, got); !bytes.Equal(again, raw) {
			t.Errorf("%s: encoded again, the bytes differ", name)
		}
	}
	if !bytes.Equal(mustEncode(t, zoned), mustEncode(t, tiny())) {
		t.Error("the time zone of the last event changes the bytes")
	}
	decoded, err := Decode(mustEncode(t, trained))
	if err != nil {
		t.Fatal(err)
	}
	const page = "hockey rink and a university seminar"
	if got, want := decoded.Observe(page), trained.Observe(page); !reflect.DeepEqual(got, want) {
		t.Errorf("decoded, a page is read as %+v, before as %+v", got, want)
	}
}

// TestCodecFormat pins the bytes of a bundle. When this fails, the version of the section that changed must rise.
func TestCodecFormat(t *testing.T) {
	sum := sha256.Sum256(mustEncode(t, tiny()))
	const want = "13f6541eec01e1ebf0fbfec36a0f09d543fee9a39e4496483c1eb56cdf4f6787"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the bytes of a bundle have hash %s, want %s", got, want)
	}
}

// TestCodecCoversAllFields fails when a field of the bundle is not written.
func TestCodecCoversAllFields(t *testing.T) {
	base := mustEncode(t, tiny())
	for name, change := range map[string]func(*Bundle){
		"Topic": func(b *Bundle) { b.Topic = "x" }, "Settings": func(b *Bundle) { b.Settings.Seed = 9 }, "Facts": func(b *Bundle) { b.Facts.Terms = 9 },
		"Terms": func(b *Bundle) { b.Terms[1] = "stick" }, "IDF": func(b *Bundle) { b.IDF[0] = 3 }, "Basis": func(b *Bundle) { b.Basis[0] = .5 },
		"Singular": func(b *Bundle) { b.Singular[0] = 9 }, "Vectors": func(b *Bundle) { b.Vectors[0][0] = -1 }, "Pages": func(b *Bundle) { b.Pages[0].Title = "x" },
		"Edges": func(b *Bundle) { b.Edges = nil }, "Clusters": func(b *Bundle) { b.Clusters[1].Size = 7 }, "Initial": func(b *Bundle) { b.Initial = []float64{1, 0} },
		"Transition": func(b *Bundle) { b.Transition[1] = []float64{0, 1} }, "Emission": func(b *Bundle) { b.Emission[1] = []float64{0, 1} }, "Gamma": func(b *Bundle) { b.Gamma.F1 = .5 },
		"Features": func(b *Bundle) { b.Features.Written[0] = "x" }, "Soft": func(b *Bundle) { b.Soft.Bias[0] = 7 }, "Judge": func(b *Bundle) { b.Judge.How = "" },
		"Lessons": func(b *Bundle) { b.Lessons.Background[0].Count[0] = 9 }, "a rejected page": func(b *Bundle) { b.Pages[1].Rejected = false },
		"words of a page": func(b *Bundle) { b.Lessons.Pages[0] = Words{Index: []int32{1}, Count: []int32{1}} }, "around": func(b *Bundle) { b.Lessons.Links[0].Around = "x" },
		"Choice": func(b *Bundle) { b.Choice.Why, b.Report.Choice.Why = "x", "x" }, "Report": func(b *Bundle) { b.Report.Brier.N = 7 }, "no report": func(b *Bundle) { b.Report = nil },
	} {
		b := tiny()
		change(b)
		if bytes.Equal(mustEncode(t, b), base) {
			t.Errorf("a change of %s does not change the bytes", name)
		}
	}
	for _, k := range kinds {
		hasNames(t, reflect.TypeOf(k.newest()).Elem())
	}
}

// hasNames fails when a stored field has no name of its own, so that it would be stored under its name in Go.
func hasNames(t *testing.T, of reflect.Type) {
	t.Helper()
	switch of.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		hasNames(t, of.Elem())
	case reflect.Struct:
		if _, own := reflect.New(of).Interface().(interface{ MarshalBinary() ([]byte, error) }); own {
			return
		}
		if f, ok := of.FieldByName("_"); ok && f.Tag.Get("cbor") == ",toarray" {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			if f.Tag.Get("cbor") == "" && f.Tag.Get("json") == "" {
				t.Errorf("%s.%s has no name in the stored form", of, f.Name)
			}
			hasNames(t, f.Type)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := mustEncode(t, tiny())
	newer := bytes.Clone(good)
	binary.LittleEndian.PutUint32(newer[len(magic):], FormatVersion+1)
	if b, err := Decode(newer); b != nil || !errors.Is(err, ErrNewerFormat) || errors.Is(err, ErrDamaged) {
		t.Errorf("a newer format: %v, %v", b, err)
	}
	older := bytes.Clone(good)
	binary.LittleEndian.PutUint32(older[len(magic):], FormatVersion-1)
	if b, err := Decode(older); b != nil || !errors.Is(err, ErrOlderFormat) || errors.Is(err, ErrDamaged) {
		t.Errorf("an older format: %v, %v", b, err)
	}
	never := bytes.Clone(good)
	binary.LittleEndian.PutUint32(never[len(magic):], 0)
	for name, raw := range map[string][]byte{
		"nothing": nil, "other": []byte("SQLite format 3\x00 and more of the same, so that it is long enough"), "format 0": never, "longer": append(bytes.Clone(good), 0), "header only": good[:headerSize],
	} {
		if b, err := Decode(raw); b != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, b, err)
		}
	}
	for n := range good { // cut short anywhere
		if b, err := Decode(good[:n]); b != nil || !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v, %v", n, len(good), b, err)
		}
	}
	for i := range good { // one bit flipped anywhere
		bad := bytes.Clone(good)
		bad[i] ^= 4
		if b, err := Decode(bad); b != nil || err == nil {
			t.Fatalf("byte %d changed: %v, %v", i, b, err)
		}
	}
}

// TestValidate breaks each thing that readers of a bundle rely on.
func TestValidate(t *testing.T) {
	nan := math.NaN()
	for name, spoil := range map[string]func(*Bundle){
		"no terms":             func(b *Bundle) { b.Terms, b.IDF, b.Basis = nil, nil, nil },
		"no dimensions":        func(b *Bundle) { b.Singular, b.Basis, b.Vectors = nil, nil, [][]float64{{}, {}} },
		"terms out of order":   func(b *Bundle) { b.Terms[0] = "rink" },
		"short basis":          func(b *Bundle) { b.Basis = b.Basis[:1] },
		"basis not finite":     func(b *Bundle) { b.Basis[0] = float32(nan) },
		"vector missing":       func(b *Bundle) { b.Vectors = b.Vectors[:1] },
		"vector too long":      func(b *Bundle) { b.Vectors[0] = []float64{1, 1} },
		"vector huge":          func(b *Bundle) { b.Vectors[0][0] = 1e300 },
		"no page in space":     func(b *Bundle) { b.Vectors[0][0] = 0 },
		"no clusters":          func(b *Bundle) { b.Clusters = b.Clusters[:1] },
		"cluster of a page":    func(b *Bundle) { b.Pages[1].Cluster = 2 },
		"state of a page":      func(b *Bundle) { b.Pages[1].State = -1 },
		"target elsewhere":     func(b *Bundle) { b.Pages[0].Cluster = 1 },
		"stray link":           func(b *Bundle) { b.Edges[0][1] = 2 },
		"score not finite":     func(b *Bundle) { b.Clusters[0].LogOdds[0].Score = math.Inf(1) },
		"row of A missing":     func(b *Bundle) { b.Transition = b.Transition[:1] },
		"row of A over 1":      func(b *Bundle) { b.Transition[0][0] = .6 },
		"row of B short":       func(b *Bundle) { b.Emission[0] = []float64{1} },
		"negative chance":      func(b *Bundle) { b.Emission[0] = []float64{1.5, -.5} },
		"π not finite":         func(b *Bundle) { b.Initial[0] = nan },
		"γ out of range":       func(b *Bundle) { b.Gamma.Value = 1.01 },
		"F1 not finite":        func(b *Bundle) { b.Gamma.F1 = nan },
		"no neighbours":        func(b *Bundle) { b.Settings.Neighbours = 0 },
		"smoothing not finite": func(b *Bundle) { b.Settings.Smoothing = nan },
	} {
		b := tiny()
		spoil(b)
		if _, err := b.Encode(); err == nil {
			t.Errorf("%s: encoded", name)
		}
		if got, err := Decode(unchecked(t, b)); got != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: decoded as %v, %v", name, got, err)
		}
	}
}

// unchecked is what a bad writer would write of a bundle.
func unchecked(tb testing.TB, b *Bundle) []byte {
	tb.Helper()
	body, err := b.encodeBody()
	if err != nil {
		tb.Fatal(err)
	}
	return sealed(FormatVersion, body)
}

// sealed gives a body the header and the checksum of a format.
func sealed(version uint32, body []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(magic), version)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(body)))
	out = append(out, body...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// bodyOf takes header and checksum off.
func bodyOf(raw []byte) []byte { return raw[headerSize : len(raw)-sha256.Size] }

// FuzzDecodeBody reads a body that strangers wrote, with a right header and checksum. What is read must be fit for use,
// and the same when it is written and read again.
func FuzzDecodeBody(f *testing.F) {
	f.Add(bodyOf(mustEncode(f, tiny())), uint32(FormatVersion))
	f.Add(bodyOf(mustEncode(f, full())), uint32(FormatVersion))
	f.Add([]byte{}, uint32(FormatVersion))
	f.Add(bytes.Repeat([]byte{0xff}, 40), uint32(FormatVersion))
	f.Fuzz(func(t *testing.T, body []byte, version uint32) {
		b, err := Decode(sealed(version, body))
		if err != nil {
			return
		}
		o := b.Observe("hockey puck " + strings.Join(b.Terms, " "))
		if o.Cluster < -1 || o.Cluster >= len(b.Clusters) || math.IsNaN(o.Similarity) {
			t.Errorf("a page is read as %+v", o)
		}
		if m := b.HMM(); o.Known {
			e := m.Evidence(o.Cluster)
			m.Filter(m.Start(e), e)
		}
		raw := mustEncode(t, b)
		again, err := Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(mustEncode(t, again), raw) {
			t.Error("written, read and written again, the bytes differ")
		}
	})
}

// FuzzDecode reads whole files that strangers wrote.
func FuzzDecode(f *testing.F) {
	f.Add(mustEncode(f, tiny()))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data)
		if (b == nil) == (err == nil) {
			t.Errorf("Decode = %v, %v", b, err)
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewerFormat) && !errors.Is(err, ErrOlderFormat) {
			t.Errorf("an error of no kind: %v", err)
		}
	})
}
