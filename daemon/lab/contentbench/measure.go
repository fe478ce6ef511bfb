package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"nightjar/crawler/page"
	"nightjar/daemon/lab/devtool"
)

// table holds what the extractors found on one set of pages.
type table struct {
	set    string
	hidden bool // the markup does not mark the content
	pages  int
	rows   []*row
}

// row holds one extractor's means over the pages.
type row struct {
	name                  string
	precision, recall, f1 float64
	lost                  int // pages with recall below 1/2
	took                  time.Duration
}

// Rows that are measured by this program.
const (
	ours     = "nightjar"
	wholeRow = "the whole body"
)

// request and answer are what trafilatura/main.go reads and prints.
type request struct {
	URL    string `json:"url"`
	HTML   []byte `json:"html"`
	Rounds int    `json:"rounds"`
}

type answer struct {
	Name string        `json:"name"`
	HTML string        `json:"html"`
	Took time.Duration `json:"took_ns"`
}

// measure runs all extractors on all pages, as served and with hidden markup.
func measure(ctx context.Context, o *options, samples []*sample) ([]*table, error) {
	dir, err := os.MkdirTemp("", "contentbench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	program, err := devtool.Build(ctx, "daemon/lab/contentbench/trafilatura", dir)
	if err != nil {
		return nil, err
	}
	var tables []*table
	for _, s := range samples {
		for _, hidden := range []bool{false, true} {
			if !slices.ContainsFunc(tables, func(t *table) bool { return t.set == s.set && t.hidden == hidden }) {
				tables = append(tables, &table{set: s.set, hidden: hidden})
			}
		}
	}
	for _, t := range tables {
		var pages []request
		var want []string
		for _, s := range samples {
			if s.set != t.set {
				continue
			}
			source := s.served
			if t.hidden {
				source = s.hidden
			}
			pages, want = append(pages, request{s.url, source, o.Rounds}), append(want, s.want)
		}
		if err := t.fill(ctx, program, pages, want); err != nil {
			return nil, fmt.Errorf("%s pages: %w", t.set, err)
		}
	}
	return tables, nil
}

// fill measures the pages of one table.
func (t *table) fill(ctx context.Context, program string, pages []request, want []string) error {
	theirs, err := ask(ctx, program, pages)
	if err != nil {
		return err
	}
	t.pages = len(pages)
	for i, p := range pages {
		content, took, err := own(p)
		if err != nil {
			return err
		}
		t.add(ours, content, want[i], took)
		for _, a := range theirs[i] {
			t.add(a.Name, textOf(a.HTML), want[i], a.Took)
		}
		t.add(wholeRow, textOf(string(p.HTML)), want[i], 0)
	}
	return nil
}

// add adds the content that an extractor found on one page.
func (t *table) add(name, got, want string, took time.Duration) {
	at := slices.IndexFunc(t.rows, func(r *row) bool { return r.name == name })
	if at < 0 {
		at, t.rows = len(t.rows), append(t.rows, &row{name: name})
	}
	precision, recall, f1 := score(got, want)
	r, share := t.rows[at], 1/float64(t.pages)
	r.precision += precision * share
	r.recall += recall * share
	r.f1 += f1 * share
	r.took += took / time.Duration(t.pages)
	if recall < .5 {
		r.lost++
	}
}

// own reads a page as Nightjar does. The time includes links, title and frames.
func own(p request) (content string, took time.Duration, err error) {
	head, err := headText(p.URL, p.HTML)
	if err != nil {
		return "", 0, err
	}
	for range p.Rounds {
		began := time.Now()
		read, err := page.Parse(p.URL, page.ContentUTF8, p.HTML)
		if err != nil {
			return "", 0, err
		}
		if t := time.Since(began); took == 0 || t < took {
			took = t
		}
		content = strings.TrimPrefix(read.Text, head)
	}
	return content, took, nil
}

// ask runs the other program on all pages.
func ask(ctx context.Context, program string, pages []request) ([][]answer, error) {
	var in, out bytes.Buffer
	encode := json.NewEncoder(&in)
	for _, p := range pages {
		if err := encode.Encode(p); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	answers := make([][]answer, len(pages))
	decode := json.NewDecoder(&out)
	for i := range answers {
		if err := decode.Decode(&answers[i]); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func textOf(source string) string {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	return text(root)
}

// score compares two texts as bags of words. Precision is the share of got that is in want, recall the share of want that
// is in got, F1 their harmonic mean; all are 0 when the texts share no word.
func score(got, want string) (precision, recall, f1 float64) {
	count := map[string]int{}
	wanted, given := words(want), words(got)
	for _, w := range wanted {
		count[w]++
	}
	both := 0.0
	for _, w := range given {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	if both == 0 {
		return 0, 0, 0
	}
	precision, recall = both/float64(len(given)), both/float64(len(wanted))
	return precision, recall, 2 * precision * recall / (precision + recall)
}

// words are the runs of letters and digits of a text; in Chinese and Japanese, its characters. Punctuation does not count,
// since extractors add their own in tables and lists.
func words(s string) []string {
	var list []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
		if unicode.In([]rune(w)[0], unicode.Han, unicode.Hiragana, unicode.Katakana) {
			list = append(list, strings.Split(w, "")...)
		} else {
			list = append(list, w)
		}
	}
	return list
}
