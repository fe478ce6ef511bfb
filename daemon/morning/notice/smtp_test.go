package notice

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// smtpServer is a small mail server on loopback (RFC 5321, with STARTTLS and AUTH PLAIN).
type smtpServer struct {
	tls      *tls.Config
	trusted  *x509.CertPool
	port     int
	direct   bool   // TLS from the first byte
	plain    bool   // no TLS at all
	password string // "" takes mail without a login

	mu    sync.Mutex
	mails []received
}

// received is a mail as it came in.
type received struct {
	from, to, data string
	encrypted      bool
	user           string
}

func newSMTP(t *testing.T, change func(*smtpServer)) *smtpServer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := &smtpServer{trusted: x509.NewCertPool(), tls: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}}
	s.trusted.AddCert(parsed)
	if change != nil {
		change(s)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	var open sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() {
		l.Close()
		stop()
		open.Wait()
	})
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { c.Close() })
			open.Go(func() { s.serve(c) })
		}
	})
	return s
}

// config sends to the server.
func (s *smtpServer) config() SMTP {
	c := SMTP{Host: "127.0.0.1", Port: s.port, TLS: StartTLS, From: "me@example.org", To: "you@example.org"}
	switch {
	case s.direct:
		c.TLS = TLS
	case s.plain:
		c.TLS = NoTLS
	}
	if s.password != "" {
		c.User = "me"
	}
	return c
}

func (s *smtpServer) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mails
}

func (s *smtpServer) serve(c net.Conn) {
	defer func() { c.Close() }()
	var m received
	if s.direct {
		c, m.encrypted = tls.Server(c, s.tls), true
	}
	in := bufio.NewReader(c)
	say := func(format string, args ...any) { fmt.Fprintf(c, format+"\r\n", args...) }
	say("220 mail ready")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		verb, rest, _ := strings.Cut(line, " ")
		switch verb = strings.ToUpper(verb); {
		case verb == "EHLO":
			lines := []string{"mail"}
			if !m.encrypted && !s.plain {
				lines = append(lines, "STARTTLS")
			}
			if s.password != "" && (m.encrypted || s.plain) {
				lines = append(lines, "AUTH PLAIN")
			}
			for i, l := range lines {
				say("250%s%s", map[bool]string{true: " ", false: "-"}[i == len(lines)-1], l)
			}
		case verb == "STARTTLS":
			say("220 go on")
			c = tls.Server(c, s.tls)
			in, m.encrypted = bufio.NewReader(c), true
		case verb == "AUTH":
			_, given, _ := strings.Cut(rest, " ")
			text, _ := base64.StdEncoding.DecodeString(given)
			parts := strings.Split(string(text), "\x00")
			if len(parts) != 3 || parts[2] != s.password {
				say("535 5.7.8 wrong password")
				continue
			}
			m.user = parts[1]
			say("235 welcome")
		case verb == "MAIL" && s.password != "" && m.user == "":
			say("530 5.7.0 log in first")
		case verb == "MAIL":
			m.from = rest
			say("250 ok")
		case verb == "RCPT":
			m.to = rest
			say("250 ok")
		case verb == "DATA":
			say("354 go on")
			var data strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				data.WriteString(line)
			}
			m.data = data.String()
			s.mu.Lock()
			s.mails = append(s.mails, m)
			s.mu.Unlock()
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}
