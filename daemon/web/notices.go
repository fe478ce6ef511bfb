package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"nightjar/daemon/morning/notice"
	"nightjar/daemon/web/frame"
)

// noticesPart is the section of Settings about notices.
type noticesPart struct {
	notice.Config
	Password bool // one is stored
	Sent     notice.Sent
}

// Channels are the ways of sending that were tried.
func (p noticesPart) Channels() (all []sentLine) {
	for _, one := range []sentLine{{"The notice on the desktop", p.Sent.Desktop}, {"The mail", p.Sent.Mail}} {
		if !one.At.IsZero() {
			all = append(all, one)
		}
	}
	return all
}

// sentLine is what became of the last notice of one kind.
type sentLine struct {
	Name string
	notice.Channel
}

func (s *Server) noticesPart(ctx context.Context) (p noticesPart, err error) {
	if p.Config, p.Password, err = notice.Load(ctx, s.Store); err != nil {
		return p, err
	}
	p.Sent, err = notice.LoadSent(ctx, s.Store)
	return p, err
}

// handleNoticesSave stores which notices the person wants. An empty password keeps the stored one.
func (s *Server) handleNoticesSave(w http.ResponseWriter, r *http.Request) error {
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	port, err := strconv.Atoi(v("smtp_port"))
	if err != nil {
		port = 0
	}
	c := notice.Config{Desktop: v("desktop") == "on", Mail: v("mail") == "on", SMTP: notice.SMTP{
		Host: v("smtp_host"), Port: port, TLS: v("smtp_tls"), User: v("smtp_user"), From: v("smtp_from"), To: v("smtp_to")}}
	wrong := frame.Problems{}
	for _, f := range c.Validate() {
		wrong[f.Field] = f.Text
	}
	if len(wrong) > 0 {
		return wrong
	}
	var password *string
	if given := r.PostFormValue("smtp_password"); given != "" {
		password = &given
	} else if v("smtp_forget") == "on" {
		password = new(string)
	}
	if err := s.Notices.Save(r.Context(), c, password); err != nil {
		return err
	}
	saved := "notices-saved"
	if !c.Desktop && !c.Mail {
		saved = "notices-off"
	}
	return frame.Done(w, r, "/settings", saved+"#notices")
}

// handleNoticesTest sends a test by the saved settings. The section shows what became of it.
func (s *Server) handleNoticesTest(w http.ResponseWriter, r *http.Request) error {
	if err := s.Notices.Test(r.Context()); err != nil {
		return err
	}
	return frame.Done(w, r, "/settings", "notices-tested#notices")
}
