package pages

import (
	"context"
	"net/http"
	"time"

	"nightjar/daemon/chart"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/web/frame"
)

// doctorPage shows the results of the doctor's checks.
type doctorPage struct {
	doctor.Report
	Order []doctor.Check // worst first
	Wait  *frame.Waiting // nil unless the database is still being checked
}

func doctorPageOf(report doctor.Report) doctorPage {
	p := doctorPage{Report: report}
	for _, state := range []doctor.State{doctor.Broken, doctor.Unknown, doctor.Note, doctor.Good} {
		for _, c := range p.Checks {
			if c.State == state {
				c.Says, c.Fix = frame.Whole(c.Says), frame.Whole(c.Fix)
				p.Order = append(p.Order, c)
			}
		}
	}
	return p
}

// handleDoctor shows the results of the doctor's checks. The check of the database reads the whole file: if it takes longer than
// a glance, the page says so, and its script asks again for the part with the checks.
func (s *server) handleDoctor(w http.ResponseWriter, r *http.Request) error {
	report, wait, err := frame.Counted(r.Context(), s.Checks, "doctor", func(ctx context.Context) (doctor.Report, error) {
		return s.Examine(ctx, -1), nil
	})
	if err != nil {
		return err
	}
	if wait != nil {
		report = s.Examine(r.Context(), time.Nanosecond)
		unchecked(report.Checks, wait)
	}
	p := doctorPageOf(report)
	p.Wait = wait
	return s.Show(w, r, "doctor", "checks", frame.Layout{Title: "Doctor", Section: "settings"}, p)
}

// unchecked says of the database that it is being checked, unless it could not be opened.
func unchecked(checks []doctor.Check, w *frame.Waiting) {
	for i, c := range checks {
		if c.ID == "database" && c.State != doctor.Broken {
			checks[i] = doctor.Check{ID: c.ID, Name: c.Name, State: doctor.Unknown,
				Says: "The whole file is being read, for " + frame.Duration(w.For) + " so far."}
		}
	}
}

// Lead sums the report up.
func (p doctorPage) Lead() string {
	broken, notes := p.Count(doctor.Broken), p.Count(doctor.Note)+p.Count(doctor.Unknown)
	if p.Wait != nil {
		notes--
	}
	says := "Everything is well."
	switch {
	case broken > 0:
		says = chart.Plural(broken, "thing does not work.", "things do not work.") + " Each says how to mend it."
	case notes > 0:
		says = "Everything works. " + chart.Plural(notes, "note", "notes") + " may interest you."
	}
	if p.Wait != nil {
		says += " The database is still being checked."
	}
	return says
}
