package notice

import (
	"context"
	"net"
	netmail "net/mail"
	"strings"
	"time"

	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
)

// SecretSetting is the setting with the password of the mail server. Backups leave it out by the first part of its name.
const SecretSetting = "secret.smtp"

// Keys of the other settings.
const (
	configKey = "notices"
	sentKey   = "notices.sent"
)

// Config says which notices the person wants.
type Config struct {
	Desktop bool `json:"desktop"`
	Mail    bool `json:"mail"`
	SMTP    SMTP `json:"smtp"`
}

// TLS modes of a mail server.
const (
	StartTLS = "starttls" // TLS after the greeting; usually port 587
	TLS      = "tls"      // TLS from the first byte; usually port 465
	NoTLS    = "none"     // only for servers on this computer
)

// SMTP is how mail is sent. The password is not part of it.
type SMTP struct {
	Host string `json:"host"`
	Port int    `json:"port"`
	TLS  string `json:"tls"`
	User string `json:"user"` // "" sends without a login
	From string `json:"from"`
	To   string `json:"to"`
}

// FieldError is a wrong field of Config. Both texts are for the person; Field is the name of the form's field.
type FieldError struct{ Field, Text string }

func (e FieldError) Error() string { return e.Text }

// Validate returns what is wrong. Without mail, the fields of the mail server may be anything.
func (c Config) Validate() (wrong []FieldError) {
	if !c.Mail {
		return nil
	}
	bad := func(field, text string) { wrong = append(wrong, FieldError{field, text}) }
	if c.SMTP.Host == "" || len(c.SMTP.Host) > 253 || strings.ContainsAny(c.SMTP.Host, " /@\r\n\t") {
		bad("smtp_host", "Name the mail server, such as smtp.example.org.")
	}
	if c.SMTP.Port < 1 || c.SMTP.Port > 65535 {
		bad("smtp_port", "The port must be a number from 1 to 65535; most servers use 587 or 465.")
	}
	switch {
	case c.SMTP.TLS != StartTLS && c.SMTP.TLS != TLS && c.SMTP.TLS != NoTLS:
		bad("smtp_tls", "Choose how the connection is encrypted.")
	case c.SMTP.TLS == NoTLS && !onThisComputer(c.SMTP.Host):
		bad("smtp_tls", "Without encryption, only a server on this computer can be used.")
	}
	for _, a := range []struct{ field, value string }{{"smtp_from", c.SMTP.From}, {"smtp_to", c.SMTP.To}} {
		if one, err := netmail.ParseAddress(a.value); err != nil || one.Address != a.value {
			bad(a.field, "This must be a mail address, such as me@example.org.")
		}
	}
	return wrong
}

func onThisComputer(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Sent is what became of the last notices.
type Sent struct {
	Desktop Channel `json:"desktop"`
	Mail    Channel `json:"mail"`
}

// Channel is one way of sending.
type Channel struct {
	Seen    int64     `json:"seen"`    // finds up to this id were told, or were there when the channel was switched on
	At      time.Time `json:"at"`      // of the last try; zero if there was none
	Tries   int       `json:"tries"`   // failed ones in a row
	Problem string    `json:"problem"` // of the last try, "" if it succeeded
	Fix     string    `json:"fix"`
}

// Load reads the configuration, and whether a password is stored.
func Load(ctx context.Context, st *store.Store) (c Config, password bool, err error) {
	c = Config{SMTP: SMTP{Port: 587, TLS: StartTLS}}
	if _, err = st.Setting(ctx, configKey, &c); err != nil {
		return c, false, err
	}
	secret, err := loadPassword(ctx, st)
	return c, secret != "", err
}

func loadPassword(ctx context.Context, st *store.Store) (secret string, err error) {
	_, err = st.Setting(ctx, SecretSetting, &secret)
	return secret, err
}

// LoadSent reads what became of the last notices.
func LoadSent(ctx context.Context, st *store.Store) (s Sent, err error) {
	_, err = st.Setting(ctx, sentKey, &s)
	return s, err
}

// save is Runner.Save.
func save(ctx context.Context, st *store.Store, c Config, password *string) error {
	old, _, err := Load(ctx, st)
	if err != nil {
		return err
	}
	sent, err := LoadSent(ctx, st)
	if err != nil {
		return err
	}
	_, last, err := finds.NewAfter(ctx, st.DB, 0)
	if err != nil {
		return err
	}
	if c.Desktop && !old.Desktop {
		sent.Desktop = Channel{Seen: last}
	}
	if c.Mail && !old.Mail {
		sent.Mail = Channel{Seen: last}
	}
	if err := st.SetSetting(ctx, sentKey, sent); err != nil {
		return err
	}
	if password != nil {
		if err := st.SetSetting(ctx, SecretSetting, *password); err != nil {
			return err
		}
	}
	return st.SetSetting(ctx, configKey, c)
}
