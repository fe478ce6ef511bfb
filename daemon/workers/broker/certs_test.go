package broker

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCertificatesAreKeptAndRenewed: what is there is used, what ends soon or lacks a name is made anew, and a person's own is left.
func TestCertificatesAreKeptAndRenewed(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	open := func(names ...string) *certs {
		t.Helper()
		c, err := openCerts(dir, names, func() time.Time { return now })
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := open("192.0.2.1")
	serial := first.server.Leaf.SerialNumber
	if got := open("192.0.2.1").server.Leaf.SerialNumber; got.Cmp(serial) != 0 {
		t.Error("a certificate that is good was made anew")
	}
	if got := open("192.0.2.1", "host.example").server.Leaf; got.SerialNumber.Cmp(serial) == 0 || got.VerifyHostname("host.example") != nil {
		t.Error("a certificate without the name was kept")
	}
	running := open("192.0.2.1")
	ends := running.ends()
	now = ends.Add(-renewBefore / 3)
	if _, err := running.current(); err != nil || !running.ends().After(ends) {
		t.Errorf("a certificate that ends soon was not made anew: %v, ends %s", err, running.ends())
	}
	for _, name := range []string{authorityCert, authorityKey, serverCert, serverKey} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	// A server certificate of another authority is a person's own.
	other := t.TempDir()
	if _, err := openCerts(other, nil, func() time.Time { return now }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{serverCert, serverKey} {
		text, err := os.ReadFile(filepath.Join(other, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if own := open("192.0.2.1"); !own.own || own.name() != "" || own.roots != nil {
		t.Error("a person's own certificate was replaced")
	}
	if err := os.Remove(filepath.Join(dir, authorityKey)); err != nil {
		t.Fatal(err)
	}
	if _, err := openCerts(dir, nil, func() time.Time { return now }); err == nil {
		t.Error("an authority without its key was accepted")
	}
}
