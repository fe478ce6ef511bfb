package document

import (
	"slices"
	"strings"
	"testing"
)

func titlesOf(d *Document) (all []string) {
	for _, r := range d.References {
		all = append(all, r.Title)
	}
	return all
}

// TestOddEntry: an entry that a person can read survives what is odd about it, and so do its neighbours.
func TestOddEntry(t *testing.T) {
	const title = "Owls above the Old Mill"
	for name, odd := range map[string]string{
		"no key":                     "@book{,\n title = {TITLE},\n year = 1987\n}",
		"no key, no comma":           "@Book{year = 1987, TITLE = \"TITLE\"}",
		"no key, spaces":             "@book {  ,\n\ttitle = {TITLE},\n year={1987},\n}",
		"no comma after the key":     "@book{owl1987\n title = {TITLE}, year = 1987}",
		"key and field in one line":  "@book{owl1987 title = {TITLE}, year = 1987}",
		"no comma after a field":     "@book{k,\n author = {Owl, A}\n title = {TITLE}\n year = 1987\n}",
		"no comma after a word":      "@book{k,\n month = may\n title = {TITLE},\n year = 1987}",
		"two commas":                 "@book{k,, title = {TITLE},, year = 1987,,}",
		"empty values":               "@book{k, note = , keywords = {}, abstract = \"\", title = {TITLE}, year = 1987, url = }",
		"no value at a line's end":   "@book{k,\n note =\n title = {TITLE},\n year = 1987}",
		"name of two words":          "@book{k, Owl Habitats = {Mills}, title = {TITLE}, year = 1987}",
		"no equals sign":             "@book{k, note {none}, title {TITLE}, year = 1987}",
		"colon and equals sign":      "@book{k, title := {TITLE}, year == 1987}",
		"words without marks":        "@book{k, title = TITLE, year = 1987}",
		"a comment inside":           "@book{k,\n % title = {Not This One},\n title = {TITLE}, % the title\n year = 1987 % {\n}",
		"escaped brace":              "@book{k, file = {C:\\mill\\}, title = {TITLE}, year = 1987}",
		"escaped opening brace":      "@book{k, note = {A \\{ alone}, title = {TITLE}, year = 1987}",
		"escaped quote":              "@book{k, file = \"C:\\mill\\\", title = \"TITLE\", year = 1987}",
		"quotes in quotes":           "@book{k, note = \"the \"best\" mill\", title = \"TITLE\", year = 1987}",
		"mail in an abstract":        "@book{k, title = {TITLE}, abstract = {Write to\n@owl or\n @mill (now).}, year = 1987}",
		"an unknown part":            "@book{k, title = {TITLE}, ???, year = 1987}",
		"a brace too many":           "@book{k, title = {TITLE}, year = 1987, note = {mill}}}",
		"parentheses":                "@book(k, title = {TITLE}, year = 1987)",
		"a string that is not known": "@book{k, journal = nosuch # { x}, title = {TITLE}, year = 1987}",
	} {
		odd = strings.Replace(strings.ReplaceAll(odd, "= TITLE", "= "+title), "TITLE}", title+"}", 1)
		odd = strings.Replace(odd, `"TITLE"`, `"`+title+`"`, 1)
		for _, between := range []string{"\n", "\n\n% ----\n"} {
			d := &Document{Kind: BibTeX}
			readBibTeX(d, "@misc{a, title={The First of Three Titles}}"+between+odd+between+"@misc{b, title={The Last of Three Titles}}\n")
			want := []string{"The First of Three Titles", title, "The Last of Three Titles"}
			if got := titlesOf(d); !slices.Equal(got, want) || d.References[1].Year != 1987 {
				t.Errorf("%s: %+v %+v", name, d.References, d.Warnings)
			}
		}
	}
}

// TestBadNeighbour: an entry whose braces or quotes do not match costs no entry after it.
func TestBadNeighbour(t *testing.T) {
	for _, bad := range []string{
		"@misc{x, title = {Open for ever,\n year = 1999\n}", "@misc{x, title = \"Open for ever,\n year = 1999\n}", "@misc{x, title = {A {B} C},\n", "@misc{x",
		"@misc", "@misc{", "@string{x = {y\n", "@comment{ never\n", "@misc{x, title = {Closed too often}}}}},\n}", "@misc{x, = {y}}", "}}}{{{\n", "@misc{x, title = {A \\",
	} {
		d := &Document{Kind: BibTeX}
		readBibTeX(d, bad+"\n  @misc{b, title={The Last of All Titles}}\n")
		if got := titlesOf(d); len(got) == 0 || got[len(got)-1] != "The Last of All Titles" {
			t.Errorf("%q: %q %+v", bad, got, d.Warnings)
		}
	}
}

func TestBibAddresses(t *testing.T) {
	for in, want := range map[string][2]string{
		`doi = {10.1234/a\_b}`:                                       {"10.1234/a_b"},
		`doi = {10.1234/a{\_}b}`:                                     {"10.1234/a_b"},
		`doi = {https://doi.org/10.1234/a{\textunderscore}b}`:        {"10.1234/a_b"},
		`doi = {10.1234/a$\_$b\%c}`:                                  {"10.1234/a_b%c"},
		`doi = {10.1002/(SICI)1-2(199601)9:1<1::AID-X1>3.0.CO;2-1}`:  {"10.1002/(sici)1-2(199601)9:1<1::aid-x1>3.0.co;2-1"},
		`doi = {10.1002/1-2(1996)9:1{\&}lt;1::AID-X1{\&}gt;3.CO;2}`:  {"10.1002/1-2(1996)9:1<1::aid-x1>3.co;2"},
		`doi = {10.1002/1-2(1996)9:1$<$1::AID-X1$>$3.CO;2}`:          {"10.1002/1-2(1996)9:1<1::aid-x1>3.co;2"},
		`url = {https://a.example/\~{}owl/x\_y\#z}`:                  {"", "https://a.example/~owl/x_y#z"},
		`url = {https://a.example/~owl/x--y}`:                        {"", "https://a.example/~owl/x--y"},
		`howpublished = {\url{https://a.example/x_y}}`:               {"", "https://a.example/x_y"},
		`howpublished = "Available at \url{https://a.example/x}."`:   {"", "https://a.example/x"},
		`note = {\href{https://a.example/x}{the mill}, seen in May}`: {"", "https://a.example/x"},
		`url = {https://a.example/u}, note = {\url{https://b.test}}`: {"", "https://a.example/u"},
		`url = {https://a.example/?a=1{\&}b=2\&c=3}`:                 {"", "https://a.example/?a=1&b=2&c=3"},
	} {
		d := &Document{Kind: BibTeX}
		readBibTeX(d, "@misc{k, title={Owls and Mills}, "+in+"}")
		if len(d.References) != 1 || d.References[0].DOI != want[0] || d.References[0].URL != want[1] {
			t.Errorf("%s: %+v", in, d.References)
		}
	}
}

func TestTeXWords(t *testing.T) {
	for in, want := range map[string]string{
		`Owls\newline and mills`: "Owls and mills", `Owls\\and\\[2pt] mills`: "Owls and mills", `Owls\par and~mills`: "Owls and mills",
		`Owls\linebreak[4]and\quad mills`: "Owls and mills", `Owls\hspace{1em}and mills`: "Owls and mills", "Owls\\\nand mills": "Owls and mills",
		`Owls\thanks{Paid by {nobody}} and mills\footnote{No \{ one}`: "Owls and mills", `\href{https://a.example/}{Owls and mills}`: "Owls and mills",
		`Owls and mills \url{https://a.example/}`: "Owls and mills", `\textcolor{red}{Owls} and \emph{mills}`: "Owls and mills",
		`\texorpdfstring{$\alpha$}{alpha} owls`: "alpha owls", `The owl{\textquotesingle}s mill`: "The owl's mill",
		`{\textquotedblleft}Owls{\textquotedblright} {\textemdash} mills`: "“Owls” — mills", `$\alpha$-owls, \ensuremath{\beta} mills`: "α-owls, β mills",
		`$\kappa$ and $\Theta$ and $\leq$ and $\pm$`: "κ and Θ and ≤ and ±", `CO$_2$ and $^{13}$C and H\textsubscript{2}O`: "CO2 and 13C and H2O",
		`An $O(n \log n)$ owl`: "An O(n log n) owl", `$\mathcal{L}_1$ mills`: "L1 mills", `5\,\textmu m at 20\,\textdegree C`: "5 µm at 20 °C",
		`$\hat{x}$ and $\bar{y}$`: "x̂ and ȳ", `a \$5 owl \& a 10\% mill \#1`: "a $5 owl & a 10% mill #1", `{\guillemotleft}Owls{\guillemotright}`: "«Owls»",
		`\textbf{\textit{Owls} {\sc and}} mills`: "Owls and mills", `M\"uhle, \"{U}ber, {\"A}, \"{\i}`: "Mühle, Über, Ä, ï", `{A}n {\LaTeX} owl`: "An LaTeX owl",
	} {
		if got := unTeX(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"Owls of <i>Strix aluco</i> in CO<sub>2</sub>":                                       "Owls of Strix aluco in CO2",
		`Owls of $<$i$>$Strix$<$/i$>$ \&amp; mills`:                                          "Owls of Strix & mills",
		`Owls of \textless i\textgreater{}Strix\textless/i\textgreater`:                      "Owls of Strix",
		`$\less$p$\greater$Owls$\less$/p$\greater$ and mills`:                                "Owls and mills",
		`Owls {\&}amp; mills {\&}lt;sub{\&}gt;2{\&}lt;/sub{\&}gt;`:                           "Owls & mills 2",
		"Owls &amp;amp; CO&lt;sub&gt;2&lt;/sub&gt; &#8211; mills":                            "Owls & CO2 – mills",
		"Owls&nbsp;and<br/>mills<!-- no -->":                                                 "Owls and mills",
		`<span class="x" lang='en'>Owls</span> <jats:italic>and</jats:italic> mills`:         "Owls and mills",
		`<mml:math xmlns:mml="u"><mml:mi>x</mml:mi></mml:math><tex-math>$x$</tex-math> owls`: "x owls",
		"<title>Owls</title> <unknown-tag a=b>and</unknown-tag> mills":                       "Owls and mills",
		"Where p < 3 and q > 4 mean owls":                                                    "Where p < 3 and q > 4 mean owls",
		"Owls in C&A, AT&T; R&D with <T> templates":                                          "Owls in C&A, AT&T; R&D with <T> templates",
	} {
		d := &Document{Kind: BibTeX}
		d.add(Reference{Title: unTeX(in)}, 1)
		if got := d.References[0].Title; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestLongTitle: a title of more words than a query is kept, and the person is told.
func TestLongTitle(t *testing.T) {
	title := strings.TrimSpace(strings.Repeat("owls over the mill ", 10))
	for name, s := range map[string]string{
		"bib": "\n@misc{k, title = {" + title + "}}", "ris": "\nTY  - JOUR\nTI  - " + title + "\nER  -\n", "json": `[{"title":"` + title + `"}]`,
		"wos": "\nPT J\nTI " + title + "\nER\n", "csv": "Title,DOI\n" + title + ",10.1/x",
	} {
		d, err := Read(t.Context(), []byte(s), Options{})
		if err != nil || len(d.References) != 1 || d.References[0].Title != title || !strings.Contains(d.Warnings[0].What, "40 words") || d.Warnings[0].Line == 0 && name != "json" {
			t.Errorf("%s: %v %+v", name, err, d)
		}
	}
}

// TestWrongByte: a byte of latin-1 in a bibliography of UTF-8 costs its letter only, and whole files in another encoding are
// read as before.
func TestWrongByte(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"many right":     {"@misc{a, title={Die M\xfchle am Bach}}\n@misc{b, title={Größe der Vögel}}\n@misc{c, title={Über Käuze}}", []string{"Die Mhle am Bach", "Größe der Vögel", "Über Käuze"}},
		"one right":      {"@misc{a, title={Die M\xfchle am Bach}}\n@misc{b, title={Die Höhe der Eulen}}", []string{"Die Mhle am Bach", "Die Höhe der Eulen"}},
		"latin-1":        {"@misc{a, title={Die M\xfchle am Bach}}\n@misc{b, title={Die H\xf6he der Eulen}}", []string{"Die Mühle am Bach", "Die Höhe der Eulen"}},
		"ris, one right": {"TY  - JOUR\nTI  - Die M\xfchle am Bach\nER  -\nTY  - JOUR\nTI  - Die Höhe der Eulen\nER  -\n", []string{"Die Mhle am Bach", "Die Höhe der Eulen"}},
	} {
		d, err := Read(t.Context(), []byte(c.body), Options{})
		if err != nil || !slices.Equal(titlesOf(d), c.want) {
			t.Errorf("%s: %v: %+v", name, err, d)
		}
	}
}
