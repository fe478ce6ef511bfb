// Package pages is the part of the dashboard about maps of communities and bookmarks.
package pages

import (
	"context"
	"embed"
	"html/template"
	"net/http"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of maps of communities and of bookmarks, with what they show.
type Pages struct {
	Store     *store.Store
	Maps      Maps
	Bookmarks *bookmarks.Maker
	Bus       *notify.Bus
	Echoes    Echoes
	Crawls    Crawls
	Finds     Finds
	Night     tonight.Night
	Dashboard Dashboard
}

// Crawls are the pages of crawls.
type Crawls interface {
	CrawlPart(ctx context.Context, id int64) (any, error) // a crawl with its plot
}

// Echoes says what marks change.
type Echoes interface {
	Marked(topics []int64, since int64)
}

// Finds are the pages of finds.
type Finds interface {
	TrailPart(ctx context.Context, crawl, fetch int64) (any, error) // how a crawl reached a page, for the template "find-details"
}

// Dashboard is what these pages show of other ones.
type Dashboard interface {
	TrainingPart(topic int64, name string) any // a topic that is being trained, or why it is not; nil otherwise
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{f, p}
	s.Add(templates, template.FuncMap{"mapGo": mapGo, "clusters": usualClusters}, mistake)
	s.Uploads[mapsPath], s.Uploads[bookmarksPath] = maxDocument, maxDocument
	s.Homes["/bookmarks/start"] = "/bookmarks?folder={folder}"

	s.Get(bookmarksPath, s.handleBookmarks)
	s.Post(bookmarksPath, s.handleBookmarksFile)
	s.Post("/bookmarks/start", s.handleBookmarksStart)
	s.Post("/bookmarks/stop", s.handleBookmarksStop)
	s.Post("/bookmarks/forget", s.handleBookmarksForget)

	s.Get(mapsPath, s.handleMaps)
	s.Post(mapsPath, s.handleMapNew)
	s.Get("/communities/{map}", frame.With(s.mapOf, s.handleMap))
	s.Post("/communities/{map}/titles", frame.With(s.mapOf, s.handleMapTitles))
	s.Post("/communities/{map}/pages", frame.With(s.mapOf, s.handleMapPages))
	s.Post("/communities/{map}/options", frame.With(s.mapOf, s.handleMapOptions))
	s.Post("/communities/{map}/go", frame.Order(s.mapID, s.Maps, Maps.Go, mapPath, ""))
	s.Post("/communities/{map}/stop", frame.Order(s.mapID, s.Maps, Maps.Stop, mapPath, "map-stopped"))
	s.Post("/communities/{map}/enough", frame.Order(s.mapID, s.Maps, Maps.Enough, mapPath, "map-enough"))
	s.Post("/communities/{map}/again", frame.With(s.mapOf, s.handleMapAgain))
	s.Post("/communities/{map}/topic", frame.With(s.mapOf, s.handleMapTopic))
	s.Get("/communities/{map}/delete", frame.Ask(s.Frame, s.mapOf, "map-delete", frame.Layout{Title: "Delete a map", Section: "communities"},
		func(m maps.Map) any { return lineOf(m) }))
	s.Post("/communities/{map}/delete", frame.Order(s.mapID, s.Maps, Maps.Delete, frame.Always(mapsPath), "map-deleted"))
	s.Get("/communities/{map}/report", frame.With(s.viewOf, s.handleMapReport))
	s.Post("/communities/{map}/mark", frame.With(s.viewOf, s.handleMapMark))
	s.Get("/communities/{map}/pages/{fetch}", frame.With(s.viewOf, s.handleMapTrail))
	s.Get("/communities/{map}/{community}", frame.With(s.viewOf, s.handleCommunity))
	s.Post("/communities/{map}/{community}/like", frame.With(s.viewOf, s.handleCommunityLike))
}

// mistake returns the text of an error about what a person asked for, and "" for any other error.
func mistake(err error) string {
	if frame.Is[*document.Problem](err) || frame.Is[trainingset.LineError](err) || frame.Is[*communities.OptionError](err) {
		return frame.Printable(err.Error())
	}
	return frame.FirstOf(err, communities.ErrNotReady, communities.ErrWorking, communities.ErrUsed, communities.ErrDone, communities.ErrNoTitles,
		communities.ErrNoPages, communities.ErrNotEnded, communities.ErrNoSource, communities.ErrNotOnMap, communities.ErrFewToLike,
		trainingdata.ErrFewPositives, bookmarks.ErrBusy, bookmarks.ErrTopic, bookmarks.ErrNoUseful, bookmarks.ErrTooMany)
}

// mapOf reads the map that the path names by its number.
func (s *server) mapOf(r *http.Request) (maps.Map, error) {
	return frame.Numbered(r, "map", func(ctx context.Context, id int64) (maps.Map, error) { return maps.ByID(ctx, s.Store.DB, id) })
}

// mapID is the number of the map in the path, if it is there.
func (s *server) mapID(r *http.Request) (int64, error) {
	m, err := s.mapOf(r)
	return m.ID, err
}

// Maps makes maps of communities; see communities.Maker.
type Maps interface {
	NewDocument(ctx context.Context, src communities.Source, o maps.Options, more ...communities.Source) (maps.Map, error)
	NewTopic(ctx context.Context, topicID int64, o maps.Options) (maps.Map, error)
	NewCrawl(ctx context.Context, crawlID int64, o maps.Options) (maps.Map, error)

	Titles(ctx context.Context, id int64) (main string, titles []string, read maps.ReadDocument, err error)
	SetTitles(ctx context.Context, id int64, main string, titles []string) error
	SetOptions(ctx context.Context, id int64, change func(*maps.Options)) error
	Plan(ctx context.Context, id int64) (trainingset.Plan, error)
	Positives(ctx context.Context, id int64) ([]communities.PositivePage, error)
	LeaveOut(ctx context.Context, id int64, url string, out bool) error

	Go(ctx context.Context, id int64) error
	Stop(ctx context.Context, id int64) error
	Enough(ctx context.Context, id int64) error
	Again(ctx context.Context, id int64) (maps.Map, error)
	Delete(ctx context.Context, id int64) error
	Progress(id int64) communities.Progress

	View(ctx context.Context, id int64) (*communities.View, error)
	Mark(ctx context.Context, id, fetchID int64, mark string) (store.Acted, error)
	MoreLikeThis(ctx context.Context, id int64, community int) (topicID int64, err error)
}
