package wordnet

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
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
	inner := entry{name: "../../inner.tar.gz", text: string(tgzOf(t, all...))}
	for kind, data := range map[string][]byte{"one": tgzOf(t, all...), "within another": tgzOf(t, inner)} {
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
	big := tgzOf(t, entry{name: "dict/data.noun", text: strings.Repeat("\x00", maxFile+1)})
	filler := tarOf(t, entry{name: "filler", text: strings.Repeat("\x00", 32<<20)})[:32<<20+512]
	many := bytes.Repeat(gzipped(t, filler), maxUnpacked/len(filler)+1) // gzip members, which are read as one
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"file.tar.gz":    {big, "data.noun has more than"},
		"inner.tar.gz":   {tgzOf(t, entry{name: "inner.tar.gz", text: string(big)}), "data.noun has more than"},
		"filler.tar.gz":  {many, "it unpacks to more than 256 MiB"},
		"inner filler":   {tgzOf(t, entry{name: "inner.tar.gz", text: string(many)}), "it unpacks to more than 256 MiB"},
		"matryoshka":     {tgzOf(t, entry{name: "a.tar.gz", text: string(tgzOf(t, entry{name: "b.tar.gz", text: string(tgzOf(t, tinyEntries(t, "")...))}))}), "has no data.noun"},
		"licence of tar": {tgzOf(t, entry{name: "LICENSE", text: strings.Repeat("x", maxNotice+1)}), "LICENSE has more than"},
		"sparse tar":     {gzipped(t, sparse(t)), "data.noun has more than"},
		"half a header":  {[]byte("\x1f\x8b\x08"), "ends too early"},
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

// TestTruncated: an archive that was cut anywhere is refused, and what was there stays.
func TestTruncated(t *testing.T) {
	l, _ := library(t)
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	before := l.Fingerprint()
	for kind, data := range archives(t) {
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

// TestDamagedBytes: bytes anywhere in an archive are changed. It is refused as a problem, or gives the same WordNet.
func TestDamagedBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 1))
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
			case err == nil && l.Fingerprint() != whole:
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
