package kills

import (
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// TestKeeping ends the daemon while it makes a backup of its own. Each file with the name of a backup is a whole one, and the
// next start leaves no other.
func TestKeeping(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	rounds(t, kills(), placesOf(keeping), func(t *testing.T, place string) {
		data := fullFolder(t)
		l := serve(t, at(place, 1), data)
		if l.ready() {
			_ = login(t, l).post(t, "/settings/backups/make", nil) // the backup is made when it was answered
		}
		l.dies()
		sound(t, database(data))
		mustServe(t, data).stop()
		onlyOwnFiles(t, data)
		all, err := filepath.Glob(filepath.Join(data, "backups", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range all {
			if !strings.HasSuffix(file, ".nightjar.zip") {
				t.Errorf("left over: %s", file)
				continue
			}
			elsewhere := filepath.Join(t.TempDir(), "data")
			restore(t, file, elsewhere)
			same(t, "what the backup holds", rowsOf(t, elsewhere), rowsOf(t, data))
		}
		if place == "weekly-backup.named" && len(all) != 1 {
			t.Errorf("%d backups", len(all))
		}
	})
}
