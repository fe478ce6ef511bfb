package broker

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"nightjar/crawler/durable"
)

// Files of a folder of certificates. The authority signs the certificates of workers, and that of the server unless a person put an
// own one there.
const (
	authorityCert = "authority.crt"
	authorityKey  = "authority.key"
	serverCert    = "server.crt"
	serverKey     = "server.key"
	serverRoots   = "server-authority.crt" // by which workers check a person's own server.crt; those of the system without it
)

// Times of certificates. A worker's lasts as long as the authority, since its invitation can be revoked.
const (
	authorityLasts = 10 * 365 * 24 * time.Hour
	serverLasts    = 365 * 24 * time.Hour
	renewBefore    = 60 * 24 * time.Hour
	clockSlack     = 24 * time.Hour // by which the clock of another machine may be behind
)

// serverName is in each server certificate that is made here. Workers ask for it, so the server may have any address.
const serverName = "nightjar"

// certs are the certificates of the daemon's own broker.
type certs struct {
	dir   string
	now   func() time.Time
	names []string // hosts and addresses for the server's certificate

	authority    *x509.Certificate
	authorityKey *ecdsa.PrivateKey
	roots        []byte // PEM for invitations; nil for the system's

	mu     sync.Mutex
	server *tls.Certificate
	own    bool // the server's certificate is a person's
}

// openCerts reads the certificates of a folder, and makes those that are missing.
func openCerts(dir string, names []string, now func() time.Time) (*certs, error) {
	c := &certs{dir: dir, now: now, names: names}
	if err := durable.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make the folder of certificates: %w", err)
	}
	if err := c.openAuthority(); err != nil {
		return nil, fmt.Errorf("certificates in %s: %w", dir, err)
	}
	if err := c.openServer(); err != nil {
		return nil, fmt.Errorf("certificates in %s: %w", dir, err)
	}
	return c, nil
}

func (c *certs) openAuthority() error {
	pair, err := c.load(authorityCert, authorityKey)
	if errors.Is(err, fs.ErrNotExist) {
		pair, err = c.make(authorityCert, authorityKey, &x509.Certificate{
			Subject: pkix.Name{CommonName: "Nightjar workers"}, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
			KeyUsage: x509.KeyUsageCertSign,
		}, authorityLasts)
	}
	if err != nil {
		return err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok || !pair.Leaf.IsCA {
		return fmt.Errorf("%s is not an authority made by Nightjar; name another folder", authorityCert)
	}
	c.authority, c.authorityKey = pair.Leaf, key
	return nil
}

// openServer reads the server's certificate, and makes it anew when it ends soon or names are missing in it. A person's own one,
// which another authority signed, is left alone.
func (c *certs) openServer() error {
	pair, err := c.load(serverCert, serverKey)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && pair.Leaf.CheckSignatureFrom(c.authority) != nil {
		c.roots, err = os.ReadFile(filepath.Join(c.dir, serverRoots))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.server, c.own = pair, true
		return nil
	}
	c.roots = pemOf("CERTIFICATE", c.authority.Raw)
	if err == nil && c.now().Before(pair.Leaf.NotAfter.Add(-renewBefore)) && c.covers(pair.Leaf) {
		c.server = pair
		return nil
	}
	return c.renew()
}

func (c *certs) covers(leaf *x509.Certificate) bool {
	return !slices.ContainsFunc(c.names, func(name string) bool { return leaf.VerifyHostname(name) != nil })
}

func (c *certs) renew() error {
	t := &x509.Certificate{
		Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range c.names {
		if ip := net.ParseIP(name); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else if name != serverName {
			t.DNSNames = append(t.DNSNames, name)
		}
	}
	pair, err := c.make(serverCert, serverKey, t, serverLasts)
	if err == nil {
		c.server = pair
	}
	return err
}

// current returns the server's certificate, which is made anew while the server runs, before it ends.
func (c *certs) current() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.own && c.now().After(c.server.Leaf.NotAfter.Add(-renewBefore/2)) {
		if err := c.renew(); err != nil {
			return c.server, nil // the old one is valid for some time
		}
	}
	return c.server, nil
}

// ends returns when the server's certificate ends.
func (c *certs) ends() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server.Leaf.NotAfter
}

// name returns what workers look for in the server's certificate, "" for the host that they connect to.
func (c *certs) name() string {
	if c.own {
		return ""
	}
	return serverName
}

// worker makes a certificate for a worker.
func (c *certs) worker(name string) (cert, key []byte, err error) {
	return c.issue(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authorityLasts)
}

// make makes a certificate and stores it with its key.
func (c *certs) make(certFile, keyFile string, t *x509.Certificate, lasts time.Duration) (*tls.Certificate, error) {
	cert, key, err := c.issue(t, lasts)
	if err != nil {
		return nil, err
	}
	// The key first: a certificate without its key is an error, a key without certificate is replaced.
	if err := errors.Join(durable.WriteFile(filepath.Join(c.dir, keyFile), key), durable.WriteFile(filepath.Join(c.dir, certFile), cert)); err != nil {
		return nil, err
	}
	return pairOf(cert, key)
}

// issue signs a certificate; the authority's is signed by itself.
func (c *certs) issue(t *x509.Certificate, lasts time.Duration) (cert, key []byte, err error) {
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if t.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	t.NotBefore, t.NotAfter = c.now().Add(-clockSlack), c.now().Add(lasts)
	parent, signer := t, pair
	if c.authority != nil {
		parent, signer = c.authority, c.authorityKey
		if t.NotAfter.After(parent.NotAfter) {
			t.NotAfter = parent.NotAfter
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &pair.PublicKey, signer)
	if err != nil {
		return nil, nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		return nil, nil, err
	}
	return pemOf("CERTIFICATE", der), pemOf("PRIVATE KEY", private), nil
}

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func (c *certs) load(certFile, keyFile string) (*tls.Certificate, error) {
	cert, err := os.ReadFile(filepath.Join(c.dir, certFile))
	if err != nil {
		return nil, err
	}
	key, err := os.ReadFile(filepath.Join(c.dir, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is there and %s is not; put it there, or delete both", certFile, keyFile)
	}
	if err != nil {
		return nil, err
	}
	pair, err := pairOf(cert, key)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", certFile, keyFile, err)
	}
	return pair, nil
}

func pairOf(cert, key []byte) (*tls.Certificate, error) {
	pair, err := tls.X509KeyPair(bytes.TrimSpace(cert), bytes.TrimSpace(key))
	return &pair, err
}
