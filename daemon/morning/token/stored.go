package token

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// Scopes of tokens.
const (
	ScopeFeed = "feed" // the feed of one topic, or of every topic
	ScopeRead = "read" // everything that the API shows
)

// What a program with a token for the API may do besides reading.
const (
	MayNothing = ""
	MayAsk     = "ask" // each search waits for the person's yes
	MayAct     = "act"
)

// Token is the stored record of a token that the person gave to a program.
type Token struct {
	ID        int64
	Key       string // the part of the token that names its row; not a secret
	Hash      []byte // SHA-256 of the whole token
	Name      string // given by the person
	Scope     string // ScopeFeed or ScopeRead
	TopicID   int64  // of a feed; 0 is every topic
	Topic     string // name of the topic, "" for every topic
	CreatedAt time.Time
	UsedAt    time.Time // accurate to usedEvery; zero if it was never used
	May       string    // MayNothing, MayAsk or MayAct
	Pages     int       // that it may ask for within a day
}

// usedEvery is how often the use of a token is stored, so that a reader that asks every second does not write each time.
const usedEvery = time.Minute

const selectTokens = `
	SELECT k.id, k.key, k.hash, k.name, k.scope, coalesce(k.topic_id, 0), coalesce(t.name, ''), k.created_at, k.used_at, k.may, k.pages
	FROM tokens k LEFT JOIN topics t ON t.id = k.topic_id `

// All lists the tokens that were not revoked, oldest first.
func All(ctx context.Context, d *db.DB) ([]Token, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Token], selectTokens+`ORDER BY k.id`)
	return all, db.Wrap(err, "list tokens")
}

// ByKey returns the token with a key, or ErrNotFound if there is none or it was revoked.
func ByKey(ctx context.Context, d *db.DB, key string) (Token, error) {
	t, err := db.Fields[Token](d.Readers.QueryRowContext(ctx, selectTokens+`WHERE k.key = ?`, key))
	return t, db.Missing(err, "read token")
}

// Add stores a token and returns its id. The error is ErrNotFound if its topic does not exist.
func Add(ctx context.Context, d *db.DB, t Token) (id int64, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		if t.TopicID != 0 {
			db.First(w, db.ScanText, `SELECT name FROM topics WHERE id = ?`, t.TopicID)
		}
		w.Row(`INSERT INTO tokens (key, hash, name, scope, topic_id, created_at)
			VALUES (?, ?, ?, ?, nullif(?, 0), ?) RETURNING id`, t.Key, t.Hash, t.Name, t.Scope, t.TopicID, db.Millis(d.Now())).Read(&id)
	})
	return id, db.Missing(err, "store token")
}

// Allow stores what a token for the API may do, and for how many pages it may ask within a day. It returns ErrNotFound if there is no
// such token.
func Allow(ctx context.Context, d *db.DB, id int64, may string, pages int) error {
	err := d.Must(ctx, db.ErrNotFound, `UPDATE tokens SET may = ?, pages = ? WHERE id = ? AND scope = 'read'`, may, pages, id)
	return db.Wrap(err, "allow a program to write")
}

// Revoke deletes a token, or returns ErrNotFound.
func Revoke(ctx context.Context, d *db.DB, id int64) error {
	err := d.Must(ctx, db.ErrNotFound, `DELETE FROM tokens WHERE id = ?`, id)
	return db.Wrap(err, "revoke token")
}

// Used stores that a token was used now, unless that was stored within the last minute.
func Used(ctx context.Context, d *db.DB, t Token) error {
	now := d.Now()
	if now.Sub(t.UsedAt).Abs() < usedEvery {
		return nil
	}
	err := d.Exec(ctx, `UPDATE tokens SET used_at = ? WHERE id = ?`, db.Millis(now), t.ID)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("store the use of a token: %w", err)
	}
	return nil
}
