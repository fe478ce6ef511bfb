package archive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nightjar/crawler"
)

// TestKilled truncates the open file at many places, like a power cut: exactly the complete records stay, and writing
// continues.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	one := mustWrite(t, a, got("http://a.test/1", 200, "one"))
	two := mustWrite(t, a, got("http://a.test/2", 200, "two"))
	name := filepath.Join(dir, one.File)
	data, err := os.ReadFile(name + openSuffix)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(data); cut += 41 {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, one.File+openSuffix), data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, one.File+newSuffix), data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		b := mustOpen(t, dir, &shown{night}, 0)
		kept, err := os.ReadFile(filepath.Join(dir, one.File))
		if err != nil && int64(cut) >= one.Offset || string(kept) != string(data[:len(kept)]) {
			t.Fatalf("cut at %d: %v, %d bytes kept", cut, err, len(kept))
		}
		for i, p := range []crawler.Place{one, two} {
			_, err := b.Read(p, "")
			if int64(len(kept)) > p.Offset && err != nil || int64(len(kept)) <= p.Offset && !errors.Is(err, ErrGone) {
				t.Fatalf("cut at %d, record %d: %v", cut, i+1, err)
			}
		}
		if next := mustWrite(t, b, got("http://a.test/3", 200, "three")); next.File == one.File && len(kept) > 0 {
			t.Fatalf("cut at %d: the next record went to the same file", cut)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		_ = records(t, dir) // none of it damaged
		if rest, _ := filepath.Glob(filepath.Join(dir, "*"+newSuffix)); len(rest) > 0 {
			t.Fatal("what was to replace a file is still there")
		}
	}
}
