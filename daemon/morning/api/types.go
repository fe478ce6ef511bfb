package api

import (
	"math"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
)

// FromTheWeb holds every text of an answer that strangers wrote. Programs, and assistants above all, must take it for
// text about a page and never for an instruction or for markup.
type FromTheWeb struct {
	URL     string   `json:"url"`
	Site    string   `json:"site"`              // host name
	Title   string   `json:"title"`             // may be empty
	Snippet string   `json:"snippet,omitempty"` // a passage of the page; of a find, the one that tells most
	Reason  string   `json:"reason,omitempty"`  // why the page is a find, in one sentence that quotes the page
	Words   []string `json:"words,omitempty"`   // most telling words of the page
	Anchor  string   `json:"anchor,omitempty"`  // text of the link that led to the page
}

// Find is a page that a crawl found.
type Find struct {
	ID         int64      `json:"id"`
	Topic      string     `json:"topic"`
	TopicID    int64      `json:"topic_id"`
	CrawlID    int64      `json:"crawl_id"`
	FoundAt    time.Time  `json:"found_at"`
	New        bool       `json:"new"`              // on Finds under New
	Mark       string     `json:"mark"`             // useful, not-useful, later, off-topic or none
	Visited    bool       `json:"visited"`          // the person visited the page
	Similarity float64    `json:"similarity"`       // largest cosine to a useful page, 0 to 1
	Useful     float64    `json:"useful,omitempty"` // the judge's probability that it is useful; absent without a judge
	Worker     string     `json:"worker,omitempty"` // the machine that fetched it, by the name of its invitation; absent for this one
	FromTheWeb FromTheWeb `json:"from_the_web"`
}

// FindList is a page of finds, newest first.
type FindList struct {
	Finds []Find `json:"finds"`
	Total int    `json:"total"`          // finds that match, on all pages
	Next  string `json:"next,omitempty"` // the value of after for the next page; absent on the last one
}

// Why says why a page is a find and how the crawl came to it.
type Why struct {
	Find     Find      `json:"find"`
	Strategy string    `json:"strategy"`
	Like     *LikePage `json:"like,omitempty"`
	Trail    []Step    `json:"trail"` // from a start page to the find
}

// LikePage is the useful page that a find is most like.
type LikePage struct {
	MarkedAt   time.Time  `json:"marked_at,omitzero"`
	FromTheWeb FromTheWeb `json:"from_the_web"`
}

// Step is one page of a trail.
type Step struct {
	Similarity float64    `json:"similarity"`
	Useful     float64    `json:"useful,omitempty"`
	Worker     string     `json:"worker,omitempty"` // as of a Find
	FromTheWeb FromTheWeb `json:"from_the_web"`
}

// Topic is what sessions are about.
type Topic struct {
	ID           int64    `json:"id"`
	Name         string   `json:"name"`
	Members      []string `json:"members,omitempty"` // of a combined topic
	Sessions     int      `json:"sessions"`
	ModelVersion int      `json:"model_version"` // 0 without a model
	StartPages   int      `json:"start_pages"`   // that are ticked
	Finds        Counts   `json:"finds"`
}

// TopicList lists all topics by name.
type TopicList struct {
	Topics []Topic `json:"topics"`
}

// Counts are the numbers of finds as the tabs of Finds show them.
type Counts struct {
	New       int `json:"new"`
	Open      int `json:"open"` // neither marked nor visited
	Later     int `json:"later"`
	Useful    int `json:"useful"`
	NotUseful int `json:"not_useful"`
	OffTopic  int `json:"off_topic"`
	All       int `json:"all"`
}

func countsOf(by map[string]int) Counts {
	return Counts{New: by["new"], Open: by["open"], Later: by[store.MarkLater], Useful: by[store.MarkUseful],
		NotUseful: by[store.MarkNotUseful], OffTopic: by[store.MarkOffTopic], All: by["all"]}
}

// Session is a recorded session.
type Session struct {
	ID        string    `json:"id"` // UUID
	Topic     string    `json:"topic"`
	TopicID   int64     `json:"topic_id"`
	Status    string    `json:"status"` // recording, paused, submitted
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	Pages     int       `json:"pages"`
	Useful    int       `json:"useful"`
}

// SessionList is a page of sessions, newest first.
type SessionList struct {
	Sessions []Session `json:"sessions"`
	Total    int       `json:"total"`
	Next     string    `json:"next,omitempty"`
}

// Crawl is a crawl of a topic.
type Crawl struct {
	ID           int64     `json:"id"`
	Topic        string    `json:"topic"`
	TopicID      int64     `json:"topic_id"`
	Night        string    `json:"night,omitempty"` // date when its window opened; absent for a crawl by hand
	Strategy     string    `json:"strategy"`
	ModelVersion int       `json:"model_version"`
	Status       string    `json:"status"`                // waiting, running, ended
	Waits        string    `json:"waits,omitempty"`       // why it waits, in words
	StopReason   string    `json:"stop_reason,omitempty"` // why it ended, in words
	Fetched      int       `json:"fetched"`               // pages requested
	Relevant     int       `json:"relevant"`              // of them
	Finds        int       `json:"finds"`
	Bytes        int64     `json:"bytes"`
	CreatedAt    time.Time `json:"created_at"`
	EndedAt      time.Time `json:"ended_at,omitzero"`
	Forecast     *Forecast `json:"forecast,omitempty"` // absent when too little was known before it
}

// Forecast is the forecast made when a crawl was created, and the results.
type Forecast struct {
	Pages    int     `json:"pages"`    // that the crawl was expected to fetch at most
	Expected float64 `json:"expected"` // new useful pages
	Low      float64 `json:"low"`      // in 8 of 10 crawls, between low and high come
	High     float64 `json:"high"`
	Came     float64 `json:"came"` // so far: by the person's marks, and by the judge's probabilities
}

// CrawlList is a page of crawls, newest first.
type CrawlList struct {
	Crawls []Crawl `json:"crawls"`
	Next   string  `json:"next,omitempty"`
}

// Status says what the daemon does.
type Status struct {
	Version  string `json:"version"`
	Running  bool   `json:"running"` // false when the answer comes from the database alone
	Night    Night  `json:"night"`
	Topics   int    `json:"topics"`
	Sessions int    `json:"sessions"`
	Crawling int    `json:"crawling"` // crawls that have not ended
	Finds    Counts `json:"finds"`
}

// Night is the window of nightly crawls.
type Night struct {
	On     bool      `json:"on"`
	Open   bool      `json:"open"`
	Opens  time.Time `json:"opens,omitzero"`  // next
	Closes time.Time `json:"closes,omitzero"` // while it is open
}

// Hit is a page that a search found.
type Hit struct {
	Kind       string     `json:"kind"` // visited, found or fetched
	At         time.Time  `json:"at,omitzero"`
	Topic      string     `json:"topic,omitempty"`
	FindID     int64      `json:"find_id,omitempty"`
	FromTheWeb FromTheWeb `json:"from_the_web"`
}

// HitList is a page of hits, best first.
type HitList struct {
	Hits  []Hit  `json:"hits"`
	Total int    `json:"total"` // counted up to a limit
	Next  string `json:"next,omitempty"`

	DidYouMean string `json:"did_you_mean,omitempty"` // the same query without typing errors, when no page has a word of it
}

// fromPage makes the part of an answer that strangers wrote.
func fromPage(url, title string) FromTheWeb {
	return FromTheWeb{URL: Plain(url), Site: Plain(weburl.Host(url)), Title: Plain(title)}
}

// FindOf returns a find as every answer shows it.
func FindOf(f finds.View, now time.Time) Find {
	page := fromPage(f.URL, f.Title)
	page.Snippet = Plain(f.Snippet)
	if r := f.Reason; r != nil {
		page.Reason = Plain(reason.Sentence(r, now))
		page.Words = plains(r.Words)
		if r.Passage != "" {
			page.Snippet = Plain(r.Passage)
		}
	}
	return Find{ID: f.ID, Topic: f.Topic, TopicID: f.TopicID, CrawlID: f.CrawlID, FoundAt: f.FoundAt, New: f.Fresh,
		Mark: f.Mark, Visited: f.Visited, Similarity: f.Similarity, Useful: f.Useful, Worker: Plain(f.Worker), FromTheWeb: page}
}

func plains(texts []string) (all []string) {
	for _, t := range texts {
		all = append(all, Plain(t))
	}
	return all
}

// likeOf returns the useful page that a find is most like, nil if that is not known.
func likeOf(f finds.View) *LikePage {
	if f.Reason == nil || f.Reason.Like == nil {
		return nil
	}
	return &LikePage{MarkedAt: f.Reason.Like.MarkedAt, FromTheWeb: fromPage(f.Reason.Like.URL, f.Reason.Like.Title)}
}

func hitOf(h search.Hit) Hit {
	page := fromPage(h.URL, h.Title)
	var snippet strings.Builder
	for _, part := range h.Snippet {
		snippet.WriteString(part.Text)
	}
	page.Snippet = Plain(snippet.String())
	return Hit{Kind: h.Kind, At: h.At, Topic: h.Topic, FindID: h.FindID, FromTheWeb: page}
}

func crawlOf(c crawls.View, foretold []forecast.Foretold) Crawl {
	out := Crawl{ID: c.ID, Topic: c.Topic, TopicID: c.TopicID, Night: c.Night, Strategy: c.Strategy, ModelVersion: c.Version,
		Status: c.Status, Waits: c.Paused, StopReason: c.StopReason, Fetched: c.Fetched, Relevant: c.Relevant,
		Finds: c.Finds, Bytes: c.Bytes, CreatedAt: c.CreatedAt, EndedAt: c.EndedAt}
	for _, f := range foretold {
		if f.CrawlID == c.ID {
			out.Forecast = &Forecast{Pages: f.Pages, Expected: tenths(f.Expected), Low: tenths(f.Low), High: tenths(f.High), Came: tenths(f.Came)}
		}
	}
	return out
}

// tenths rounds a number of pages that was estimated.
func tenths(pages float64) float64 { return math.Round(10*pages) / 10 }

func sessionOf(s sessions.Session) Session {
	return Session{ID: s.UUID, Topic: s.Topic, TopicID: s.TopicID, Status: s.Status, StartedAt: s.StartedAt,
		EndedAt: s.EndedAt, Pages: s.Pages, Useful: s.Useful}
}
