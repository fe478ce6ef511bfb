package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// certificate is a self-signed certificate for the names, valid from an hour ago until then.
func certificate(t *testing.T, until time.Time, names ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// mustTLS serves over TLS with the certificate, HTTP/2 included, and adds it to the authorities.
func mustTLS(t *testing.T, h http.HandlerFunc, roots *x509.CertPool, config *tls.Config) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.TLS, s.EnableHTTP2 = config, true
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // failed handshakes are expected
	s.StartTLS()
	t.Cleanup(s.Close)
	if c, err := x509.ParseCertificate(config.Certificates[0].Certificate[0]); err == nil {
		roots.AddCert(c)
	}
	return s.Listener.Addr().String()
}

// TestLiveHTTP2 fetches over HTTP/2, with one connection for all pages of a host.
func TestLiveHTTP2(t *testing.T) {
	var mu sync.Mutex
	from := map[string]bool{}
	roots := x509.NewCertPool()
	addr := mustTLS(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		from[r.RemoteAddr] = true
		mu.Unlock()
		switch r.URL.Path {
		case "/flood":
			for i := range 200 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
			}
		case "/abort":
			panic(http.ErrAbortHandler)
		case "/cut":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "cut")
			return
		case "/early":
			for range 20 {
				w.WriteHeader(http.StatusEarlyHints)
			}
		}
		say(r.Proto)(w, r)
	}, roots, &tls.Config{Certificates: []tls.Certificate{certificate(t, time.Now().Add(time.Hour), "a.test")}})
	l := NewLive(LiveOptions{RootCAs: roots, Keep: true, Resolve: []Resolve{{"*.test", addr}}})
	defer l.Close()
	for range 3 {
		got := l.Fetch(t.Context(), "https://a.test/x")
		last := got.Exchanges[len(got.Exchanges)-1]
		if got.Outcome != OK || string(got.Body) != "HTTP/2.0" || last.Proto != "HTTP/2.0" || last.Addr != "127.0.0.1" {
			t.Errorf("%+v", got)
		}
	}
	for path, want := range map[string]Outcome{"flood": Network, "abort": Network, "cut": Network, "early": OK, "x": OK} {
		if got := l.Fetch(t.Context(), "https://a.test/"+path); got.Outcome != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if len(from) > 2 { // the flood may cost one
		t.Errorf("%d connections", len(from))
	}
}

// TestLiveCertificates fetches from servers with bad certificates: no request is sent, however often one tries.
func TestLiveCertificates(t *testing.T) {
	page := func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was requested", r.Host+r.URL.Path)
		say("x")(w, r)
	}
	roots, none := x509.NewCertPool(), x509.NewCertPool()
	good := certificate(t, time.Now().Add(time.Hour), "old.test", "wrong.example", "unknown.test")
	expired := certificate(t, time.Now().Add(-time.Minute), "expired.test")
	resolve := []Resolve{
		{"expired.test", mustTLS(t, page, roots, &tls.Config{Certificates: []tls.Certificate{expired}})},
		{"wrong.test", mustTLS(t, page, roots, &tls.Config{Certificates: []tls.Certificate{good}})},
		{"unknown.test", mustTLS(t, page, none, &tls.Config{Certificates: []tls.Certificate{certificate(t, time.Now().Add(time.Hour), "unknown.test")}})},
		{"old.test", mustTLS(t, page, roots, &tls.Config{Certificates: []tls.Certificate{good}, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})},
	}
	l := NewLive(LiveOptions{RootCAs: roots, Resolve: resolve})
	defer l.Close()
	for _, r := range resolve {
		for range 2 {
			if got := l.Fetch(t.Context(), "https://"+r.Pattern+"/"); got.Outcome != Network || got.Status != 0 || got.Body != nil || got.Reason == "" {
				t.Errorf("%s: %+v", r.Pattern, got)
			}
		}
	}
}

// TestLiveKnownHTTPS uses only https for a host once it has answered over https.
func TestLiveKnownHTTPS(t *testing.T) {
	roots := x509.NewCertPool()
	addr := mustTLS(t, func(w http.ResponseWriter, r *http.Request) { say("over "+r.URL.Path+r.Proto)(w, r) }, roots,
		&tls.Config{Certificates: []tls.Certificate{certificate(t, time.Now().Add(time.Hour), "a.test")}})
	l := NewLive(LiveOptions{RootCAs: roots, Resolve: []Resolve{{"*.test", addr}}})
	defer l.Close()
	if got := l.Fetch(t.Context(), "http://a.test/x"); got.Outcome == OK { // the server speaks nothing but TLS
		t.Errorf("%+v", got)
	}
	if got := l.Fetch(t.Context(), "https://a.test/x"); got.Outcome != OK {
		t.Errorf("%+v", got)
	}
	got := l.Fetch(t.Context(), "http://a.test/x?a=b")
	if got.Outcome != OK || got.URL != "http://a.test/x?a=b" || got.FinalURL != "https://a.test/x?a=b" || got.Redirects != nil {
		t.Errorf("%+v", got)
	}
	for _, url := range []string{"http://b.test/", "http://a.test:8080/x"} {
		if got := l.Fetch(t.Context(), url); got.FinalURL != url {
			t.Errorf("%s was requested at %s", url, got.FinalURL)
		}
	}
}
