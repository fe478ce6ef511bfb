package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/bench"
)

// origin is the source of a corpus.
type origin struct {
	has  string // part of the name of a group or file, in lower case
	Text string // Markdown
}

var origins = []origin{
	{"webkb", "WebKB: the \"4 Universities\" data set of CMU's World Wide Knowledge Base project, January 1997, <http://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-20/www/data/>. Pages of computer science departments, labelled student, faculty, staff, department, course, project or other. As recordings: each page a WARC response record under its address, with the labels as lines of address, tab, label."},
	{"wikispeedia", "Wikispeedia: R. West and J. Leskovec, <https://snap.stanford.edu/data/wikispeedia.html>. The 4,604 articles of the 2007 Schools Wikipedia, the links between them, the subject categories of articles, and navigation games that people played on them. As a recording: each article a WARC response record with its text and its links; the games as the data set has them."},
	{"uic", "UIC: pages of one university, uic.edu, with their links, as a crawl for a course project saw them in November 2018, <https://github.com/mirkomantovani/web-search-engine-UIC>. As a recording: 7,685 pages on 319 hosts, each a WARC response record under the address that it names as its canonical one or that most links use, and 301 records for other spellings. Labels by rules on the address, not by people."},
	{"documentation", "Documentation: the manuals of Django 3.2, Git, the Apache HTTP server 2.4, Exim, Postfix, PostgreSQL 15 and SQLite as their projects publish them, 3,387 pages under the addresses of seven sites. As recordings: a WARC response record a page. Labels by rules on the address: a chapter is a folder, or a family of names."},
}

// Origins are the public sources of the suite's corpora.
func (v *view) Origins() []string {
	var all []string
	for _, o := range origins {
		if slices.ContainsFunc(v.Results, func(r bench.Result) bool {
			return strings.Contains(strings.ToLower(r.Group+" "+strings.Join(r.Corpus, " ")), o.has)
		}) {
			all = append(all, o.Text)
		}
	}
	return all
}

// mostFiles is the maximum number of recordings of a task that a table names.
const mostFiles = 3

// Asked is the table of the tasks.
func (v *view) Asked() table {
	t := table{Head: []string{"task", "group", "crawled", "relevant label", "budget", "seeds", "relevant pages in reach"}}
	for _, task := range v.tasks {
		r := task.results[0]
		files := count(len(r.Corpus), "recording")
		if len(r.Corpus) <= mostFiles {
			var names []string
			for _, f := range r.Corpus {
				names = append(names, code(f))
			}
			files = cmp.Or(strings.Join(names, ", "), none)
		}
		reach := strconv.FormatFloat(r.RelevantTotal, 'f', -1, 64)
		if r.RelevantTotal != float64(int(r.RelevantTotal)) {
			reach = strconv.FormatFloat(r.RelevantTotal, 'f', 1, 64)
		}
		t.Rows = append(t.Rows, []string{heading(r), cmp.Or(text(r.Group), none), files, code(r.Relevant),
			chart.Thousands(r.Budget), seeds(r.Seeds), reach})
	}
	return t
}

func seeds(all []uint64) string {
	var parts []string
	for _, s := range all {
		parts = append(parts, strconv.FormatUint(s, 10))
	}
	return cmp.Or(strings.Join(parts, ", "), none)
}

// Setting says where the suite ran, as far as known.
func (v *view) Setting() string {
	s := "Measured"
	if v.GoVersion != "" {
		s += " with " + text(v.GoVersion)
	}
	if v.Cores > 0 {
		s += " on " + count(v.Cores, "core")
	}
	if v.Minutes > 0 {
		s += ", in " + decimal(v.Minutes, 1) + " minutes"
	}
	if s == "Measured" {
		return ""
	}
	return s + "."
}

// Counts reports whether a way of counting missing pages was measured.
func (v *view) Counts(mode string) bool { return slices.Contains(v.modes, mode) }
