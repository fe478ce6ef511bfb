package join

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nats-io/nkeys"

	"nightjar/crawler/work"
)

// maxInvite is the size of an invitation's file in bytes.
const maxInvite = 64 << 10

// Invite is all that a worker needs to join. Whoever has it can join as this worker.
type Invite struct {
	Name      string
	Addresses []string // HOST:PORT, any of which may answer
	Server    string   // name in the server's certificate, "" for the host of the address
	Seed      string   // of the worker's nkey
	Authority []byte   // PEM: the certificates that the server's is checked with; nil for those of the system
	Cert      []byte   // PEM: certificate of the worker
	Key       []byte   // PEM: its private key
}

// Types of the PEM blocks in a file; the others have the usual ones.
const (
	blockAuthority = "NIGHTJAR SERVER AUTHORITY"
	blockCert      = "CERTIFICATE"
	blockKey       = "PRIVATE KEY"
)

// Fingerprint returns the SHA-256 of the first certificate that the server is checked with, for people to compare; "" without one.
func (i Invite) Fingerprint() string {
	block, _ := pem.Decode(i.Authority)
	if block == nil {
		return ""
	}
	sum := sha256.Sum256(block.Bytes)
	return hex.EncodeToString(sum[:])
}

// Text returns the file of an invitation.
func (i Invite) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Invitation of a Nightjar worker. Keep it like a password: whoever has it can fetch pages in this name.\n")
	fmt.Fprintf(&b, "# On the other machine: nightjar worker --creds FILE\n")
	fmt.Fprintf(&b, "name: %s\n", i.Name)
	for _, a := range i.Addresses {
		fmt.Fprintf(&b, "address: %s\n", a)
	}
	if i.Server != "" {
		fmt.Fprintf(&b, "server: %s\n", i.Server)
	}
	if f := i.Fingerprint(); f != "" {
		fmt.Fprintf(&b, "fingerprint: %s\n", f)
	}
	fmt.Fprintf(&b, "seed: %s\n", i.Seed)
	for rest := i.Authority; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		b.Write(pem.EncodeToMemory(&pem.Block{Type: blockAuthority, Bytes: block.Bytes}))
	}
	b.Write(i.Cert)
	b.Write(i.Key)
	return b.Bytes()
}

// ReadFile reads the file of an invitation.
func ReadFile(path string) (Invite, error) {
	f, err := os.Open(path)
	if err != nil {
		return Invite{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxInvite+1))
	if err != nil {
		return Invite{}, err
	}
	i, err := Parse(text)
	if err != nil {
		return i, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

// ErrInvite is wrapped by the errors of Parse.
var ErrInvite = errors.New("this is not an invitation of a Nightjar worker; make one with: nightjar worker invite NAME")

// Parse reads the text of an invitation and checks it.
func Parse(text []byte) (Invite, error) {
	var i Invite
	if len(text) > maxInvite {
		return i, fmt.Errorf("%w (it is too long)", ErrInvite)
	}
	head, fingerprint := text, ""
	if at := bytes.Index(text, []byte("-----BEGIN")); at >= 0 {
		head, text = text[:at], text[at:]
	}
	for line := range strings.Lines(string(head)) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		switch key {
		case "name":
			i.Name = value
		case "address":
			i.Addresses = append(i.Addresses, value)
		case "server":
			i.Server = value
		case "fingerprint":
			fingerprint = value
		case "seed":
			i.Seed = value
		}
	}
	i.blocks(text)
	return i, i.check(fingerprint)
}

// blocks takes the certificates and the key.
func (i *Invite) blocks(rest []byte) {
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return
		}
		switch block.Type {
		case blockAuthority:
			i.Authority = append(i.Authority, pem.EncodeToMemory(&pem.Block{Type: blockCert, Bytes: block.Bytes})...)
		case blockCert:
			i.Cert = append(i.Cert, pem.EncodeToMemory(block)...)
		case blockKey:
			i.Key = append(i.Key, pem.EncodeToMemory(block)...)
		}
	}
}

func (i Invite) check(fingerprint string) error {
	if problem := work.NameProblem(i.Name); problem != "" {
		return fmt.Errorf("%w (%s)", ErrInvite, problem)
	}
	if pair, err := nkeys.FromSeed([]byte(i.Seed)); err != nil {
		return fmt.Errorf("%w (its seed: %w)", ErrInvite, err)
	} else if public, err := pair.PublicKey(); err != nil || !nkeys.IsValidPublicUserKey(public) {
		return fmt.Errorf("%w (its seed is not that of a user)", ErrInvite)
	}
	if f := i.Fingerprint(); f != fingerprint {
		return fmt.Errorf("%w (the fingerprint %s does not fit the certificate, whose fingerprint is %s)", ErrInvite, fingerprint, f)
	}
	if len(i.Addresses) == 0 {
		return fmt.Errorf("%w (it has no address)", ErrInvite)
	}
	if _, err := i.TLS(); err != nil {
		return fmt.Errorf("%w (%w)", ErrInvite, err)
	}
	return nil
}

// TLS returns how the worker and the server check each other.
func (i Invite) TLS() (*tls.Config, error) {
	cert, err := tls.X509KeyPair(i.Cert, i.Key)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}, ServerName: i.Server}
	if len(i.Authority) > 0 {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(i.Authority) {
			return nil, errors.New("the certificate of the server's authority cannot be read")
		}
	}
	return c, nil
}
