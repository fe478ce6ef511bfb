package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"nightjar/daemon/notice"
)

// noticesPart is the section of Settings about notices.
type noticesPart struct {
	notice.Config
	Port     string // as typed
	Password bool   // one is stored
	Sent     notice.Sent
	Problems problems
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

// noticesPart is the section; a refused form is shown as it was typed, nil shows what is stored.
func (s *Server) noticesPart(ctx context.Context, refused *noticesPart) (p noticesPart, err error) {
	stored, password, err := notice.Load(ctx, s.Store)
	if err != nil {
		return p, err
	}
	p = noticesPart{Config: stored, Port: strconv.Itoa(stored.SMTP.Port)}
	if refused != nil {
		p = *refused
	}
	p.Password = password
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
	if wrong := c.Validate(); len(wrong) > 0 {
		p := noticesPart{Config: c, Port: v("smtp_port"), Problems: problems{}}
		for _, f := range wrong {
			p.Problems[f.Field] = f.Text
		}
		return s.refuseNotices(w, r, p)
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
	return done(w, r, "/settings", saved+"#notices")
}

// handleNoticesTest sends a test by the saved settings. The section shows what became of it.
func (s *Server) handleNoticesTest(w http.ResponseWriter, r *http.Request) error {
	err := s.Notices.Test(r.Context())
	if f, ok := errors.AsType[*notice.Failure](err); ok {
		return badInput{f.Error()}
	}
	if err != nil {
		return err
	}
	return done(w, r, "/settings", "notices-tested#notices")
}

// refuseNotices shows the settings again with the problem of each field of the notices.
func (s *Server) refuseNotices(w http.ResponseWriter, r *http.Request, p noticesPart) error {
	saved, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	return s.showSettingsWith(w, r, http.StatusUnprocessableEntity, formOf(saved), nil, refusedParts{Notices: &p})
}
