package warc

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)

// archive returns a file with n responses for http://a.test/0 and so on, and the offsets of its members.
func archive(tb testing.TB, n int) (data []byte, offsets []int) {
	tb.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := range n {
		offsets = append(offsets, b.Len())
		body := strings.Repeat(fmt.Sprintf("page %d \x00\xff ", i), 50)
		if err := w.Response(fmt.Sprintf("http://a.test/%d", i), day, 200, http.Header{"Content-Type": {"text/html"}}, []byte(body)); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Bytes(), offsets
}

// unzip decompresses a file.
func unzip(tb testing.TB, data []byte) []byte {
	tb.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return plain
}

// targets reads a file to its end, and each record again by its position.
func targets(tb testing.TB, data []byte) (urls []string, problems []Problem) {
	tb.Helper()
	file, size := bytes.NewReader(data), int64(len(data))
	r := NewReader(file, size)
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return urls, r.Problems()
		}
		if err != nil {
			tb.Fatal(err)
		}
		again, err := ReadAt(file, size, rec.At)
		if err != nil || again.Target() != rec.Target() || !bytes.Equal(again.Block, rec.Block) {
			tb.Fatalf("record %s read again at %v: %v", rec.Target(), rec.At, err)
		}
		urls = append(urls, rec.Target())
	}
}

// blocks joins the blocks of a file's records.
func blocks(tb testing.TB, data []byte) (all []byte) {
	tb.Helper()
	r := NewReader(bytes.NewReader(data), int64(len(data)))
	for {
		rec, err := r.Next()
		if err != nil {
			return all
		}
		all = append(all, rec.Block...)
	}
}

func want(n int, without ...int) (urls []string) {
next:
	for i := range n {
		for _, w := range without {
			if i == w {
				continue next
			}
		}
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	return urls
}

func TestRoundTrip(t *testing.T) {
	data, _ := archive(t, 5)
	again, _ := archive(t, 5)
	if !bytes.Equal(data, again) {
		t.Error("the same records made different bytes")
	}
	plain := unzip(t, data)
	var one bytes.Buffer // all records in one member
	z := gzip.NewWriter(&one)
	z.Write(plain)
	z.Close()
	for name, data := range map[string][]byte{
		"member each": data, "plain": plain, "one member": one.Bytes(),
		"plain, then compressed": slices.Concat(plain, data), "padded": slices.Concat([]byte("\r\n\r\n"), data, make([]byte, 1000)),
	} {
		urls, problems := targets(t, data)
		expect := want(5)
		if name == "plain, then compressed" {
			expect = append(expect, expect...)
		}
		if fmt.Sprint(urls) != fmt.Sprint(expect) || len(problems) > 0 {
			t.Errorf("%s: %v, %v", name, urls, problems)
		}
	}
}

// TestTruncated cuts a file at each byte: the records before the cut are there, and one problem reports the rest, unless
// the cut is between records.
func TestTruncated(t *testing.T) {
	data, offsets := archive(t, 3)
	offsets = append(offsets, len(data))
	plain := unzip(t, data)
	var starts []int // of plain records
	for i := range plain {
		if bytes.HasPrefix(plain[i:], []byte("WARC/1.1\r\n")) {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(plain))
	for _, c := range []struct {
		data    []byte
		offsets []int
		slack   int // bytes at a record's end that it does not need: line ends, the gzip member's end
	}{{data, offsets, 24}, {plain, starts, 4}} {
		for cut := range len(c.data) {
			urls, problems := targets(t, c.data[:cut])
			n, clean := 0, false
			for n+1 < len(c.offsets) && c.offsets[n+1] <= cut {
				n++
			}
			clean = c.offsets[n] == cut
			near := n+1 < len(c.offsets) && cut >= c.offsets[n+1]-c.slack
			if fmt.Sprint(urls) != fmt.Sprint(want(n)) && !(near && fmt.Sprint(urls) == fmt.Sprint(want(n+1))) {
				t.Fatalf("cut at %d of %d: %v, %v", cut, len(c.data), urls, problems)
			}
			if !clean && !near && len(problems) != 1 || clean && len(problems) != 0 {
				t.Fatalf("cut at %d of %d: problems %v", cut, len(c.data), problems)
			}
		}
	}
}

// TestDamaged damages the second of four records in many ways: the other three are read.
func TestDamaged(t *testing.T) {
	data, offsets := archive(t, 4)
	plain := unzip(t, data)
	second := bytes.Index(plain, []byte("WARC-Target-URI: http://a.test/1\r\n"))
	for i := offsets[1]; i < offsets[2]; i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		urls, problems := targets(t, bad)
		got := fmt.Sprint(urls)
		// Some bits of a gzip member (time, system, padding) are not part of its content.
		harmless := got == fmt.Sprint(want(4)) && bytes.Equal(blocks(t, bad), blocks(t, data))
		if !harmless && (got != fmt.Sprint(want(4, 1)) || len(problems) == 0) {
			t.Fatalf("byte %d: %v, %v", i-offsets[1], urls, problems)
		}
	}
	length := second + bytes.Index(plain[second:], []byte("Content-Length: "))
	for name, insert := range map[string]string{"no length": "Content-Nothing: ", "negative": "Content-Length: -", "words": "Content-Length: x"} {
		bad := slices.Concat(plain[:length], []byte(insert), plain[length+len("Content-Length: "):])
		if urls, problems := targets(t, bad); fmt.Sprint(urls) != fmt.Sprint(want(4, 1)) || len(problems) != 1 {
			t.Errorf("%s: %v, %v", name, urls, problems)
		}
	}
	garbage := slices.Concat(data[:offsets[2]], []byte("some garbage \x1f\x8b\x08 here"), data[offsets[2]:])
	if urls, problems := targets(t, garbage); fmt.Sprint(urls) != fmt.Sprint(want(4)) || len(problems) == 0 {
		t.Errorf("garbage between: %v, %v", urls, problems)
	}
}

func TestHugeClaims(t *testing.T) {
	head := "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %s\r\n\r\n"
	for _, s := range []string{
		fmt.Sprintf(head, "99999999999999"), fmt.Sprintf(head, "99999999999999999999999"), fmt.Sprintf(head, fmt.Sprint(MaxBlock-1)),
		"WARC/1.0\r\n" + strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 1000), "WARC/" + strings.Repeat("1", 1<<20),
	} {
		if urls, problems := targets(t, []byte(s)); len(urls) != 0 || len(problems) == 0 {
			t.Errorf("%.30q: %v, %v", s, urls, problems)
		}
	}
	noise := bytes.Repeat([]byte{0x1f, 0x8b, 8, 0, 0}, 100000)
	if _, problems := targets(t, noise); len(problems) != maxProblems {
		t.Errorf("%d problems in noise", len(problems))
	}
}

func TestHeader(t *testing.T) {
	s := "WARC/1.0\nwarc-type: Response\nWARC-Target-URI: <http://a.test/>\nNote: one\n two\nno colon\ncontent-length: 2\n\nok\n\n"
	rec, err := NewReader(strings.NewReader(s), int64(len(s))).Next()
	if err != nil || rec.Type() != "response" || rec.Target() != "http://a.test/" || rec.Header.Get("Note") != "one two" || string(rec.Block) != "ok" {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestWriterRefuses(t *testing.T) {
	w := NewWriter(io.Discard)
	if w.Response("http://a b/", day, 200, nil, nil) == nil || w.Response("", day, 200, nil, nil) == nil || w.Response("http://a/", day, 0, nil, nil) == nil {
		t.Error("bad responses were written")
	}
}

func TestAppendRefuses(t *testing.T) {
	var b bytes.Buffer
	for name, err := range map[string]error{
		"line end":   Append(&b, []Field{{"WARC-Type", "response\r\nX: y"}}),
		"long block": Append(&b, nil, make([]byte, MaxBlock), []byte("x")),
		"long field": Append(&b, []Field{{"WARC-Target-URI", strings.Repeat("x", MaxHeader)}}),
	} {
		if err == nil || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, b.Len())
		}
	}
	for _, size := range []int{0, 1, smallRecord, 100_000} { // in parts, wrapped and compressed
		b.Reset()
		block := bytes.Repeat([]byte("ab"), size)
		if err := Append(&b, []Field{{"WARC-Type", "resource"}, {"WARC-Target-URI", ""}}, block[:size], block[size:]); err != nil {
			t.Fatal(err)
		}
		rec, err := NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())).Next()
		if err != nil || !bytes.Equal(rec.Block, block) || rec.Size != int64(b.Len()) || rec.Header["Warc-Target-Uri"] != nil {
			t.Errorf("%d bytes: %v, %v", len(block), rec, err)
		}
	}
}

// TestReferenceFiles reads the archives of other programs, of which those with a telling name are damaged. TestRoundTrip,
// TestTruncated and TestDamaged have archives of our own.
func TestReferenceFiles(t *testing.T) {
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	files, err := filepath.Glob(filepath.Join(root, "warc", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		urls, problems := targets(t, data)
		t.Logf("%s: %d records %v, problems %v", filepath.Base(name), len(urls), urls, problems)
		bad := strings.Contains(name, "-wrong-chunks") || strings.Contains(name, "-trunc")
		if (len(problems) > 0) != bad || len(urls) == 0 {
			t.Errorf("%s: %d records, problems %v", filepath.Base(name), len(urls), problems)
		}
	}
}

func FuzzReader(f *testing.F) {
	data, _ := archive(f, 3)
	f.Add(data)
	f.Add(unzip(f, data))
	f.Add([]byte("WARC/1.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n\x1f\x8b\x08"))
	f.Add([]byte("WARC/1.1\r\nWARC-Type: revisit\r\nContent-Length: 30\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		targets(t, data)
		for rec, err := range NewReader(bytes.NewReader(data), int64(len(data))).All() {
			if err != nil {
				t.Fatal(err)
			}
			if a, err := rec.Answer(); err == nil && rec.Type() != "resource" && len(a.Head) > len(rec.Block) {
				t.Fatal("the head is longer than the block")
			}
		}
	})
}
