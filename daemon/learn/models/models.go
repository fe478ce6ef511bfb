// Package models stores the versions of the models of topics.
package models

import (
	"context"
	"fmt"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Facts says what a version of a topic's model was trained on and what it learned. It is stored beside the bundle,
// so that lists need not decode bundles.
type Facts struct {
	model.Facts
	Gamma      float64  `json:"gamma"`
	Calibrated bool     `json:"calibrated"`
	Sessions   []string `json:"sessions"`          // UUIDs of the sessions that it was trained on
	Feedback   int64    `json:"feedback"`          // id of the last mark on a find that it was trained on
	Changes    []string `json:"changes"`           // differences from the previous version, in words
	Numbers    []Change `json:"numbers"`           // differences from the previous version, in numbers
	Verdict    string   `json:"verdict,omitempty"` // of its report; "" until it was assessed
	Shown      string   `json:"shown,omitempty"`   // how what makes a page a find changed, in words; "" unless it changed a lot

	Documents []int64 `json:"documents,omitempty"` // ids of the documents whose positive pages it was trained on
	Positives string  `json:"positives,omitempty"` // trainingdata.Examples.Digest of these, or, imported, of those then

	// Where the background pages came from, and pages that no session of the topic visited. When one of these is erased, so is
	// the model.
	BackgroundSessions []string `json:"background_sessions,omitempty"` // UUIDs
	BackgroundHosts    []string `json:"background_hosts,omitempty"`

	// Also are the UUIDs of sessions that were split off those or merged with them since, for erasing.
	Also []string `json:"also,omitempty"`

	// An imported model was not trained on the topic's sessions. Beside are the sessions, and Feedback is the last
	// mark, at the time of the import. The topic is trained when there are others.
	Imported bool     `json:"imported,omitempty"`
	Beside   []string `json:"beside,omitempty"`

	Milestones string `json:"milestones,omitempty"` // MilestoneDigest of the names it was trained on, or, imported, those then
}

// Change is a number that differs between two versions of a model.
type Change struct {
	What string  `json:"what"`
	Was  float64 `json:"was"`
	Is   float64 `json:"is"`
}

// Model is one version of a topic's model.
type Model struct {
	ID        int64
	TopicID   int64
	Version   int
	Facts     Facts
	CreatedAt time.Time
	encoded   []byte
}

// Bundle decodes the model. It decodes it again with each call.
func (m *Model) Bundle() (*model.Bundle, error) {
	b, err := model.Decode(m.encoded)
	return b, db.Wrap(err, "model %d", m.ID)
}

// Encoded returns the bundle's binary form, as `nightjar export --model` writes it.
func (m *Model) Encoded() []byte { return m.encoded }

// Save stores the next version of a topic's model and returns it. It deletes what trainingdata.SaveStopped stored. It stores nothing
// and returns db.ErrErased when something was erased since Erasures was the given number, before the model's pages were read.
func Save(ctx context.Context, d *db.DB, erasures, topicID int64, b *model.Bundle, facts Facts) (*Model, error) {
	encoded, err := b.Encode()
	if err != nil {
		return nil, fmt.Errorf("save model: %w", err)
	}
	m := &Model{TopicID: topicID, Facts: facts, CreatedAt: d.Now().UTC(), encoded: encoded}
	err = d.Commit(ctx, func(w *db.Work) {
		w.Unerased(d, erasures)
		w.Exec("DELETE FROM stopped WHERE topic_id = ?", topicID)
		w.Row(`
			INSERT INTO models (topic_id, version, bundle, facts, created_at)
			SELECT ?1, coalesce(max(version), 0) + 1, ?2, ?3, ?4 FROM models WHERE topic_id = ?1
			RETURNING id, version`, topicID, encoded, db.JSONOf(facts), db.Millis(m.CreatedAt)).Read(&m.ID, &m.Version)
	})
	return m, db.Wrap(err, "save model of topic %d", topicID)
}

// SaveReport replaces a version's bundle by the same model with its report, and its facts, in the store and in m. If
// the bundle was erased in the meantime, SaveReport stores nothing and returns ErrNotFound.
func SaveReport(ctx context.Context, d *db.DB, m *Model, b *model.Bundle, facts Facts) error {
	encoded, err := b.Encode()
	if err != nil {
		return fmt.Errorf("save report: %w", err)
	}
	err = d.Must(ctx, db.ErrNotFound, "UPDATE models SET bundle = ?, facts = ? WHERE id = ? AND length(bundle) > 0",
		encoded, db.JSONOf(facts), m.ID)
	if err != nil {
		return fmt.Errorf("save report of model %d: %w", m.ID, err)
	}
	m.encoded, m.Facts = encoded, facts
	return nil
}

// Forget erases the bundle of one version. The version stays in the list.
func Forget(ctx context.Context, d *db.DB, id int64) error {
	err := d.Commit(ctx, func(w *db.Work) {
		w.Exec(sessions.EmptyModel+"id = ?", id)
		w.Do(store.ForgetLearned)
	})
	if err != nil {
		return fmt.Errorf("forget model %d: %w", id, err)
	}
	return d.Scrub(ctx)
}

const columns = `id, topic_id, version, bundle, facts, created_at`

// Latest returns the newest version of a topic's model whose bundle was not erased, or ErrNotFound.
func Latest(ctx context.Context, d *db.DB, topicID int64) (*Model, error) {
	return one(ctx, d, `SELECT `+columns+` FROM models WHERE topic_id = ? AND length(bundle) > 0 ORDER BY version DESC LIMIT 1`, topicID)
}

// ByID returns one version of a model, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (*Model, error) {
	return one(ctx, d, `SELECT `+columns+` FROM models WHERE id = ?`, id)
}

func one(ctx context.Context, d *db.DB, text string, id int64) (*Model, error) {
	m, err := scan(d.Readers.QueryRowContext(ctx, text, id))
	return m, db.Missing(err, "read model")
}

// All lists the versions of a topic's model without their bundles, newest first.
func All(ctx context.Context, d *db.DB, topicID int64) ([]*Model, error) {
	all, err := db.Query(ctx, d.Readers, scan,
		`SELECT id, topic_id, version, x'', facts, created_at FROM models WHERE topic_id = ? ORDER BY version DESC`, topicID)
	return all, db.Wrap(err, "list models of topic %d", topicID)
}

func scan(row db.Scanner) (*Model, error) {
	var m Model
	return &m, row.Scan(&m.ID, &m.TopicID, &m.Version, &m.encoded, db.JSONOf(&m.Facts), db.TimeOf(&m.CreatedAt))
}

// ShownChange returns Facts.Shown of a model, "" also for one that is gone.
func ShownChange(ctx context.Context, d *db.DB, modelID int64) (string, error) {
	says, err := db.ScanText(d.Readers.QueryRowContext(ctx, `SELECT coalesce(json_extract(facts, '$.shown'), '') FROM models WHERE id = ?`, modelID))
	return says, db.Optional(err)
}
