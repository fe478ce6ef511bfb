package document

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	exportRIS = "export it as RIS or BibTeX"
	exportPDF = "save it as PDF or text"
)

var (
	errJSON    = &Problem{"this JSON is broken", exportRIS + " or CSL-JSON"}
	errPicture = &Problem{"this is a picture", "recognise its text with a program for that (OCR), or paste its titles, one a line"}
)

// binaries are kinds that are no text, by their first bytes and by a name in their head.
var binaries = []struct {
	magic, holds string
	problem      *Problem
}{
	{"PK\x03\x04", "[Content_Types].xml", &Problem{"this is a document of Word or another program of Office", exportPDF}},
	{"PK\x03\x04", "word/", &Problem{"this is a document of Word or another program of Office", exportPDF}},
	{"PK\x03\x04", "mimetypeapplication/epub", &Problem{"this is an e-book (EPUB)", "save the page with its references as HTML or PDF"}},
	{"PK\x03\x04", "mimetypeapplication/vnd.oasis", &Problem{"this is a document of LibreOffice (OpenDocument)", exportPDF}},
	{"\xd0\xcf\x11\xe0", "", &Problem{"this is a document of an old Word or Office", exportPDF}},
	{"SQLite format 3", "", &Problem{"this is a database, such as Zotero's", "in the program it belongs to, " + exportRIS}},
	{"\x1f\x8b", "", &Problem{"this is a compressed file", "unpack it and choose the document in it"}},
	{"AT&TFORM", "", &Problem{"this is a DjVu document", exportPDF}},
	{"\xf7\x02", "", &Problem{"this is a DVI document", exportPDF}},
	{"\x89PNG", "", errPicture}, {"\xff\xd8\xff", "", errPicture}, {"GIF8", "", errPicture}, {"II*\x00", "", errPicture}, {"MM\x00*", "", errPicture},
}

func binaryProblem(body []byte) *Problem {
	head := body[:min(len(body), 8<<10)]
	for _, k := range binaries {
		if bytes.HasPrefix(head, []byte(k.magic)) && bytes.Contains(head, []byte(k.holds)) {
			return k.problem
		}
	}
	return ErrKind
}

// textKinds are kinds that are text, by how they begin.
var textKinds = []struct {
	sign    *regexp.Regexp
	problem *Problem
}{
	{regexp.MustCompile(`^\{\\rtf`), &Problem{"this is Rich Text (RTF)", exportPDF}},
	{regexp.MustCompile(`^%!PS`), &Problem{"this is PostScript", exportPDF}},
	{regexp.MustCompile(`^(?:---\s*\n)?(?:#.*\n|\s)*(?:cff-version:|references:\s*\n\s*-\s+\w+:)`), &Problem{"this is YAML, such as CSL-YAML or CITATION.cff", exportRIS + " or CSL-JSON"}},
	{regexp.MustCompile(`(?s)^[\[{]\s*[\[{"].*"[Tt]itle"\s*:`), errJSON},
	{regexp.MustCompile(`(?m)^\s*\\(?:bibitem|documentclass|begin\{thebibliography\})`), &Problem{"this is LaTeX", "save it as PDF, or choose its .bib file"}},
}

// textProblem returns the problem of a text of a kind that is not read, else nil.
func textProblem(text string) *Problem {
	for _, k := range textKinds {
		if k.sign.MatchString(text) {
			return k.problem
		}
	}
	return nil
}

// roots are kinds of XML by their first element.
var roots = map[string]*Problem{
	"rdf:RDF":          {"this is RDF, such as Zotero exports", exportRIS},
	"mods":             {"this is MODS XML", exportRIS},
	"modsCollection":   {"this is MODS XML", exportRIS},
	"collection":       {"this is MARC XML", exportRIS},
	"PubmedArticleSet": {"this is PubMed XML", "save it from PubMed for a citation manager (nbib)"},
	"PubmedArticle":    {"this is PubMed XML", "save it from PubMed for a citation manager (nbib)"},
	"TEI":              {"this is TEI XML", exportRIS + ", or save the document as PDF"},
	"article":          {"this is an article as XML (JATS)", "save it as PDF or HTML"},
	"dblp":             {"this is XML of dblp", "save it from dblp as BibTeX or RIS"},
	"Sources":          {"this is a list of sources of Word", exportRIS},
	"opml":             {"this is OPML", "paste its titles, one a line"},
	"":                 {"this is XML of a kind that is not read", exportRIS + ", or save it as HTML"},
}

var pageDoctype = regexp.MustCompile(`(?i)<!doctype\s+html`)

var firstElement = regexp.MustCompile(`<(?:(rdf:RDF)|(?:[A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*))[\s/>]`)

// xmlProblem returns the problem of a text that is XML of a kind that is not read, else nil.
func xmlProblem(text string) *Problem {
	head := comment.ReplaceAllString(text[:min(len(text), 4096)], "")
	declared := strings.HasPrefix(head, "<?xml")
	if !strings.HasPrefix(head, "<") || !declared && !strings.Contains(head, "xmlns") && !strings.HasPrefix(head, "<!DOCTYPE") {
		return nil // as a page may begin
	}
	m := firstElement.FindStringSubmatch(head)
	if m == nil || m[2] == "html" || pageDoctype.MatchString(head) {
		return nil
	}
	if p := roots[m[1]+m[2]]; p != nil || !declared {
		return p
	}
	return roots[""]
}
