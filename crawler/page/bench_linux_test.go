package page

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nightjar/crawler/warc"
)

// BenchmarkPages is what a page costs from bytes to Page. One operation reads all pages of a set: those
// of testdata/content, and the first 300 of some recordings below $NIGHTJAR_CORPORA if that is set. cpu-ms/page is processor time,
// which a busy machine changes little; it and kB/page are means over the pages.
func BenchmarkPages(b *testing.B) {
	for _, set := range benchSets(b) {
		size := 0
		for _, p := range set.pages {
			size += len(p.body)
		}
		b.Run(set.name, func(b *testing.B) {
			b.ReportAllocs()
			before := processTime(b)
			for b.Loop() {
				for _, p := range set.pages {
					if _, err := Parse(p.url, p.contentType, p.body); err != nil {
						b.Fatal(err)
					}
				}
			}
			pages := float64(len(set.pages))
			b.ReportMetric((processTime(b)-before).Seconds()*1000/float64(b.N)/pages, "cpu-ms/page")
			b.ReportMetric(float64(size)/1000/pages, "kB/page")
		})
	}
}

// processTime is the processor time that the process has used.
func processTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Nano())
}

// benchPage is a document as it was sent.
type benchPage struct {
	url, contentType string
	body             []byte
}

type benchSet struct {
	name  string
	pages []benchPage
}

func benchSets(tb testing.TB) []benchSet {
	tb.Helper()
	files, err := filepath.Glob("testdata/content/*.txtar")
	if err != nil || len(files) == 0 {
		tb.Fatal("no documents", err)
	}
	golden := benchSet{name: "testdata"}
	for _, file := range files {
		html, _ := mustContentCase(tb, file)
		golden.pages = append(golden.pages, benchPage{testURL, ContentUTF8, []byte(html)})
	}
	sets := []benchSet{golden}
	if corpora := os.Getenv("NIGHTJAR_CORPORA"); corpora != "" {
		for _, name := range []string{"uic/uic", "docs/www.postgresql.org", "webkb/cornell", "wikispeedia/articles"} {
			sets = append(sets, benchSet{filepath.Base(name), recordedPages(tb, filepath.Join(corpora, name+".warc.gz"), 300)})
		}
	}
	return sets
}

// recordedPages are the first pages of a recording, at most count.
func recordedPages(tb testing.TB, file string, count int) (pages []benchPage) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	for record, err := range warc.NewReader(f, info.Size()).All() {
		if err != nil {
			tb.Fatal(err)
		}
		answer, err := record.Answer()
		if errors.Is(err, warc.ErrNoAnswer) || answer.Status != http.StatusOK || len(answer.Body) == 0 {
			continue
		}
		if pages = append(pages, benchPage{record.Target(), answer.Header.Get("Content-Type"), answer.Body}); len(pages) == count {
			break
		}
	}
	return pages
}
