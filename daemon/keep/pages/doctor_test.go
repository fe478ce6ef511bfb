package pages

import (
	"strings"
	"testing"

	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/lab/webtest"
)

// TestDoctorPage shows what is broken first.
func TestDoctorPage(t *testing.T) {
	f := newFixture(t)
	f.Report = doctor.Report{At: f.Clock, Checks: []doctor.Check{
		{ID: "a", Name: "A", State: doctor.Good, Says: "Fine."},
		{ID: "b", Name: "B", State: doctor.Note, Says: "Off.", Fix: "Switch it on.", Page: "/tonight"},
		{ID: "c", Name: "C", State: doctor.Broken, Says: "Gone.", More: []string{"one", "two"}, Fix: "Mend it."},
	}}
	d := f.Page(t, "/doctor")
	if f.Limit >= 0 {
		t.Errorf("the check of the database has the limit %s", f.Limit)
	}
	if got := webtest.Text(d.Find(".checks > li").First().Find("h2")); got != "C broken" {
		t.Errorf("first comes %q", got)
	}
	if webtest.Text(d.Find(".lead")) != "1 thing does not work. Each says how to mend it." || d.Find(".fix a[href='/tonight']").Length() != 1 {
		t.Errorf("it says %q", webtest.Text(d.Find("main")))
	}
	for _, path := range []string{"/settings", "/no-such-page"} {
		if w := f.Get(path); !strings.Contains(w.Body.String(), `href="/doctor"`) {
			t.Errorf("%s does not lead to the doctor", path)
		}
	}
}
