package notice

import (
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/finds"
)

// TestHostileTopics: names of topics are lines of text in mails and notices, whatever they try to be.
func TestHostileTopics(t *testing.T) {
	for _, text := range hostile.Texts(t) {
		notice := Of([]finds.TopicCount{{Topic: text, Finds: 2}, {Topic: "x", Finds: 1}})
		if notice.Title != "3 new finds" || strings.ContainsAny(notice.Body, "\r\n\x00") || !strings.HasSuffix(notice.Body, ": 2, x: 1") {
			t.Errorf("%q became %q", text, notice.Body)
		}
		for _, system := range []string{"linux", "darwin", "windows"} {
			n, plain := notifierOf(system, notice), notifierOf(system, Text{notice.Title, "plain"})
			if len(n.args) != len(plain.args) || n.name != plain.name || !slices.Equal(n.args[:len(n.args)-1], plain.args[:len(plain.args)-1]) {
				t.Errorf("%q changes the command on %s: %q", text, system, n.args)
			}
			if system == "linux" && strings.ContainsAny(n.args[len(n.args)-1], "<>") {
				t.Errorf("%q is markup: %q", text, n.args)
			}
			if strings.ContainsRune(strings.Join(append(n.args, n.env...), ""), 0) {
				t.Errorf("%q: a NUL ends the command on %s", text, system)
			}
		}
	}
}

// TestHostileMail sends mails whose texts try to be headers, recipients or commands of SMTP.
func TestHostileMail(t *testing.T) {
	s := newSMTP(t, func(s *smtpServer) { s.plain = true })
	want := map[string]bool{"Date": true, "From": true, "To": true, "Subject": true, "Message-Id": true, "Mime-Version": true,
		"Content-Type": true, "Content-Transfer-Encoding": true}
	texts := hostile.Joined(t, 8)
	for i, text := range append(texts, "x\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n") {
		one := Text{"1 new find", oneLine(text)}
		if i%2 == 0 {
			one.Title = text // names of topics are never in the subject; it holds all the same
		}
		if err := mailWith(t.Context(), s.config(), "", one, nil); err != nil {
			t.Fatalf("%.60q: %v", text, err)
		}
		all := s.got()
		if len(all) != i+1 {
			t.Fatalf("%.60q: %d mails, not %d", text, len(all), i+1)
		}
		got := all[i]
		if !strings.Contains(got.from, "<me@example.org>") || !strings.Contains(got.to, "<you@example.org>") || strings.Contains(got.to, "evil") {
			t.Errorf("%.60q: from %q to %q", text, got.from, got.to)
		}
		m, err := netmail.ReadMessage(strings.NewReader(got.data))
		if err != nil {
			t.Fatalf("%.60q: %v", text, err)
		}
		for name := range m.Header {
			if !want[name] {
				t.Errorf("%.60q brought the header %s", text, name)
			}
		}
		if _, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
			t.Errorf("%.60q: subject: %v", text, err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		if err != nil || !strings.Contains(string(body), "You get this mail because you asked for it") {
			t.Errorf("%.60q: %.200q %v", text, body, err)
		}
	}
}
