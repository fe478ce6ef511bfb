package wordnet

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHostilePaths: whatever an archive calls its files, nothing is written outside of the folder.
func TestHostilePaths(t *testing.T) {
	var all []entry
	for i, e := range tinyEntries(t, "") {
		below := []string{"../../../", "/etc/", `..\..\`, "a/../../../../tmp/", "./", "C:\\"}[i]
		e.name = below + e.name
		all = append(all, e)
	}
	all = append(all, entry{name: "data", kind: tar.TypeSymlink, link: "/etc"}, entry{name: "../../evil", text: "x"}, entry{name: "..", text: "x"},
		entry{name: "LICENSE", kind: tar.TypeSymlink, link: "/etc/passwd"})
	files := []entry{}
	for _, e := range all {
		if e.kind == 0 {
			files = append(files, e)
		}
	}
	for kind, data := range map[string][]byte{"tgz": gzipped(t, tarOf(t, all...)), "zip": zipOf(t, files...)} {
		l, _ := library(t)
		if err := l.AddFile(context.Background(), kind, bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		folder := l.State().Folder
		err := filepath.WalkDir(filepath.Dir(filepath.Dir(l.dir)), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && filepath.Dir(path) != folder && filepath.Dir(path) != l.dir {
				t.Errorf("%s: %s was written", kind, path)
			}
			if err == nil && !e.IsDir() && !e.Type().IsRegular() {
				t.Errorf("%s: %s is no plain file", kind, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestBombs: what unpacks to far more than WordNet is refused before it fills the disk or the memory.
func TestBombs(t *testing.T) {
	zeros := func(n int64, name string) []byte {
		text := strings.Repeat("\x00", int(n))
		return tarOf(t, entry{name: name, text: text})
	}
	big := zeros(maxFile+1, "dict/data.noun")
	many := bytes.Repeat(zeros(32<<20, "filler")[:32<<20+512], maxUnpacked/(32<<20)+1)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"file.tar.zst":     {zstdOf(t, big), "data.noun has more than"},
		"file.deb":         {debOf("data.tar.zst", zstdOf(t, big)), "data.noun has more than"},
		"file.zip":         {zipOf(t, entry{name: "data.noun", text: strings.Repeat(" ", maxFile+1)}), "data.noun has more than"},
		"filler.tar.zst":   {zstdOf(t, many), "it unpacks to more than 256 MiB"},
		"xz with 4 GiB":    {xzWindow(t, 40), "dictionary size exceeds max"},
		"licence of tar":   {tarOf(t, entry{name: "LICENSE", text: strings.Repeat("x", maxNotice+1)}), "LICENSE has more than"},
		"sparse tar":       {sparse(t), "data.noun has more than"},
		"half a header":    {append(arOf(), "data.tar"...), "ends too early"},
		"ar of 2^40 bytes": {append(arOf(), []byte("data.tar/       0           0     0     100644  9999999999`\n\x1f\x8b\x08")...), "ends too early"},
		"ar of -1 bytes":   {append(arOf(), []byte("debian-binary   0           0     0     100644  -1        `\nx")...), "the Debian package is damaged"},
		"ar without end":   {bytes.Repeat([]byte("!<arch>\n"), 9999), "the Debian package is damaged"},
		"ar of 0 bytes":    {arOf(make([]entry, 9999)...), "the Debian package has no data.tar"},
	} {
		l, _ := library(t)
		err := l.AddFile(context.Background(), name, bytes.NewReader(c.data))
		var problem *Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if got := entriesOf(t, l.dir); len(got) != 1 {
			t.Errorf("%s: the folder has %q", name, got)
		}
	}
}

// sparse is a tar file of 1 kB that says that its data.noun has 1 TB, of which nothing is stored.
func sparse(t *testing.T) []byte {
	t.Helper()
	records := "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n37 GNU.sparse.realsize=1000000000000\n29 GNU.sparse.name=data.noun\n"
	header := tarOf(t, entry{name: "pax", text: records, kind: tar.TypeReg})[:1024]
	header[156] = tar.TypeXHeader
	sum := 0
	copy(header[148:156], "        ")
	for _, c := range header[:512] {
		sum += int(c)
	}
	copy(header[148:156], []byte(strings.Repeat("0", 6-len(octal(sum)))+octal(sum)+"\x00 "))
	return append(header, tarOf(t, entry{name: "data.noun", text: "1\n1000000000000\n0\n" + strings.Repeat("\x00", 495)})...)
}

func octal(n int) string {
	text := ""
	for ; n > 0; n /= 8 {
		text = string(rune('0'+n%8)) + text
	}
	return text
}

// xzWindow is a Debian package whose xz header asks for another window: code 40 is 4 GiB (xz file format 5.3.1).
func xzWindow(t *testing.T, code byte) []byte {
	t.Helper()
	deb := read(t, "testdata/tiny.deb")
	begin := bytes.LastIndex(deb, []byte("\xfd7zXZ\x00"))
	header := deb[begin+12:]
	size := (int(header[0]) + 1) * 4
	filter := bytes.Index(header[:size], []byte{0x21, 1}) // LZMA2, with one byte of properties
	if filter < 2 {
		t.Fatalf("block header %x is not of LZMA2", header[:size])
	}
	header[filter+2] = code
	binary.LittleEndian.PutUint32(header[size-4:], crc32.ChecksumIEEE(header[:size-4]))
	return deb
}

// TestXzWindow: the test before changes what it means to: with the window of before the package is read.
func TestXzWindow(t *testing.T) {
	l, _ := library(t)
	if err := l.AddFile(context.Background(), "a.deb", bytes.NewReader(xzWindow(t, 22))); err != nil {
		t.Error(err)
	}
}

// TestTruncated: an archive that was cut anywhere is refused, and what was there stays.
func TestTruncated(t *testing.T) {
	l, _ := library(t)
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	before := l.Fingerprint()
	all := archives(t)
	for _, kind := range []string{"tgz", "deb of dpkg with xz", "tar.bz2", "zip", "deb with zstd", "deb with gzip"} {
		data := all[kind]
		step := max(1, len(data)/40)
		for n := 0; n < len(data); n += step {
			err := l.AddFile(context.Background(), kind, bytes.NewReader(data[:n]))
			var problem *Problem
			if !errors.As(err, &problem) || !strings.HasPrefix(err.Error(), kind) {
				t.Errorf("%s of %d of %d bytes: %v", kind, n, len(data), err)
			}
		}
	}
	if l.Fingerprint() != before {
		t.Error("a truncated archive replaced WordNet")
	}
}

// TestDamagedBytes: bytes anywhere in an archive are changed. It is refused as a problem, or gives a WordNet that can be
// read; where the archive has a checksum of all its content, it is refused.
func TestDamagedBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 1))
	checked := []string{"tgz", "tar.bz2", "deb with gzip"}
	folder, _ := library(t)
	folder.system = []string{tiny}
	whole := folder.Fingerprint()
	all := archives(t)
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		data := all[kind]
		l, _ := library(t)
		for range 30 {
			changed := slices.Clone(data)
			for range 1 + random.IntN(3) {
				changed[random.IntN(len(changed))] = byte(random.IntN(256))
			}
			err := l.AddFile(context.Background(), kind, bytes.NewReader(changed))
			_, problem := errors.AsType[*Problem](err)
			switch {
			case err != nil && !problem:
				t.Errorf("%s: %v is no problem that the person can mend", kind, err)
			case err == nil && l.Net() == nil:
				t.Errorf("%s was added and cannot be read: %+v", kind, l.State())
			case err == nil && slices.Contains(checked, kind) && l.Fingerprint() != whole:
				t.Errorf("%s: what its checksum does not allow was added", kind)
			}
		}
	}
}

// scratch counts what is written to a file of WordNet, instead of keeping it.
type scratch struct {
	written int64
	closed  bool
}

func (s *scratch) Write(p []byte) (int, error) { s.written += int64(len(p)); return len(p), nil }
func (s *scratch) Sync() error                 { return nil }
func (s *scratch) Close() error                { s.closed = true; return nil }

// FuzzUnpack: whatever an archive is, only WordNet's files are taken, within their bounds, and it is refused as a problem or
// has data.noun. Nothing is written to the disk, which would take most of the time. Run it with -fuzzminimizetime 20x: by
// default go spends a minute on making each new input of some kB smaller.
func FuzzUnpack(f *testing.F) {
	for _, data := range archives(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := map[string]*scratch{}
		c := &collector{ctx: context.Background(), have: map[string]bool{}, create: func(name string) (file, error) {
			if files[name] != nil {
				t.Errorf("%s was taken twice", name)
			}
			files[name] = &scratch{}
			return files[name], nil
		}}
		err := c.unpack("fuzz", bytes.NewReader(data))
		if _, problem := errors.AsType[*Problem](err); err != nil && (!problem || !strings.HasPrefix(err.Error(), "fuzz")) {
			t.Errorf("%v is no problem that the person can mend", err)
		}
		if err == nil && files["data.noun"] == nil {
			t.Error("what has no data.noun was taken")
		}
		for name, s := range files {
			if most := limit(name); most == 0 || s.written > most+1 || err == nil && s.written > most || !s.closed {
				t.Errorf("%s: %d bytes of at most %d, closed %v", name, s.written, most, s.closed)
			}
		}
	})
}

// FuzzFindMember: the member is found at the place where it was put, and no content makes the reader fail otherwise than
// with an error.
func FuzzFindMember(f *testing.F) {
	f.Add([]byte("content"), []byte("odd"))
	f.Add([]byte(""), []byte("even"))
	f.Add(arOf(entry{name: "data.tar", text: "inner"}), arOf(entry{name: "data.tar", text: "other"}))
	f.Fuzz(func(t *testing.T, data, other []byte) {
		file := arOf(entry{name: "first", text: string(other)}, entry{name: "data.tar.xz/", text: string(data)}, entry{name: "data.tar", text: "x"})
		r, err := findMember(bytes.NewReader(file), "data.tar")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil || !bytes.Equal(b.Bytes(), data) {
			t.Errorf("%v, %q instead of %q", err, b.Bytes(), data)
		}
		if r, err := findMember(bytes.NewReader(data), "data.tar"); err == nil {
			b.Reset()
			if n, err := b.ReadFrom(r); err == nil && n > int64(len(data)) {
				t.Errorf("%d bytes of %d", n, len(data))
			}
		}
	})
}
