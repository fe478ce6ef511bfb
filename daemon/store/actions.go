package store

import (
	"nightjar/daemon/db"
)

// Kinds of actions besides the marks.
const (
	ActionRefuse = "refuse" // a site
	ActionAllow  = "allow"  // a site that was refused
)

// PruneActions deletes the actions whose finds are all gone.
func PruneActions(w *db.Work) {
	w.Exec(`DELETE FROM actions WHERE site = '' AND NOT EXISTS (SELECT 1 FROM feedback WHERE action_id = actions.id)
		AND NOT EXISTS (SELECT 1 FROM feedback WHERE undoes = actions.id)`)
}
