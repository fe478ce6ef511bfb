package web

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/web/frame"
)

// TestPagesDoNotWait: pages whose numbers take long are there at once, say that they count, and ask for the part again.
func TestPagesDoNotWait(t *testing.T) {
	s := seed(t)
	s.Report = doctor.Report{At: s.Clock, Checks: []doctor.Check{{ID: "database", Name: "Database", State: doctor.Good, Says: "Sound."}}}
	topic := fmt.Sprintf("/topics/%d/delete?count=1", s.Topic)
	paths := map[string]string{topic: "#plan", "/settings/erase?count=1&host=museum-of-calder.test": "#plan", "/settings/space?count=1": "#sizes", "/doctor": "#checks"}
	s.Counts.Wait, s.Checks.Wait = time.Nanosecond, time.Nanosecond
	other := make(chan struct{})
	for _, c := range []*frame.Counts{s.Counts, s.Checks} { // something else is counted
		began := make(chan struct{})
		if _, w, err := frame.Counted(t.Context(), c, "other", func(context.Context) (int, error) { close(began); <-other; return 0, nil }); w == nil || err != nil {
			t.Fatal(w, err)
		}
		<-began
	}
	for path, part := range paths {
		d := s.Page(t, path)
		if again, _ := d.Find(part + "[data-again]").Attr("data-load"); again != path {
			t.Errorf("%s: the part is asked for again at %q", path, again)
		}
		if path != "/doctor" && (d.Find(part+" progress").Length() != 1 || d.Find(part+` a[href="`+path+`"]`).Length() != 1) {
			t.Errorf("%s does not say that it counts, or has no way to look again", path)
		}
		if path == "/doctor" && d.Find("#check-database.unknown").Length() != 1 {
			t.Error("the database is not said to be unchecked")
		}
	}
	close(other)
	s.Counts.Wait, s.Checks.Wait = time.Minute, time.Minute
	for path, part := range paths {
		if d := s.Page(t, path); d.Find(part).Length() != 1 || d.Find("[data-again], progress").Length() != 0 {
			t.Errorf("%s still counts", path)
		}
	}
	s.Close()
	if w := s.Get(topic); w.Code != http.StatusInternalServerError {
		t.Errorf("after the end: %d", w.Code)
	}
}
