package notice

import (
	"context"

	"nightjar/daemon/keep/doctor"
)

// Check says whether the last notices about new finds reached the person.
func Check(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "notices", Name: "Notices", State: doctor.Good, Says: "Off.", Page: "/settings#notices"}
	wanted, password, err := Load(ctx, e.Store)
	if err != nil {
		return doctor.Failed(c, err)
	}
	sent, err := LoadSent(ctx, e.Store)
	if err != nil {
		return doctor.Failed(c, err)
	}
	if !wanted.Desktop && !wanted.Mail {
		return c
	}
	c.Says = "The last ones were sent."
	if sent.Desktop.At.IsZero() && sent.Mail.At.IsZero() {
		c.Says = "None was sent yet. Settings can send a test."
	}
	if wanted.Mail && wanted.SMTP.User != "" && !password {
		c.State, c.Says = doctor.Note, "The mail server has a user but no password: backups hold none."
		c.Fix = "Type the password again in the settings, or leave the user empty."
	}
	for _, one := range []struct {
		name string
		on   bool
		Channel
	}{{"on the desktop", wanted.Desktop, sent.Desktop}, {"by mail", wanted.Mail, sent.Mail}} {
		if one.on && one.Problem != "" {
			c.State, c.Says = doctor.Broken, "The last notice "+one.name+" failed, "+e.When(one.At)+"."
			c.More = append(c.More, doctor.Sentence(doctor.Printable(one.Problem)))
			c.Fix = doctor.Sentence(doctor.Printable(one.Fix))
		}
	}
	return c
}
