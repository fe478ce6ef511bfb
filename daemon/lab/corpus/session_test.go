package corpus

import (
	"testing"

	"nightjar/daemon/browse/protocol"
)

// TestSessionsDiffer: sessions that are made of different webs, or of other starts, have no id in common, so that each can be imported; the
// same input gives the same session.
func TestSessionsDiffer(t *testing.T) {
	made := map[string]string{} // from an id to the session that has it
	for name, page := range map[string]string{"one": "/forest", "other": "/harbour"} {
		walk := func() ([]protocol.Event, Summary) {
			replay := open(t, record(t, site{"/": "/b " + page, "/b": "/c", "/c": ""}, "/", "/b", "/c"))
			labels, err := ReadLabels([]string{file(t, "labels.tsv", host+"/c\tgood\n")})
			if err != nil {
				t.Fatal(err)
			}
			events, summary, err := Walk(t.Context(), replay, labels, WalkOptions{
				Topic: "Topic", Relevant: "good", Starts: []string{host + "/"}, Pages: 3, Targets: 1, Seed: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			return events, summary
		}
		events, summary := walk()
		again, _ := walk()
		for i, e := range events {
			if e.Session != summary.Session || e.ID != again[i].ID || e.Page != again[i].Page {
				t.Fatalf("%s: event %d is %+v, then %+v, of session %s", name, i, e, again[i], summary.Session)
			}
			if err := protocol.Validate(e); err != nil {
				t.Errorf("%s: event %d: %v", name, i, err)
			}
		}
		for _, e := range events {
			for _, id := range []string{e.ID, e.Session, e.Client, e.Page} {
				if id != "" && made[id] != "" && made[id] != name {
					t.Errorf("both have the id %s", id)
				}
				made[id] = name
			}
		}
	}
}
