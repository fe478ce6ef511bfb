package doctor

import (
	"context"

	"nightjar/daemon/morning/notice"
)

// notices says whether the last notices about new finds reached the person.
func (e *examiner) notices(ctx context.Context) Check {
	c := Check{ID: "notices", Name: "Notices", State: Good, Says: "Off.", Page: "/settings#notices"}
	wanted, password, err := notice.Load(ctx, e.Store)
	if err != nil {
		return e.failed(c, err)
	}
	sent, err := notice.LoadSent(ctx, e.Store)
	if err != nil {
		return e.failed(c, err)
	}
	if !wanted.Desktop && !wanted.Mail {
		return c
	}
	c.Says = "The last ones were sent."
	if sent.Desktop.At.IsZero() && sent.Mail.At.IsZero() {
		c.Says = "None was sent yet. Settings can send a test."
	}
	if wanted.Mail && wanted.SMTP.User != "" && !password {
		c.State, c.Says = Note, "The mail server has a user but no password: backups hold none."
		c.Fix = "Type the password again in the settings, or leave the user empty."
	}
	for _, one := range []struct {
		name string
		on   bool
		notice.Channel
	}{{"on the desktop", wanted.Desktop, sent.Desktop}, {"by mail", wanted.Mail, sent.Mail}} {
		if one.on && one.Problem != "" {
			c.State, c.Says = Broken, "The last notice "+one.name+" failed, "+e.when(one.At)+"."
			c.More = append(c.More, sentence(printable(one.Problem)))
			c.Fix = sentence(printable(one.Fix))
		}
	}
	return c
}
