package recording

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/crawler/warc"
)

// TestIndexFinishedMeanwhile: a file that was still being written when the folder was listed may have been renamed since.
func TestIndexFinishedMeanwhile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "night.warc.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	if err := warc.NewWriter(f).Response("http://a.test/", at, 200, nil, []byte("<p>hello")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x := &indexing{Replay: &Replay{entries: map[string]entry{}}, seed: maphash.MakeSeed(), byID: map[uint64]place{}}
	defer x.Close()
	if err := x.index(name + ".open"); err != nil {
		t.Fatal(err)
	}
	if x.report.Records != 1 {
		t.Errorf("%d records", x.report.Records)
	}
}
