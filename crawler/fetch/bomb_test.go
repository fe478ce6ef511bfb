package fetch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
)

// gzipHeader is the header of a gzip file without name and time.
const gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// zeros is a gzip file with that many MiB of zeros. Each is an independent block, so one is compressed and repeated.
func zeros(tb testing.TB, megabytes int) string {
	tb.Helper()
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		tb.Fatal(err)
	}
	z.Write(make([]byte, 1<<20))
	z.Flush()
	one := b.String()
	end := "\x01\x00\x00\xff\xff" + "\x00\x00\x00\x00\x00\x00\x00\x00" // an empty last block; the checksum is wrong
	return gzipHeader + strings.Repeat(one, megabytes) + end
}

// storedZip is a zip file that contains a file of zeros.
func storedZip(tb testing.TB) string {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("x.html")
	if err != nil {
		tb.Fatal(err)
	}
	w.Write(make([]byte, 1<<20))
	z.Close()
	return b.String()
}

// TestBombs fetches bodies that grow, nest, lie and never end. None takes more than a few times MaxBody of memory, and
// each is cut or refused.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const most = 32 << 20 // bytes
	text := strings.Repeat("<p>some words of a page ", 2000)
	padded := binary.LittleEndian.AppendUint32([]byte("\x50\x2a\x4d\x18"), 1<<20) // a zstd frame to be skipped
	padded = append(padded, make([]byte, 1<<20)...)
	bombs := []struct {
		name, encoding, body string
		want                 Outcome
		truncated            bool
	}{
		{"1 GiB of zeros", "gzip", zeros(t, 1024), TooLarge, false},
		{"zeros, br", "br", squeezeWith(t, "br", strings.Repeat("\x00", 4<<20)), TooLarge, false},
		{"zeros, zstd", "zstd", squeezeWith(t, "zstd", strings.Repeat("\x00", 4<<20)), TooLarge, false},
		{"zeros that are not called compressed", "", zeros(t, 8), Type, false},
		{"a page that repeats itself", "gzip", squeeze(strings.Repeat(text, 50)), TooLarge, false},
		{"a large page", "gzip", squeeze(words(MaxBody + 1000)), OK, true},
		{"nested", "gzip", squeeze(squeeze(squeeze(text))), Type, false},
		{"nested and told", "gzip, gzip", squeeze(squeeze(text)), Type, false},
		{"nested with a table", "gzip, br", squeeze(text), Type, false},
		{"a zip file", "", storedZip(t), Type, false},
		{"a zip file in gzip", "gzip", squeeze(storedZip(t)), Type, false},
		{"cut", "gzip", squeeze(text)[:100], Network, false},
		{"garbage behind", "gzip", squeeze(text) + "garbage", OK, false},
		{"a file behind", "gzip", squeeze(text) + zeros(t, 8), OK, false},
		{"garbage", "gzip", gzipHeader + "garbage", Network, false},
		{"garbage, br", "br", strings.Repeat("garbage", 100), Network, false},
		{"garbage, zstd", "zstd", strings.Repeat("garbage", 100), Network, false},
		{"growing to nothing", "gzip", gzipHeader + strings.Repeat("\x00\x00\x00\xff\xff", 2<<20), TooLarge, false},
		{"growing to nothing, zstd", "zstd", strings.Repeat(string(padded), 8), TooLarge, false},
		{"without end", "", strings.Repeat("<p>words ", 2<<20), OK, true},
		{"a window of 2 GB", "zstd", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00x", Network, false},
	}
	pages := map[string]http.HandlerFunc{}
	for i, b := range bombs {
		pages[fmt.Sprintf("h%d.test/", i)] = say(b.body, "Content-Encoding", b.encoding)
	}
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{})
	for i, b := range bombs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := l.Fetch(t.Context(), fmt.Sprintf("http://h%d.test/", i))
		runtime.ReadMemStats(&after)
		if got.Outcome != b.want || got.Truncated != b.truncated || got.Bytes > MaxBody+2*maxOverhead || len(got.Body) > MaxBody {
			t.Errorf("%s: %s, truncated %v, %d bytes of %d, %s; want %s", b.name, got.Outcome, got.Truncated, len(got.Body), got.Bytes, got.Reason, b.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: took %d MB", b.name, took>>20)
		}
	}
}

// words is a text that compresses like a page.
func words(size int) string {
	b := make([]byte, 0, size+10)
	for i := uint32(1); len(b) < size; i = i*1664525 + 1013904223 {
		b = append(strconv.AppendUint(b, uint64(i>>16), 16), ' ')
	}
	return string(b)
}
