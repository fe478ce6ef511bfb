package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// TestMarkedText: a text that an editor saved with a byte order mark and the line ends of Windows has the same titles.
func TestMarkedText(t *testing.T) {
	files, err := filepath.Glob("testdata/in/*")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(body) || bytes.HasPrefix(body, []byte("\ufeff")) || bytes.HasPrefix(body, []byte("%PDF")) || bytes.ContainsRune(body, 0) {
			continue
		}
		o := Options{Base: "https://bats.example/page", TitlePerLine: strings.Contains(file, "titles")}
		plain, err1 := Read(t.Context(), body, o)
		marked, err2 := Read(t.Context(), []byte("\ufeff"+strings.ReplaceAll(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n", "\r\n")), o)
		if err1 != nil || err2 != nil {
			t.Errorf("%s: %v; with a mark: %v", file, err1, err2)
			continue
		}
		if diff := cmp.Diff(plain, marked); diff != "" {
			t.Errorf("%s with a mark: %s", file, diff)
		}
	}
}

// TestGolden reads each document of testdata/in and compares with testdata/golden.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/in/*")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Read(t.Context(), body, Options{Base: "https://bats.example/page", TitlePerLine: strings.Contains(file, "titles")})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got, err := json.MarshalIndent(d, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata/golden", filepath.Base(file)+".json")
		if *update {
			if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || strings.TrimSpace(string(want)) != string(got) {
			t.Errorf("%s: %v, got\n%s", file, err, got)
		}
	}
}

func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"empty":     {" \n", ErrEmpty},
		"zip":       {"PK\x03\x04\x00\x00word", ErrKind},
		"no titles": {"A letter\n\nDear bats,\nhow are you?\n", ErrNoTitles},
		"broken":    {"%PDF-1.4\n...", ErrBroken},
		"scanned":   {string(pdftest.Write([][]pdftest.Line{{}}, "")), ErrScanned},
		"encrypted": {string(pdftest.Write([][]pdftest.Line{{}}, "/Encrypt << /Filter /Standard /V 5 >> ")), ErrEncrypted},
		"large":     {strings.Repeat(" ", MaxBytes+1), ErrTooLarge},
	} {
		d, err := Read(t.Context(), []byte(c.body), Options{})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if (d != nil) != (c.want == ErrNoTitles) {
			t.Errorf("%s: document %+v", name, d)
		}
		var p *Problem
		if !errors.As(err, &p) || p.Next == "" {
			t.Errorf("%s: no next step", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, []byte("text"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPDF reads a paper of two pages: a title over two lines, running heads, hanging indents, a hyphenated word, an entry over a
// page's end, and what follows the references.
func TestPDF(t *testing.T) {
	head := func(y float64, n string) []pdftest.Line {
		return []pdftest.Line{{X: 90, Y: 760, Size: 10, Text: "Bats at Dusk"}, {X: 300, Y: 40, Size: 10, Text: n}}
	}
	p1 := append(head(760, "1"),
		pdftest.Line{X: 120, Y: 700, Size: 17, Text: "The Flight of Bats"}, pdftest.Line{X: 120, Y: 680, Size: 17, Text: "Over Quiet Rivers"},
		pdftest.Line{X: 150, Y: 650, Size: 12, Text: "Ann Owl and Bob Hare"},
		pdftest.Line{X: 90, Y: 600, Size: 10, Text: "Bats fly over the rivers of the north, and we say how and why they do."},
		pdftest.Line{X: 90, Y: 500, Size: 14, Text: "References"},
		pdftest.Line{X: 90, Y: 480, Size: 10, Text: "Fox A (2001). \"Echoes in the Deep Valleys and For-"},
		pdftest.Line{X: 100, Y: 468, Size: 10, Text: "ests.\" Journal of Sound, 3(2), 1-9. doi:10.1234/"},
		pdftest.Line{X: 100, Y: 456, Size: 10, Text: "echo.12."},
		pdftest.Line{X: 90, Y: 440, Size: 10, Text: "Hare B, Owl A (2003). Insects of the Night: A Guide. Wild"})
	p2 := append(head(760, "2"),
		pdftest.Line{X: 100, Y: 720, Size: 10, Text: "Press, London."},
		pdftest.Line{X: 90, Y: 712, Size: 10, Text: "Figure 7: The Cave That Is No Reference At All"},
		pdftest.Line{X: 90, Y: 700, Size: 10, Text: "Mole C (1999). Tunnels, Caves and Other Homes. Earth Press."},
		pdftest.Line{X: 90, Y: 640, Size: 12, Text: "Affiliation:"},
		pdftest.Line{X: 90, Y: 620, Size: 10, Text: "Owl A (2004). Not a Reference at All. Nowhere."})
	d, err := Read(t.Context(), pdftest.Write([][]pdftest.Line{p1, p2}, ""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Kind != PDF || d.Title != "The Flight of Bats Over Quiet Rivers" || strings.Join(d.Authors, "|") != "Ann Owl|Bob Hare" || d.Language != "en" {
		t.Errorf("%+v", d)
	}
	want := []string{"Echoes in the Deep Valleys and Forests", "Insects of the Night: A Guide", "Tunnels, Caves and Other Homes"}
	if len(d.References) != 3 {
		t.Fatalf("%+v", d.References)
	}
	for i, w := range want {
		if d.References[i].Title != w {
			t.Errorf("%q, want %q", d.References[i].Title, w)
		}
	}
	if d.References[0].DOI != "10.1234/echo.12" || d.References[1].Year != 2003 || len(d.Warnings) != 1 || d.Warnings[0].Next == "" {
		t.Errorf("%+v", d)
	}
}

func TestUnTeX(t *testing.T) {
	for in, want := range map[string]string{
		`Sch{\"o}lkopf`: "Schölkopf", `Erd\H{o}s`: "Erdős", `\v{C}ech`: "Čech", `na\"{\i}ve`: "naïve", `{\O}re {\AA}s`: "Øre Ås",
		`{The {UML} of \emph{Trees}}`: "The UML of Trees", "A--B---C": "A–B—C", `\'Elan \c{c}a`: "Élan ça", `50\% \& more`: "50% & more",
		`Gr\"un`: "Grün", "a~b": "a b", `stra{\ss}e`: "straße",
	} {
		if got := unTeX(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestBadEntry: a bad entry is reported with its line, wherever it breaks, and the next one is read.
func TestBadEntry(t *testing.T) {
	good := "@article{one,\n title = {The First of {All} Titles},\n year = 2001\n}\n"
	bad := "@book{two,\n  title = {The {Second} of Them},\n  author = \"A. Owl\",\n  year = 1999\n}\n"
	for cut := len("@book{tw"); cut < len(bad)-2; cut++ {
		d := &Document{Kind: BibTeX}
		readBibTeX(d, good+bad[:cut]+"\n"+strings.Replace(good, "First", "Third", 1))
		last := d.References[len(d.References)-1].Title
		if len(d.References) != 2 || last != "The Third of All Titles" || len(d.Warnings) != 1 || d.Warnings[0].Line != 5 || d.Warnings[0].Next == "" {
			t.Errorf("cut at %d %q: %+v %+v", cut, bad[:cut], d.References, d.Warnings)
		}
	}
}

// TestEntry has what once went wrong.
func TestEntry(t *testing.T) {
	for in, want := range map[string]string{
		"- [7] J. Cho, L. Page, Efficient Crawling through URL Ordering, in: Proceedings of the 7th Conference, 1998.": "Efficient Crawling through URL Ordering",
		"Fox J (2008). Applied Econometrics with R. Springer-Verlag, New York.":                                        "Applied Econometrics with R",
		"Greene WH (1993). Econometric Analysis. 2nd edition. Macmillan Publishing Company, New York.":                 "",
		"Mark A. van de Wiel and Ann Owl. A Lego system for inference. The Statistician, 60(3):257, 2006.":             "A Lego system for inference",
		"Dawson R (1995). “The “Unusual Episode” Data Revisited.” Journal of Education, 3.":                            "The “Unusual Episode” Data Revisited",
		"Hype, K. (2000). Support vector machines: Hype or not? Explorations, 2(2).":                                   "Support vector machines: Hype or not?",
		// A title of a word or two is kept when it is quoted or linked.
		"Breiman L (2001). “Random Forests.” Machine Learning, 45(1), 5-32.":                      "Random Forests",
		"Breiman, L. (2001). Random Forests. Machine Learning, 45(1). doi:10.1023/A:101093":       "Random Forests",
		"Breiman, L. (2001). Random Forests. Machine Learning, 45(1). https://example.org/forest": "Random Forests",
		"Breiman, L. (2001). Random Forests. Machine Learning, 45(1), 5-32.":                      "",
		"Breiman, L. (2001). Forests. See “Old Trees of Oslo”. Machine Learning, 45(1), 5-32.":    "",
	} {
		if r, _ := parseEntry(in); r.Title != want {
			t.Errorf("%s\nread %q, want %q", in, r.Title, want)
		}
	}
}

func TestNestedBraces(t *testing.T) {
	title := "Deep Words in Braces"
	for depth := range 50 {
		d := &Document{Kind: BibTeX}
		readBibTeX(d, "@misc{k, title = "+strings.Repeat("{", depth+1)+title+strings.Repeat("}", depth+1)+", year = 1999}")
		if len(d.References) != 1 || d.References[0].Title != title || d.References[0].Year != 1999 {
			t.Errorf("depth %d: %+v", depth, d)
		}
	}
}

func TestLanguage(t *testing.T) {
	for want, s := range map[string]string{
		"en": "The flight of the bats and of the owls that is seen from here",
		"de": "Der Flug der Fledermäuse und die Jagd auf Insekten ist nicht neu für uns",
		"fr": "Le vol des chauves-souris et la chasse aux insectes dans les forêts du nord",
		"":   "Xyzzy plugh",
	} {
		if got := language(s); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// sound fails when a result has what no reader may return.
func sound(t *testing.T, d *Document, err error) {
	t.Helper()
	if d == nil {
		var p *Problem
		if !errors.As(err, &p) {
			t.Fatalf("no document and %v", err)
		}
		return
	}
	for _, r := range d.References {
		if r.Title == "" || r.Title != Clean(r.Title) || !utf8.ValidString(r.Title) || len(r.Title) > MaxTitle {
			t.Errorf("title %q", r.Title)
		}
		if r.URL != "" && !strings.HasPrefix(strings.ToLower(r.URL), "http") {
			t.Errorf("address %q", r.URL)
		}
	}
	for _, w := range d.Warnings {
		if w.Next == "" {
			t.Errorf("warning without a next step: %+v", w)
		}
	}
}

func fuzzKind(f *testing.F, kind Kind, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := &Document{Kind: kind}
		if kind == HTML {
			_ = readHTML(d, []byte(s), "https://a.example/")
		} else {
			if err := readText(d, decode([]byte(s))); err != nil {
				t.Fatal(err)
			}
		}
		d.finish()
		sound(t, d, nil)
	})
}

func FuzzBibTeX(f *testing.F) {
	fuzzKind(f, BibTeX, "@article{k, title = {A {B} C} # \"d\" # jan, author = \"X and Y\"}", "@string{a = \"b\"} @misc(k, title=a)", `@x{k,title={\"{\i}\`)
}

func FuzzRIS(f *testing.F) { fuzzKind(f, RIS, "TY  - JOUR\nTI  - A B C\nER  - \n", "TY  - \nTI  -") }

func FuzzHTML(f *testing.F) {
	fuzzKind(f, HTML, "<h1>T</h1><h2>References</h2><ul><li><a href='/x'>A b c</a><li>Owl A (2001). A b c. D.</ul>",
		"<meta name=citation_reference content='citation_title=A b c;citation_doi=10.1234/x'>")
}

func FuzzText(f *testing.F) {
	fuzzKind(f, Markdown, "# T\n\n## References\n\n1. Owl A. *A b c*. D, 2001.\n2. [x y z](http://a.example/)\n", "T\n=\nReferences\n[1] \"A b c,\" d.\n")
}

func FuzzEntry(f *testing.F) {
	f.Add("Owl A, Hare B (2001). “A “b” c.” D, 1(2), 3–4. doi:10.1234/x")
	f.Add("A. Owl and B. Hare. A b c. D, 2001.")
	f.Fuzz(func(t *testing.T, s string) {
		if r, ok := parseEntry(s); ok && countWords(r.Title) == 0 {
			t.Errorf("%q", r.Title)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("@misc{k, title={a b c}}"), false)
	f.Add([]byte("one title\nof two"), true)
	f.Fuzz(func(t *testing.T, b []byte, lines bool) {
		d, err := Read(t.Context(), b, Options{TitlePerLine: lines})
		sound(t, d, err)
	})
}
