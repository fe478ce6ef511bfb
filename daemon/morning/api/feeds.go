package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"nightjar/daemon/morning/feed"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

const (
	feedBase = "/feeds/"
	atomName = "atom.xml"
	jsonName = "feed.json"

	feedEntries = 50
)

// FeedPaths are the paths of the feeds of a token: Atom and JSON Feed.
func FeedPaths(token string) (atom, json string) {
	return feedBase + token + "/" + atomName, feedBase + token + "/" + jsonName
}

// serveFeed answers a feed reader. The token is part of the address, since readers send no headers of one's choice.
func (h *Handler) serveFeed(w http.ResponseWriter, r *http.Request) error {
	text, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, feedBase), "/")
	if name != atomName && name != jsonName {
		return ErrNoPath
	}
	t, err := h.Tokens.Check(r.Context(), text)
	if err != nil {
		return err
	}
	if t.Scope != token.ScopeFeed {
		return errScope
	}
	f, err := h.feed(r.Context(), t)
	if err != nil {
		return err
	}
	f.Self = "http://" + r.Host + r.URL.Path // the host is one of ours, and TLS is not in front of us
	write, kind := feed.Atom, "application/atom+xml; charset=utf-8"
	if name == jsonName {
		write, kind = feed.JSON, "application/feed+json; charset=utf-8"
	}
	var body bytes.Buffer
	if err := write(&body, f); err != nil {
		return err
	}
	sum := sha256.Sum256(body.Bytes())
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "private, no-cache") // to be kept, but asked for again
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(w, r, "", f.Updated, bytes.NewReader(body.Bytes())) // answers conditional requests
	return nil
}

// feed makes the feed of a token: the newest finds, without those that the person marked Not useful or Not this topic.
func (h *Handler) feed(ctx context.Context, t token.Token) (feed.Feed, error) {
	f := feed.Feed{ID: h.urn("feed", t.TopicID, ""), Title: "Nightjar: all topics", Updated: t.CreatedAt}
	if t.TopicID != 0 {
		f.Title = "Nightjar: " + Plain(t.Topic)
	}
	all, err := finds.Before(ctx, h.Reader.Store.DB, finds.Page{Filter: finds.Filter{Topic: t.TopicID, Limit: 2 * feedEntries}})
	if err != nil {
		return f, err
	}
	for _, one := range all {
		if one.Mark == store.MarkNotUseful || one.Mark == store.MarkOffTopic || len(f.Entries) == feedEntries {
			continue
		}
		why, err := h.Reader.Why(ctx, one.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // erased meanwhile
		}
		if err != nil {
			return f, fmt.Errorf("feed: %w", err)
		}
		f.Entries = append(f.Entries, h.entry(why))
		if one.FoundAt.After(f.Updated) {
			f.Updated = one.FoundAt
		}
	}
	return f, nil
}

func (h *Handler) entry(why Why) feed.Entry {
	page := why.Find.FromTheWeb
	e := feed.Entry{ID: h.urn("find", why.Find.TopicID, page.URL), URL: page.URL, Title: page.Title, Site: page.Site,
		Snippet: page.Snippet, Reason: page.Reason, Topic: Plain(why.Find.Topic), FoundAt: why.Find.FoundAt}
	for _, step := range why.Trail {
		e.Trail = append(e.Trail, feed.Step{URL: step.FromTheWeb.URL, Title: step.FromTheWeb.Title, Anchor: step.FromTheWeb.Anchor})
	}
	return e
}

// urn returns the permanent ID of a feed or an entry, unique to this installation (RFC 4287 4.2.6).
func (h *Handler) urn(kind string, topic int64, url string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s %s %d %s", h.Identity, kind, topic, url)).URN()
}
