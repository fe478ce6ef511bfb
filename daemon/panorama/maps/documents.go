package maps

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
)

// Document is a text whose titles lead to positive pages.
type Document struct {
	ID        int64
	Key       string // the same for the same document, such as a hash of its bytes
	Title     string
	Source    string // its address or the name of its file
	CreatedAt time.Time
	Topic     int64 // that crawls for it; 0 until its crawl was prepared
}

// Documents lists all documents, newest first.
func Documents(ctx context.Context, d *db.DB) ([]Document, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Document], selectDocument+"ORDER BY id DESC")
	return all, db.Wrap(err, "list documents")
}

// ReadDocument is what was read out of a document, beside its titles.
type ReadDocument struct {
	Kind     string            `json:"kind,omitempty"` // document.Kind
	Authors  []string          `json:"authors,omitempty"`
	URLs     []string          `json:"urls,omitempty"` // that it names, http and https only
	DOIs     []string          `json:"dois,omitempty"`
	Language string            `json:"language,omitempty"` // "" if it cannot be told
	Warnings []DocumentWarning `json:"warnings,omitempty"`

	Documents int `json:"documents,omitempty"` // that were read together; 0 for one
	Shared    int `json:"shared,omitempty"`    // titles that more than one of them names, which stand first

	// Named is the title that a document without one was given: the name of its file, or its address. No one is asked
	// for it.
	Named string `json:"named,omitempty"`
}

// DocumentWarning is something that the person should know of a document that could be read.
type DocumentWarning struct {
	What string `json:"what"`
	Next string `json:"next"`           // what to do about it
	Line int    `json:"line,omitempty"` // of the document, from 1; 0 if it is about no line
}

// AddDocument stores a document with its extracted contents, and returns it. An existing one with its Key keeps the
// title and the titles that the person may have edited, unless it had no titles.
func AddDocument(ctx context.Context, d *db.DB, doc Document, titles []string, read ReadDocument) (Document, error) {
	added, err := db.Fields[Document](d.Writer.QueryRowContext(ctx, `INSERT INTO documents (key, title, source, titles, read, created_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (key) DO UPDATE SET source = excluded.source, read = excluded.read,
			title = CASE WHEN documents.titles = '[]' THEN excluded.title ELSE documents.title END,
			titles = CASE WHEN documents.titles = '[]' THEN excluded.titles ELSE documents.titles END
		RETURNING id, key, title, source, created_at, coalesce(topic_id, 0)`,
		doc.Key, doc.Title, doc.Source, db.JSONList(titles), db.JSONOf(read), db.Millis(d.Now())))
	return added, db.Wrap(err, "store document %q", doc.Title)
}

const selectDocument = `SELECT id, key, title, source, created_at, coalesce(topic_id, 0) FROM documents `

// DocumentByID returns one document, or ErrNotFound.
func DocumentByID(ctx context.Context, d *db.DB, id int64) (Document, error) {
	return db.Found(db.Fields[Document](d.Readers.QueryRowContext(ctx, selectDocument+"WHERE id = ?", id)))
}

// DocumentTitles returns the titles to look for of a document, and what else was read out of it, or ErrNotFound.
func DocumentTitles(ctx context.Context, d *db.DB, id int64) (titles []string, read ReadDocument, err error) {
	_, err = db.Found(0, d.Readers.QueryRowContext(ctx, `SELECT titles, read FROM documents WHERE id = ?`, id).Scan(db.JSONOf(&titles), db.JSONOf(&read)))
	return titles, read, db.Wrap(err, "read the titles of document %d", id)
}

// DocumentTopic returns the topic that crawls for a document, and makes it if the document has none: with the document's
// title as its name, cut and with a number if there is such a topic already. It is made for maps; see OwnTopic.
func DocumentTopic(ctx context.Context, d *db.DB, id int64) (topic topics.Topic, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		doc := db.First(w, db.Fields[Document], selectDocument+"WHERE id = ?", id)
		if doc.Topic == 0 {
			doc.Topic = newTopic(w, doc.Title, d.Now())
			w.Exec(`UPDATE documents SET topic_id = ? WHERE id = ?`, doc.Topic, id)
		}
		topic = db.First(w, db.Fields[topics.Topic], topics.Select+"WHERE id = ?", doc.Topic)
	})
	return topic, db.Wrap(err, "make the topic of document %d", id)
}

const (
	maxTopicName = min(80, protocol.MaxTopic) // characters of the name of a document's topic
	noTopicName  = "document"                 // names the topic of a document without a title
)

// newTopic makes a topic for a map, with a name that no other topic has.
func newTopic(w *db.Work, title string, now time.Time) int64 {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		title = noTopicName
	}
	for n := 1; ; n++ {
		end := ""
		if n > 1 {
			end = fmt.Sprintf(" (%d)", n)
		}
		name := title
		if runes := []rune(title); len(runes) > maxTopicName-len(end) {
			name = strings.TrimSpace(string(runes[:maxTopicName-len(end)]))
		}
		name, err := topics.CleanName(name + end)
		w.Fail(err)
		var id int64
		const add = "INSERT OR IGNORE INTO topics (name, created_at, for_map) VALUES (?, ?, 1) RETURNING id"
		if w.Row(add, name, db.Millis(now)).Find(&id) || w.Err != nil {
			return id
		}
	}
}

// TopicOfPages returns the topic that learns from pages as from the positive pages of a document with this key, and makes it
// if there is none. They are its ticked start pages, except for addresses that are never fetched.
func TopicOfPages(ctx context.Context, d *db.DB, key, name string, pages []trainingdata.Positive) (topic topics.Topic, err error) {
	doc, err := AddDocument(ctx, d, Document{Key: key, Title: name}, nil, ReadDocument{})
	if err != nil {
		return topics.Topic{}, err
	}
	if err := trainingdata.PutPositives(ctx, d, doc.ID, pages); err != nil {
		return topics.Topic{}, err
	}
	if topic, err = DocumentTopic(ctx, d, doc.ID); err != nil {
		return topics.Topic{}, err
	}
	if err := OwnTopic(ctx, d, topic.ID); err != nil {
		return topics.Topic{}, err
	}
	err = d.Commit(ctx, func(w *db.Work) {
		for _, p := range pages {
			if weburl.Secret(p.URL) || weburl.Action(p.URL) {
				continue
			}
			startpages.Put(w, topic.ID, p.URL, startpages.Added, true, d.Now())
		}
	})
	return topic, db.Wrap(err, "store start pages of topic %d", topic.ID)
}

// OwnTopic makes a topic that was made for a map one of the person's. It changes nothing of one that is.
func OwnTopic(ctx context.Context, d *db.DB, id int64) error {
	err := d.Exec(ctx, `UPDATE topics SET for_map = 0 WHERE id = ? AND for_map = 1`, id)
	return db.Wrap(err, "make topic %d one of the person's", id)
}

// IsOwnTopic reports whether a topic is one of the person's, not only made for a map. There is none with id 0.
func IsOwnTopic(ctx context.Context, d *db.DB, id int64) (own bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM own_topics WHERE id = ?)`, id).Scan(&own)
	return own, db.Wrap(err, "look for topic %d", id)
}
