package app

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"fmt"
	"math/big"
	"time"
)

// The two sides of a control connection. Each proves by TLS 1.3 that it holds the secret of the run file: its certificate has a
// key that is derived from the secret, and the other side accepts no other certificate. The secret never crosses the
// connection, a recorded handshake is worth nothing, and who stands between the two sees and changes nothing: the proof
// is bound to the keys of the connection.
const (
	daemonSide  = "daemon.nightjar.invalid"
	commandSide = "command.nightjar.invalid"
)

// newSecret returns 256 random bits as text.
func newSecret() string {
	b := make([]byte, 32)
	rand.Read(b) // never returns an error
	return hex.EncodeToString(b)
}

// certificate returns the certificate of a side. It depends on the secret and the side alone, so that both sides can make both.
func certificate(secret, side string) (tls.Certificate, error) {
	seed, err := hkdf.Key(sha256.New, []byte(secret), nil, "nightjar control "+side, ed25519.SeedSize)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("derive the key of %s: %w", side, err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: side}, DNSNames: []string{side},
		NotBefore:   time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), // always valid: the clock of the machine may be wrong
		NotAfter:    time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key) // Ed25519 uses no randomness
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make the certificate of %s: %w", side, err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the certificate of %s: %w", side, err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}

// proving returns the TLS configuration by which the side own proves the secret and accepts the side other only.
func proving(secret, own, other string) (*tls.Config, error) {
	mine, err := certificate(secret, own)
	if err != nil {
		return nil, err
	}
	theirs, err := certificate(secret, other)
	if err != nil {
		return nil, err
	}
	only := x509.NewCertPool()
	only.AddCert(theirs.Leaf)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{mine}, SessionTicketsDisabled: true,
		ServerName: other, RootCAs: only, // for a command
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: only, // for the daemon
	}, nil
}
