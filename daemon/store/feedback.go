package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"time"
)

// Marks of a find.
const (
	MarkUseful    = "useful"
	MarkNotUseful = "not-useful"
	MarkNone      = "none" // taken back
)

// Feedback is what the person said of one find, last.
type Feedback struct {
	FindID int64
	URL    string
	Title  string
	Mark   string
	At     time.Time
	HTML   []byte // as fetched, empty when it was not kept
}

// Mark keeps what the person says of a find: MarkUseful, MarkNotUseful or MarkNone. Saying the same again changes
// nothing. ErrNotFound when there is no such find.
func (s *Store) Mark(ctx context.Context, findID int64, mark string) error {
	if mark != MarkUseful && mark != MarkNotUseful && mark != MarkNone {
		return fmt.Errorf("mark %q is not known", mark)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		marks, err := lastMarks(ctx, tx, findID)
		if err != nil {
			return err
		}
		if marks[0] == mark {
			return nil
		}
		return insertMark(ctx, tx, findID, mark, s.Now())
	})
}

// UndoMark takes back the last change of a find's mark and returns the mark it has then. Undone twice, it has the first
// one again. ErrNotFound when there is no such find.
func (s *Store) UndoMark(ctx context.Context, findID int64) (mark string, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		marks, err := lastMarks(ctx, tx, findID)
		if err != nil {
			return err
		}
		mark = marks[1]
		if mark == marks[0] {
			return nil
		}
		return insertMark(ctx, tx, findID, mark, s.Now())
	})
	return mark, err
}

// lastMarks are a find's current mark and the one before; both MarkNone for one never marked.
func lastMarks(ctx context.Context, tx *sql.Tx, findID int64) ([2]string, error) {
	last := [2]string{MarkNone, MarkNone}
	var one int
	if _, err := found(0, tx.QueryRowContext(ctx, "SELECT 1 FROM finds WHERE id = ?", findID).Scan(&one)); err != nil {
		return last, err
	}
	marks, err := query(ctx, tx, scanText, "SELECT mark FROM feedback WHERE find_id = ? ORDER BY id DESC LIMIT 2", findID)
	copy(last[:], marks)
	return last, err
}

func insertMark(ctx context.Context, tx *sql.Tx, findID int64, mark string, now time.Time) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO feedback (find_id, mark, at) VALUES (?, ?, ?)", findID, mark, millis(now))
	return err
}

// Feedback lists the topic's finds that the person marked and did not take back, in order of their ids, with what was
// fetched of them.
func (s *Store) Feedback(ctx context.Context, topicID int64) ([]Feedback, error) {
	return query(ctx, s.r, scanFeedback, `SELECT f.id, f.url, f.title, b.mark, b.at, c.gzip
		FROM finds f
		JOIN feedback b ON b.id = (SELECT max(id) FROM feedback WHERE find_id = f.id)
		LEFT JOIN fetches t ON t.id = f.fetch_id
		LEFT JOIN contents c ON c.hash = t.content_hash
		WHERE f.topic_id = ? AND b.mark <> 'none' ORDER BY f.id`, topicID)
}

func scanFeedback(row scanner) (Feedback, error) {
	var f Feedback
	var at sql.NullInt64
	var packed []byte
	if err := row.Scan(&f.FindID, &f.URL, &f.Title, &f.Mark, &at, &packed); err != nil {
		return f, err
	}
	f.At = moment(at)
	if packed == nil {
		return f, nil
	}
	html, err := unpack(packed)
	f.HTML = html
	return f, err
}

// unpack reads a row of contents.
func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	html, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	return html, nil
}

func scanText(row scanner) (string, error) {
	var s string
	err := row.Scan(&s)
	return s, err
}
