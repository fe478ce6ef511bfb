package days

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// web serves a recording on one address, whatever the host: http, and https with certificates of its own authority.
type web struct {
	address   string
	authority string // file of the certificate

	replay *recording.Replay
	lists  map[string][]string // recorded pages by host
	key    *ecdsa.PrivateKey
	root   *x509.Certificate
}

// serveWeb serves a recording until the test ends.
func serveWeb(t *testing.T, replay *recording.Replay) *web {
	t.Helper()
	w := &web{replay: replay, lists: map[string][]string{}, authority: filepath.Join(t.TempDir(), "authority.pem")}
	for _, url := range replay.Pages() {
		w.lists[weburl.Host(url)] = append(w.lists[weburl.Host(url)], url)
	}
	var err error
	if w.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	w.root = &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, w.root, w.root, w.key.Public(), w.key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(w.authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.address = l.Addr().String()
	server := &http.Server{Handler: w, ReadHeaderTimeout: patience, ErrorLog: log.New(io.Discard, "", 0)} // connections are dropped when a daemon ends
	go func() { _ = server.Serve(newEither(l, &tls.Config{GetCertificate: w.certificate})) }()            // until Close
	t.Cleanup(func() { _ = server.Close() })
	return w
}

// certificate makes the certificate of a host.
func (w *web) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	c := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{hello.ServerName}, NotBefore: w.root.NotBefore, NotAfter: w.root.NotAfter}
	der, err := x509.CreateCertificate(rand.Reader, c, w.root, w.key.Public(), w.key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: w.key}, err
}

// ServeHTTP answers as the recording does, and each host lists its pages. What it lacks, such as robots.txt, does not exist.
func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/sitemap.xml" {
		_, _ = io.WriteString(out, strings.Join(w.lists[r.Host], "\n"))
		return
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	got := w.replay.Fetch(r.Context(), scheme+r.Host+r.URL.RequestURI())
	switch {
	case got.Outcome != fetch.OK:
		http.Error(out, "There is no such page.", http.StatusNotFound)
	case got.FinalURL != got.URL:
		http.Redirect(out, r, got.FinalURL, http.StatusMovedPermanently)
	default:
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = out.Write(got.Body) // the client may have gone
	}
}

// either takes connections with TLS and without.
type either struct {
	net.Listener
	config *tls.Config
	ready  chan net.Conn
	failed chan error
}

func newEither(l net.Listener, config *tls.Config) *either {
	e := &either{l, config, make(chan net.Conn), make(chan error)}
	go e.take()
	return e
}

// take takes connections until the listener is closed. Which kind one is shows in its first byte, which may take long to come.
func (e *either) take() {
	for {
		c, err := e.Listener.Accept()
		if err != nil {
			e.failed <- err
			return
		}
		go func() {
			const handshake = 22
			in := bufio.NewReader(c)
			first, err := in.Peek(1)
			switch {
			case err != nil:
				_ = c.Close() // nobody asked for anything
			case first[0] == handshake:
				e.ready <- tls.Server(&begun{c, in}, e.config)
			default:
				e.ready <- &begun{c, in}
			}
		}()
	}
}

// Accept returns a connection on which a request comes.
func (e *either) Accept() (net.Conn, error) {
	select {
	case c := <-e.ready:
		return c, nil
	case err := <-e.failed:
		return nil, err
	}
}

// begun is a connection that was read from.
type begun struct {
	net.Conn
	in *bufio.Reader
}

func (b *begun) Read(p []byte) (int, error) { return b.in.Read(p) }
