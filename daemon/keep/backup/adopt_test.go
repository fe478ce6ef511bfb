package backup

import (
	"testing"

	"nightjar/daemon/store/storetest"
)

// TestAdopt: a database that was just opened takes over what belongs to the computer from one that is in use.
func TestAdopt(t *testing.T) {
	present, restored := storetest.Open(t), storetest.Open(t)
	storetest.OK(t, present.SetSetting(t.Context(), "dashboard.host", "nightjar-1.localhost"))
	storetest.OK(t, present.SetSetting(t.Context(), "room", "kitchen"))
	storetest.OK(t, Adopt(t.Context(), restored.DB, present.Path()))
	host, room := "", ""
	for key, value := range map[string]*string{"dashboard.host": &host, "room": &room} {
		if _, err := restored.Setting(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	if host != "nightjar-1.localhost" || room != "" {
		t.Errorf("host %q, room %q", host, room)
	}
	storetest.OK(t, restored.SetSetting(t.Context(), "room", "bath")) // nothing is in doubt
}
