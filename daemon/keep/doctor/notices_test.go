package doctor_test

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"testing"
	"time"

	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// TestNotices: a mail server that refuses is told with what to do, and is well again after the next mail that it takes.
func TestNotices(t *testing.T) {
	o := well(t)
	want(t, o, "notices", doctor.Good, "Off")
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(closed.Addr().String())
	if err == nil {
		err = closed.Close()
	}
	n, aerr := strconv.Atoi(port)
	if err != nil || aerr != nil {
		t.Fatal(err, aerr)
	}
	r := &notice.Runner{Store: o.Store, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon }}
	c := notice.Config{Mail: true, SMTP: notice.SMTP{Host: "127.0.0.1", Port: n, TLS: notice.NoTLS, User: "me", From: "me@example.org", To: "me@example.org"}}
	if err := r.Save(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	want(t, o, "notices", doctor.Note, "no password")
	secret := "s3cret"
	if err := r.Save(t.Context(), c, &secret); err != nil {
		t.Fatal(err)
	}
	want(t, o, "notices", doctor.Good, "None was sent yet")
	if err := r.Test(t.Context()); err == nil {
		t.Fatal("a server that is not there took a mail")
	}
	want(t, o, "notices", doctor.Broken, "by mail failed, today at 12:00")
	if f := check(t, o, "notices"); len(f.More) != 1 {
		t.Errorf("%+v", f)
	}
	r.Mail = func(context.Context, notice.SMTP, string, notice.Text) error { return nil }
	if err := r.Test(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, o, "notices", doctor.Good, "were sent")
}

// TestMissedNight: a window that passed while the computer was off or asleep is told; not one before which the night was
// off, or no topic was ready.
func TestMissedNight(t *testing.T) {
	o := well(t)
	now := noon.AddDate(0, 0, -3)
	o.Store.Now = func() time.Time { return now }
	topic := mustTopic(t, o)
	if _, err := startpages.Add(t.Context(), o.Store.DB, topic, "http://a.test/"); err != nil {
		t.Fatal(err)
	}
	want(t, o, "last-night", doctor.Good, "none yet") // it is off
	mustSet(t, o, func(s *settings.Settings) { s.Night.Enabled = true })
	want(t, o, "last-night", doctor.Note, "The window of 2026-11-21 passed without a crawl")
	fresh := o
	fresh.Now = now.Add(time.Hour)
	want(t, fresh, "last-night", doctor.Good, "none yet") // switched on after that window
	crawl := crawls.Options{Starts: []string{"http://a.test/"}}
	m, err := models.Latest(t.Context(), o.Store.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crawls.Create(t.Context(), o.Store.DB, crawls.Crawl{TopicID: topic, ModelID: m.ID, Night: "2026-11-21", Strategy: "hmm", Options: crawl}); err != nil {
		t.Fatal(err)
	}
	want(t, o, "last-night", doctor.Good, "2026-11-21: 1 crawl")
}

// TestMute: a daemon that does not answer is told apart from one that is well.
func TestMute(t *testing.T) {
	o := well(t)
	o.Running = &doctor.Running{PID: 7, Mute: true}
	want(t, o, "daemon", doctor.Broken, "Stop it")
}
