package work_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
)

// usualResult is a task and the result of a page of some 30 KB with 120 links.
func usualResult(tb testing.TB) (work.Task, work.Result) {
	tb.Helper()
	task := work.Task{ID: "00112233445566778899aabbccddeeff", Attempt: 1, URL: "http://a.test/page"}
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, `<p>Words before the link number %d, and some more of them <a href="/link/%d">the page %d of the place</a>. %s</p>`, i, i, i,
			strings.Repeat(fmt.Sprint("word", i, " "), 12))
	}
	fetched := fetch.Response{
		URL: task.URL, FinalURL: task.URL, Outcome: fetch.OK, Status: 200, Body: []byte(b.String()),
		Exchanges: []fetch.Exchange{{URL: task.URL, Purpose: fetch.ForPage, Status: 200, At: time.Unix(1e9, 0)}},
	}
	r := work.New(fetching(func(string) fetch.Response { return fetched }), nil, nil, true).Do(tb.Context(), task)
	r.Began, r.Ended = time.Unix(1e9, 0), time.Unix(1e9+1, 0)
	return task, r
}

// BenchmarkMessage is what a page costs on its way from a worker: the worker encodes, the daemon decodes and checks.
func BenchmarkMessage(b *testing.B) {
	task, r := usualResult(b)
	data, err := work.Encode(&r)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(len(data)), "bytes/message")
		for b.Loop() {
			if _, err := work.Encode(&r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := work.Decode(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	got, err := work.Decode(data)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := got.Check(&task); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse", func(b *testing.B) { // to compare with
		for b.Loop() {
			if _, err := page.Parse(task.URL, page.ContentUTF8, r.Response.Body); err != nil {
				b.Fatal(err)
			}
		}
	})
}
