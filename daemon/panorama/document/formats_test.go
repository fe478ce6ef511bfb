package document

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestFormats: each format that programs for references export is told by its content and read.
func TestFormats(t *testing.T) {
	const one, two = "Owls above the old mill", "Mills of the northern valleys"
	for name, c := range map[string]struct {
		kind Kind
		body string
	}{
		"ris":                 {RIS, "TY  - JOUR\nAU  - Owl, Ann\nTI  - ONE\nPY  - 1987\nDO  - DOI\nER  - \n\nTY  - BOOK\nT1  - TWO\nER  - \n"},
		"ris without spaces":  {RIS, "TY  -JOUR\nTI  -ONE\nAU  -Owl, Ann\nPY  -1987\nDO  -DOI\nER  -\nTY  -BOOK\nTI  -TWO\nER  -\n"},
		"ris with tabs":       {RIS, "TY\t-\tJOUR\nTI\t- ONE\nAU\t- Owl, Ann\nPY\t- 1987\nDO\t- DOI\nER\t-\nTY\t- BOOK\nTI\t- TWO\nER\t-\n"},
		"ris with hard space": {RIS, "TY  -\u00a0JOUR\nTI\u00a0\u00a0-\u00a0ONE\nAU  -\u00a0Owl, Ann\nY1  -\u00a01987/05//\nDO  - DOI\nER  -\u00a0\nTY  - BOOK\nTI  - TWO\nER  - \n"},
		"ris, one space":      {RIS, "TY - JOUR\nTI - ONE\nAU - Owl, Ann\nPY - 1987\nDO - DOI\nER -\nTY- BOOK\nTI- TWO\nER-\n"},
		"ris, T1 before TI":   {RIS, "TY  - JOUR\nT1  - No Such Title\nTI  - ONE\nAU  - Owl, Ann\nPY  - 1987\nDO  - DOI\nER  - \nTY  - BOOK\nTI  - TWO\nT1  - No Such Title\nER  - \n"},
		"ris, wrapped":        {RIS, "TY  - JOUR\nTI  - Owls above\nthe old mill\nAU  - Owl, Ann\nPY  - 1987\nDO  - DOI\nER  - \nTY  - CHAP\nCT  - TWO\nER  - \n"},
		"nbib":                {NBIB, "\nPMID- 12\nOWN - NLM\nDP  - 1987 May\nTI  - Owls above\n      the old mill.\nLID - DOI [doi]\nAU  - Owl, Ann\n\nPMID- 13\nTI  - [TWO].\nAID - S0140 [pii]\n"},
		"enw":                 {EndNote, "%0 Journal Article\n%T ONE\n%A Owl, Ann\n%D 1987\n%R DOI\n%X A text\n\nwith a gap\n%K owl\n\n%0 Book\n%T TWO\n"},
		"refer":               {EndNote, "%A Owl, Ann\n%T Owls above\nthe old mill\n%D 1987\n%R DOI\n\n%T TWO\n%D 1990\n"},
		"EndNote XML": {EndNote, `<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><contributors><authors><author><style face="normal">Owl, Ann</style></author></authors></contributors>` +
			`<titles><title><style face="normal">Owls above </style><style face="italic">the old mill</style></title><secondary-title>J Mills</secondary-title></titles><dates><year>1987</year></dates><electronic-resource-num>DOI</electronic-resource-num></record>` +
			`<record><titles><title>TWO</title></titles></record></records></xml>`},
		"Web of Science": {WoS, "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Owl, Ann\nTI Owls above\n   the old mill\nSO J MILLS\nPY 1987\nDI DOI\nER\n\nPT B\nTI TWO\nER\n\nEF\n"},
		"WoS with tabs":  {Table, "PT\tAU\tTI\tSO\tPY\tDI\nJ\tOwl, Ann\tONE\tJ MILLS\t1987\tDOI\nB\t\tTWO\t\t1990\t\n"},
		"RefWorks":       {RefWorks, "RT Journal Article\nSR Electronic\nA1 Owl, Ann\nT1 ONE\nYR 1987\nDO DOI\n\nRT Book\nT1 TWO\n"},
		"csv":            {Table, "\"Key\",\"Title\",\"Author\",\"Publication Year\",\"DOI\"\n\"K1\",\"ONE\",\"Owl, Ann\",\"1987\",\"DOI\"\n\"K2\",\"TWO\",\"\",\"\",\"\"\n"},
		"csl":            {CSLJSON, `[{"id":"a","title":"ONE","author":[{"family":"Owl","given":"Ann"}],"issued":{"date-parts":[[1987,5]]},"DOI":"DOI"},{"id":"b","title":"TWO"}]`},
		"csl, one":       {CSLJSON, `{"items":[{"title":"ONE","author":[{"literal":"Owl, Ann"}],"issued":{"raw":"1987"},"DOI":"https://doi.org/DOI"},{"title":["TWO"]}]}`},
		"crossref":       {CSLJSON, `{"status":"ok","message":{"items":[{"title":["ONE"],"author":[{"family":"Owl","given":"Ann"}],"published":{"date-parts":[[1987]]},"DOI":"DOI"},{"title":["TWO"]}]}}`},
		"zotero":         {CSLJSON, `[{"title":"ONE","creators":[{"lastName":"Owl","firstName":"Ann"}],"date":"May 1987","DOI":"DOI"},{"title":"TWO","author":"not a list"}]`},
	} {
		body := strings.NewReplacer("ONE", one, "TWO", two, "DOI", "10.1234/owl.1").Replace(strings.NewReplacer("\"DOI\":", "\"D\":", "\"DOI\"\n", "\"D\"\n", "\tDI\n", "\tD\n").Replace(c.body))
		body = strings.NewReplacer("\"D\":", "\"DOI\":", "\"D\"\n", "\"DOI\"\n", "\tD\n", "\tDI\n").Replace(body)
		if name == "csv" {
			body = strings.Replace(body, `"10.1234/owl.1"`+"\n", "\"DOI\"\n", 1)
			body = strings.Replace(body, `"1987","DOI"`, `"1987","10.1234/owl.1"`, 1)
		}
		for _, ends := range []string{"\n", "\r\n"} {
			d, err := Read(t.Context(), []byte("\ufeff"+strings.ReplaceAll(body, "\n", ends)), Options{})
			if err != nil || d.Kind != c.kind || !slices.Equal(titlesOf(d), []string{one, two}) || len(d.Warnings) > 1 {
				t.Errorf("%s: %v %+v", name, err, d)
				continue
			}
			if r := d.References[0]; r.Year != 1987 || r.DOI != "10.1234/owl.1" || !slices.Equal(r.Authors, []string{"Owl, Ann"}) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// TestUnread: a kind that can be told and is not read is named, with what to save it as.
func TestUnread(t *testing.T) {
	const declaration = "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n"
	for what, body := range map[string]string{
		"RDF":       declaration + `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><bib:Article/></rdf:RDF>`,
		"MODS":      declaration + `<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods><titleInfo><title>Owls</title></titleInfo></mods></modsCollection>`,
		"PubMed":    declaration + "<!DOCTYPE PubmedArticleSet PUBLIC \"x\" \"y\">\n<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>",
		"TEI":       `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/></TEI>`,
		"JATS":      declaration + "<article><front/></article>",
		"Word":      declaration + `<b:Sources xmlns:b="x"><b:Source/></b:Sources>`,
		"XML":       declaration + "<owls><owl/></owls>",
		"YAML":      "---\nreferences:\n- id: owl\n  title: Owls\n",
		"JSON":      `[{"title": "Owls above the mill",}]`,
		"RTF":       `{\rtf1\ansi Owls above the mill}`,
		"LaTeX":     "\\begin{thebibliography}{9}\n\\bibitem{owl} A. Owl. Owls above the mill. 1987.\n",
		"Office":    "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml",
		"EPUB":      "PK\x03\x04" + strings.Repeat("\x00", 26) + "mimetypeapplication/epub+zip",
		"compress":  "\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"picture":   "\x89PNG\r\n\x1a\n\x00\x00",
		"PostScrip": "%!PS-Adobe-3.0\n%%Title: owls\n",
	} {
		_, err := Read(t.Context(), []byte(body), Options{})
		var p *Problem
		if !errors.As(err, &p) || !strings.Contains(p.What, what) || p.Next == "" || p == ErrKind {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestKindByContent: what stands first tells the kind, whatever stands inside.
func TestKindByContent(t *testing.T) {
	for body, want := range map[string]Kind{
		"<!-- <title>Export</title> -->\n@misc{k, title={Owls and Mills}}":               BibTeX,
		"% made by <html> tools\n@misc{k, title={Owls and Mills}, note={<h1>x</h1>}}":    BibTeX,
		"@misc{k, title={Owls and Mills}, abstract={<title>x</title>\nTY  - JOUR}}":      BibTeX,
		"TY  - JOUR\nTI  - Owls and Mills\nAB  - <title>x</title>\nER  -\n":              RIS,
		"<!doctype html><style>\n@media(x) {a}\n</style><h2>References</h2><ul><li>":     HTML,
		"<html><pre>\n@misc{k, title={x}}\nTY  - JOUR\n</pre>":                           HTML,
		"# Owls\n\n## References\n\n- Owl A (1987). Owls above the mill. Mill Press.\n":  Markdown,
		"Owls\n\nReferences\n\n[1] A. Owl. Owls above the mill. Mill Press, 1987.\n":     Text,
		"[1] A. Owl. Owls above the mill.\n":                                             Text,
		"PT boats and their owls\n\nReferences\n\nTI is no tag here\n":                   Text,
		"Title, year and place\n\nReferences\n\n1. Owl A (1987). Owls above the mill.\n": Text,
	} {
		if got, err := detect([]byte(body), Options{}); got != want {
			t.Errorf("%q: %q %v, want %q", body, got, err, want)
		}
	}
}

func FuzzFormats(f *testing.F) {
	kinds := []Kind{NBIB, EndNote, WoS, RefWorks, CSLJSON, Table}
	f.Add(0, "PMID- 1\nTI  - A b c\n      d.\nAU  - Owl A\n")
	f.Add(1, "%0 Book\n%T A b c\n\n%A X\n")
	f.Add(1, "<xml><records><record><titles><title>A <style>b</style> c</title></titles></record></records></xml>")
	f.Add(2, "PT J\nTI A b\n   c\nER\nEF")
	f.Add(3, "RT Book\nT1 A b c\n")
	f.Add(4, `{"items":[{"title":["A b c"],"author":[{"family":"X"}],"issued":{"date-parts":[[1987]]}}]}`)
	f.Add(5, "Title,Authors,DOI\n\"A \"b\" c\",\"X; Y\",10.1234/x\n")
	f.Fuzz(func(t *testing.T, kind int, s string) {
		d := &Document{Kind: kinds[uint(kind)%uint(len(kinds))]}
		err := readText(d, decode([]byte(s)))
		d.finish()
		sound(t, d, err)
	})
}

func FuzzMarkup(f *testing.F) {
	f.Add(`A <i>b</i> &amp;lt;sub&gt; \textless p\textgreater $\hat{x}_2$ \footnote{c} \url{d}`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Clean(withoutMarkup(unTeX(s))), withoutMarkup(unTeXAddress(s))} {
			if len(out) > 8*len(s)+8 {
				t.Errorf("%d bytes of %d", len(out), len(s))
			}
		}
	})
}
