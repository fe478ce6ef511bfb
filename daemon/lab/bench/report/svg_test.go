package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/lab/bench"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file that a person has looked at.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has changed; read it, then run with -update", file)
	}
}

// small is a result that can be checked by hand.
func small() *bench.Result {
	return &bench.Result{Task: "Courses of Texas", Group: "WebKB", Corpus: []string{"texas.warc.gz"}, Relevant: "course", Budget: 4,
		Missing: "free", Seeds: []uint64{1}, RelevantTotal: 2, Strategies: []bench.Strategy{
			{Name: "oracle", Recalled: [][2]float64{{1, 0.5}, {2, 1}, {4, 1}}, Harvest: [][2]float64{{1, 1}, {2, 1}, {4, 0.5}},
				Similar: [][2]float64{{1, 0.4}, {4, 0.2}}, Recall: 1, AreaVsOracle: 1, Low: 1, High: 1},
			{Name: "hmm", Recalled: [][2]float64{{1, 0}, {2, 0.5}, {4, 0.5}}, Harvest: [][2]float64{{1, 0}, {2, 0.5}, {4, 0.25}},
				Similar: [][2]float64{{1, 0.3}, {4, 0.25}}, Recall: 0.5, AreaVsOracle: 0.43, Low: 0.43, High: 0.43},
			{Name: "link-value", Recalled: [][2]float64{{1, 0}, {2, 0.5}, {4, 1}}, Harvest: [][2]float64{{1, 0}, {2, 0.5}, {4, 0.5}},
				Similar: [][2]float64{{1, 0.35}, {4, 0.3}}, Recall: 1, AreaVsOracle: 0.71, Low: 0.71, High: 0.71},
		}}
}

func drawnSVG(t *testing.T, r *bench.Result) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := SVG(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestGoldenSVG(t *testing.T) { golden(t, "small.svg", drawnSVG(t, small())) }

func TestGoldenSVGOfTwelve(t *testing.T) {
	r := sample(rand.New(rand.NewPCG(5, 5)), 1000, append(realNames, "crf")...)
	golden(t, "twelve.svg", drawnSVG(t, r))
}

// attributes reads a picture and hands every attribute to see; it fails on what is no XML.
func attributes(t *testing.T, picture []byte, see func(element, name, value string)) (texts []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth == 1 && token.Name.Space != "http://www.w3.org/2000/svg" {
				t.Fatalf("the first element is %v", token.Name)
			}
			for _, a := range token.Attr {
				see(token.Name.Local, a.Name.Local, a.Value)
			}
		case xml.CharData:
			texts = append(texts, string(token))
		}
	}
}

var hostile = []string{"</text><script>alert(1)</script>", "a\" onload=\"x", "]]>", "<!--", "&lt;&amp;", "\x00\x01\x1b[31m", "\xff\xfe\xfa",
	"\u202eright to left", "two\nlines\ttab", "|pipe|`code`|*bold*_it_", "", " ", "![x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
	strings.Repeat("long ", 200), "../../etc/passwd", "名前名前名前名前名前名前名前名前"}

// TestCurves: a picture of curves names its axis, each curve, and where that ends.
func TestCurves(t *testing.T) {
	var out bytes.Buffer
	all := []Curve{{"go on", [][2]float64{{0, 0}, {1, 3}, {2, 5}}}, {"begin anew", [][2]float64{{0, 0}, {1, 3}, {2, 3.5}}}}
	if err := Curves(&out, "Useful pages", "two nights", "nights", all); err != nil {
		t.Fatal(err)
	}
	texts := strings.Join(attributes(t, out.Bytes(), func(string, string, string) {}), "|")
	for _, want := range []string{"Useful pages", "two nights", "nights", "go on", "5.00", "begin anew", "3.50"} {
		if !strings.Contains(texts, want) {
			t.Errorf("the picture lacks %q: %s", want, texts)
		}
	}
}

// TestSVGOfHostileNames draws names that try to be something else: the picture keeps its elements, and they stay text.
func TestSVGOfHostileNames(t *testing.T) {
	allowed := map[string]bool{}
	attributes(t, drawnSVG(t, small()), func(element, name, _ string) { allowed[element+" "+name] = true })
	for i := range hostile {
		r := sample(rand.New(rand.NewPCG(2, uint64(i))), 30, append([]string{oracle}, hostile...)...)
		r.Task, r.Relevant, r.Missing = hostile[i], hostile[(i+1)%len(hostile)], hostile[i]
		texts := attributes(t, drawnSVG(t, r), func(element, name, value string) {
			if !allowed[element+" "+name] {
				t.Errorf("%q: attribute %s of %s", hostile[i], name, element)
			}
		})
		if !strings.Contains(strings.Join(texts, ""), "</text><script>alert(1)") {
			t.Error("a name is not shown as it is")
		}
	}
}

var notNumber = regexp.MustCompile(`NaN|Inf`)

// TestSVGOfWhatIsNoNumber draws results with values that no picture can have.
func TestSVGOfWhatIsNoNumber(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300} {
		r := small()
		r.Strategies[0].Recalled[1][1], r.Strategies[1].Harvest[0][1], r.Strategies[2].Similar[1][1] = odd, odd, odd
		r.Strategies[1].Recalled[0][0] = odd
		r.Strategies[2].AreaVsOracle = odd
		attributes(t, drawnSVG(t, r), func(element, name, value string) {
			if notNumber.MatchString(value) {
				t.Errorf("%v: %s of %s is %s", odd, name, element, value)
			}
		})
	}
	for _, r := range []*bench.Result{{}, {Budget: 10, Strategies: []bench.Strategy{{Name: "hmm"}}}} {
		attributes(t, drawnSVG(t, r), func(string, string, string) {})
	}
}

// TestLooksDiffer gives up to a dozen strategies colours and dashes that no two share, and one strategy the same look
// in every picture.
func TestLooksDiffer(t *testing.T) {
	names := append(realNames[1:], "ours", "theirs")
	for n := 1; n <= len(names); n++ {
		inkOf, dashOf := map[string]string{}, map[string]string{}
		for i, class := range classes(names[:n], "") {
			ink, dash, _ := strings.Cut(class, " ")
			if other := inkOf[ink]; other != "" {
				t.Errorf("%s and %s have colour %s", names[i], other, ink)
			}
			if other := dashOf[dash]; other != "" {
				t.Errorf("%s and %s have dashes %s", names[i], other, dash)
			}
			inkOf[ink], dashOf[dash] = names[i], names[i]
		}
	}
	alone := classes([]string{"hmm"}, "")[0]
	if among := classes(realNames, "")[7]; realNames[7] != "hmm" || among != alone {
		t.Errorf("hmm is %s among others, %s alone", among, alone)
	}
}
