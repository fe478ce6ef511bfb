package warc

import (
	"bytes"
	"testing"
)

// BenchmarkReader reads a file of small pages.
func BenchmarkReader(b *testing.B) {
	data, offsets := archive(b, 200)
	for b.Loop() {
		n := 0
		for _, err := range NewReader(bytes.NewReader(data), int64(len(data))).All() {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != len(offsets) {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(offsets)), "ns/record")
}
