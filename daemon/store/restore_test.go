package store

import "testing"

// TestAdopt: a database that was just opened takes over what belongs to the computer from one that is in use.
func TestAdopt(t *testing.T) {
	present, restored := open(t), open(t)
	ok(t, present.SetSetting(t.Context(), "dashboard.host", "nightjar-1.localhost"))
	ok(t, present.SetSetting(t.Context(), "room", "kitchen"))
	ok(t, restored.Adopt(t.Context(), present.Path()))
	host, room := "", ""
	for key, value := range map[string]*string{"dashboard.host": &host, "room": &room} {
		if _, err := restored.Setting(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	if host != "nightjar-1.localhost" || room != "" {
		t.Errorf("host %q, room %q", host, room)
	}
	ok(t, restored.SetSetting(t.Context(), "room", "bath")) // nothing is in doubt
}
