package notice

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"time"

	"github.com/wneessen/go-mail"

	"nightjar/daemon/base/terminal"
)

// mailTime is the time after which a server that does not answer is given up.
const mailTime = 30 * time.Second

// Mail sends a notice by SMTP. Its error is a Failure.
func Mail(ctx context.Context, s SMTP, password string, t Text) error {
	return mailWith(ctx, s, password, t, nil)
}

// mailWith is Mail with the certificates that are trusted; nil means those of the system.
func mailWith(ctx context.Context, s SMTP, password string, t Text, trusted *x509.CertPool) error {
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(s.From), m.To(s.To)); err != nil {
		return &Failure{"the mail could not be written: " + err.Error(), "check the addresses"}
	}
	m.Subject("Nightjar: " + t.Title)
	m.SetDate()
	m.SetMessageID()
	m.SetBodyString(mail.TypeTextPlain, t.Title+".\n"+t.Body+"\n\nOpen the dashboard with: "+terminal.Command("open")+"\n"+
		"You get this mail because you asked for it in Nightjar's settings, under Notices.\n")
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(mailTime), mail.WithHELO("localhost"),
		mail.WithTLSConfig(&tls.Config{ServerName: s.Host, RootCAs: trusted, MinVersion: tls.VersionTLS12})}
	switch s.TLS {
	case TLS:
		options = append(options, mail.WithSSL())
	case NoTLS:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.User != "" {
		auth := mail.SMTPAuthAutoDiscover
		if s.TLS == NoTLS { // only on this computer, see Config.Validate
			auth = mail.SMTPAuthPlainNoEnc
		}
		options = append(options, mail.WithSMTPAuth(auth), mail.WithUsername(s.User), mail.WithPassword(password))
	}
	client, err := mail.NewClient(s.Host, options...)
	if err != nil {
		return &Failure{"the mail could not be sent: " + err.Error(), "check the mail server's settings"}
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		_ = client.Close() // a failed greeting leaves the connection open; it may also be closed already
		return mailFailure(s, err)
	}
	return nil
}

// mailFailure says what to do about an error of the mail server.
func mailFailure(s SMTP, err error) *Failure {
	problem := fmt.Sprintf("the mail could not be sent: %.300s", err)
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		return &Failure{problem, "check the name of the mail server, and that the computer is online"}
	case errors.As(err, &cert):
		return &Failure{problem, "use the name that is on the server's certificate"}
	case errors.As(err, &op) && op.Op == "dial":
		return &Failure{problem, fmt.Sprintf("check that the server takes mail on port %d; most use 587 with STARTTLS or 465 with TLS", s.Port)}
	case isAuth(err):
		return &Failure{problem, "check user and password; many providers want a password made for one program"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{problem, "check the port and the kind of encryption: the server did not answer in time"}
	}
	return &Failure{problem, "check port, encryption and addresses, then send a test"}
}

// isAuth reports whether a server refused the login (RFC 4954, 6).
func isAuth(err error) bool {
	code := 0
	if answer, ok := errors.AsType[*textproto.Error](err); ok {
		code = answer.Code
	} else if refused, ok := errors.AsType[*mail.SendError](err); ok {
		code = refused.ErrorCode()
	}
	return code == 530 || code == 534 || code == 535 || code == 538
}
