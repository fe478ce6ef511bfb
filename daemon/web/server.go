package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/work"
	"nightjar/daemon/base/loopback"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
)

// Server is the dashboard.
type Server struct {
	Deps
	host    string // the dashboard's own host:port
	local   loopback.Hosts
	handler http.Handler
	own     chi.Routes // the route table
	logins  logins
	pages   pages
	assets  *assets
	bundles bundles

	digests  digests
	previews previews
	space    space
	counts   *counts
	checks   *counts    // apart, since a check of the database takes longest
	drawing  sync.Mutex // of a large web graph
	tokens   *token.Keeper
	programs *api.Handler // the API and the feeds; nil when damaged
	damaged  *Damaged     // nil for a sound database
}

// New makes the dashboard of a store. The store keeps its host name, so that it stays the same after a restart.
func New(ctx context.Context, d Deps) (*Server, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	local, port, err := d.addresses()
	if err != nil {
		return nil, err
	}
	name, err := identity(ctx, d.Store)
	if err != nil {
		return nil, fmt.Errorf("dashboard host: %w", err)
	}
	s := &Server{Deps: d, host: name + ":" + port, local: local, assets: newAssets()}
	s.logins = logins{store: d.Store, troubles: d.Troubles, now: d.Now}
	s.counts, s.checks = newCounts(glance), newCounts(glance)
	s.tokens = token.NewKeeper(d.Store, d.Now)
	reader := &api.Reader{Store: d.Store, Version: d.Version, Running: true, Now: d.Now, WordNet: d.Words}
	s.programs = &api.Handler{Reader: reader, Tokens: s.tokens, Log: d.Log, Identity: name}
	s.pages = parsePages(s)
	s.routes()
	return s, nil
}

// addresses returns the hosts under which the server is asked besides its own, and its port.
func (d *Deps) addresses() (local loopback.Hosts, port string, err error) {
	if _, port, err = net.SplitHostPort(d.Listen); err != nil {
		return nil, "", fmt.Errorf("dashboard address: %w", err)
	}
	addrs := []string{d.Listen}
	if d.Other != "" {
		addrs = append(addrs, d.Other)
	}
	local, err = loopback.HostsOf(addrs...)
	return local, port, err
}

// Close stops what works in the background for pages, and waits until it has ended. No login that was prepared works after it.
func (s *Server) Close() {
	s.counts.close()
	s.checks.close()
	s.logins.close()
}

// Handler serves every route of the dashboard.
func (s *Server) Handler() http.Handler { return s.handler }

// Pages lists the patterns of the pages that a browser can get, in the order of the route table: "/finds/{id}/copy".
func (s *Server) Pages() []string {
	var all []string
	for _, r := range s.own.Routes() {
		if _, ok := r.Handlers[http.MethodGet]; ok {
			all = append(all, r.Pattern)
		}
	}
	return all
}

// Reader returns what answers programs. A dashboard of a damaged database has none.
func (s *Server) Reader() *api.Reader { return s.programs.Reader }

// routes is the table of everything that the dashboard serves under its own host. Under 127.0.0.1 and localhost it
// serves handleElsewhere alone. Package api has the addresses for programs, which every host of ours serves.
func (s *Server) routes() {
	own := chi.NewRouter()
	own.NotFound(s.page(func(http.ResponseWriter, *http.Request) error { return errNoPage }))
	own.MethodNotAllowed(s.page(func(http.ResponseWriter, *http.Request) error { return errMethod }))
	own.Get("/login", s.page(s.handleLogin))
	own.Post("/login", s.page(s.handleLoginForm))
	own.Get("/static/{hash}/{name}", s.page(s.handleAsset))

	own.Group(func(r chi.Router) {
		r.Use(s.requireLogin)
		s.findRoutes(r)
		s.crawlRoutes(r)
		s.mapRoutes(r)
		s.ontologyRoutes(r)
		s.wordnetRoutes(r)
		s.exploreRoutes(r)
		s.settingRoutes(r)
	})

	s.own = own
	s.handler = s.gate(own)
}

// findRoutes are the routes of finds, sessions and topics.
func (s *Server) findRoutes(r chi.Router) {
	r.Get("/", s.page(s.handleFinds))
	r.Get("/start", s.page(s.handleStart))
	r.Post("/finds/{id}/mark", s.page(with(pathID, s.handleFindMark)))
	r.Get("/finds/{id}", s.page(with(pathID, s.handleFind)))
	r.Post("/finds/mark", s.page(s.handleFindsMark))
	r.Post("/finds/undo", s.page(s.handleFindsUndo))
	r.Post("/finds/seen", s.page(s.handleFindsSeen))
	r.Post("/finds/changed", s.page(s.handleChangesSeen))
	r.Get("/finds/{id}/copy", s.page(with(pathID, s.handleCopy)))
	r.Get("/finds/export", s.page(s.handleFindsExport))
	r.Post("/finds/export", s.page(s.handleFindsExport))

	r.Get("/search", s.page(s.handleSearch))

	r.Get(bookmarksPath, s.page(s.handleBookmarks))
	r.Post(bookmarksPath, s.page(s.handleBookmarksFile))
	r.Post("/bookmarks/start", s.page(s.handleBookmarksStart))
	r.Post("/bookmarks/stop", s.page(s.handleBookmarksStop))
	r.Post("/bookmarks/forget", s.page(s.handleBookmarksForget))

	r.Get("/sessions", s.page(s.handleSessions))
	r.Post("/sessions/edit", s.page(s.handleSessionsEdit))
	r.Get("/sessions/{uuid}/edit", s.page(with(s.session, s.handleSessionEdit)))
	r.Post("/sessions/{uuid}/name", s.page(with(s.session, s.handleSessionName)))
	r.Post("/sessions/{uuid}/topic", s.page(with(s.session, s.handleSessionMove)))
	r.Post("/sessions/{uuid}/split", s.page(with(s.session, s.handleSessionSplit)))
	r.Get("/sessions/{uuid}/visits/delete", s.page(with(s.session, s.handleVisitsAsk)))
	r.Post("/sessions/{uuid}/visits/delete", s.page(with(s.session, s.handleVisitsDelete)))
	r.Get("/topics/{topic}/delete", s.page(with(s.topic, s.handleTopicAsk)))
	r.Post("/topics/{topic}/delete", s.page(with(s.topic, s.handleTopicDelete)))
	r.Post("/changes/{id}/undo", s.page(with(pathID, s.handleUndo)))
	r.Get("/sessions/{uuid}", s.page(with(s.session, s.handleSession)))
	r.Get("/sessions/{uuid}/export", s.page(with(s.session, s.handleSessionExport)))
	r.Get("/sessions/{uuid}/delete", s.page(ask(s, s.session, "session-delete", layout{Title: "Delete a session", Section: "sessions"},
		func(one store.Session) any { return sessionPage{Session: one} })))
	r.Post("/sessions/{uuid}/delete", s.page(with(s.session, s.handleSessionDelete)))
	r.Post("/sessions/{uuid}/links", s.page(with(s.session, s.handleSessionLink)))
	r.Post("/sessions/{uuid}/milestone", s.page(with(s.session, s.handleMilestone)))
	r.Post("/topics/{topic}/milestones/rename", s.page(with(s.topic, s.handleMilestoneRename)))
	r.Post("/topics/{topic}/milestones/delete", s.page(with(s.topic, s.handleMilestoneDelete)))
	r.Post("/topics/{topic}/milestones/undo", s.page(with(s.topic, s.handleMilestoneUndo)))
	r.Post("/topics/{topic}/train", s.page(order(s.topicID, s.Trainer, train, modelPath, "training")))
	r.Post("/topics/{topic}/strategy", s.page(with(s.topic, s.handleStrategy)))
	r.Post("/topics/{topic}/strategy/undo", s.page(with(s.topic, s.handleStrategyUndo)))
	r.Post("/topics/{topic}/train/stop", s.page(order(s.topicID, s.Trainer, stopTraining, modelPath, "train-stopped")))
	r.Post("/topics/combine", s.page(s.handleCombine))
	r.Get("/topics/{topic}/parts", s.page(with(s.topic, s.handleParts)))
	r.Post("/topics/{topic}/rename", s.page(with(s.topic, s.handleRename)))
	r.Post("/topics/{topic}/dissolve", s.page(with(s.topic, s.handleDissolve)))
	r.Post("/topics/{topic}/starts", s.page(with(s.topic, s.handleStarts)))
}

// crawlRoutes are the routes of models and crawls.
func (s *Server) crawlRoutes(r chi.Router) {
	r.Get("/teach/{topic}", s.page(with(s.topic, s.handleTeach)))
	r.Post("/teach/{topic}/start", s.page(with(s.topic, s.handleTeachStart)))
	r.Post("/teach/{topic}/answer", s.page(with(s.topic, s.handleTeachAnswer)))
	r.Post("/teach/{topic}/undo", s.page(with(s.topic, s.handleTeachUndo)))
	r.Post("/teach/{topic}/learn", s.page(with(s.topic, s.handleTeachLearn)))

	r.Get("/model", s.page(s.handleModels))
	r.Get("/model/{topic}", s.page(with(s.topic, s.handleModel)))
	r.Get("/model/{topic}/{version}", s.page(with(s.topic, s.handleModel)))
	r.Get("/model/{topic}/{version}/{part}", s.page(with(s.topic, s.handleModel)))

	r.Get("/tonight", s.page(s.handleTonight))
	r.Post("/tonight", s.page(s.handleTonightSave))
	r.Post("/tonight/switch", s.page(s.handleTonightSwitch))
	r.Get("/tonight/{topic}/first", s.page(with(s.topic, s.handleFirst)))

	r.Get("/crawls", s.page(s.handleCrawls))
	r.Get("/crawls/{id}", s.page(with(pathID, s.handleCrawl)))
	r.Post("/topics/{topic}/run", s.page(with(s.topicID, s.handleRun)))
	r.Post("/topics/{topic}/anew", s.page(order(s.topicID, s.Store, (*store.Store).StartAnew, always("/crawls"), "anew")))
	r.Post("/topics/{topic}/anew/undo", s.page(order(s.topicID, s.Store, (*store.Store).GoBack, always("/crawls"), "not-anew")))
	r.Post("/crawls/{id}/stop", s.page(order(pathID, s.Scheduler, stopCrawl, crawlPath, "stopped")))
	r.Post("/crawls/{id}/pause", s.page(order(pathID, s.Scheduler, Scheduler.Pause, crawlPath, "paused")))
	r.Post("/crawls/{id}/resume", s.page(order(pathID, s.Scheduler, Scheduler.Resume, crawlPath, "resumed")))
	r.Post("/crawls/{id}/go-on", s.page(order(pathID, s.Scheduler, Scheduler.GoOn, crawlPath, "goes-on")))
	r.Post("/workers/{name}/pause", s.page(s.handleWorker(Leases.Pause, "worker-paused")))
	r.Post("/workers/{name}/go-on", s.page(s.handleWorker(Leases.GoOn, "worker-goes-on")))
	r.Post("/workers/{name}/drain", s.page(s.handleWorkerDrain))
	r.Get("/workers/{name}/remove", s.page(ask(s, s.workerNamed, "worker-remove", layout{Title: "Remove a worker", Section: "crawls"},
		func(one work.WorkerStatus) any { return s.workerLine(one) })))
	r.Post("/workers/{name}/remove", s.page(with(s.workerNamed, s.handleWorkerRemove)))
	r.Get("/crawls/{id}/hosts", s.page(with(pathID, s.handleLedger)))
	r.Get("/crawls/{id}/hosts.csv", s.page(with(pathID, s.handleLedgerCSV)))
}

func (s *Server) mapRoutes(r chi.Router) {
	r.Get(mapsPath, s.page(s.handleMaps))
	r.Post(mapsPath, s.page(s.handleMapNew))
	r.Get("/communities/{map}", s.page(with(s.mapOf, s.handleMap)))
	r.Post("/communities/{map}/titles", s.page(with(s.mapOf, s.handleMapTitles)))
	r.Post("/communities/{map}/pages", s.page(with(s.mapOf, s.handleMapPages)))
	r.Post("/communities/{map}/options", s.page(with(s.mapOf, s.handleMapOptions)))
	r.Post("/communities/{map}/go", s.page(order(s.mapID, s.Maps, Maps.Go, mapPath, "")))
	r.Post("/communities/{map}/stop", s.page(order(s.mapID, s.Maps, Maps.Stop, mapPath, "map-stopped")))
	r.Post("/communities/{map}/enough", s.page(order(s.mapID, s.Maps, Maps.Enough, mapPath, "map-enough")))
	r.Post("/communities/{map}/again", s.page(with(s.mapOf, s.handleMapAgain)))
	r.Post("/communities/{map}/topic", s.page(with(s.mapOf, s.handleMapTopic)))
	r.Get("/communities/{map}/delete", s.page(ask(s, s.mapOf, "map-delete", layout{Title: "Delete a map", Section: "communities"},
		func(m maps.Map) any { return lineOf(m) })))
	r.Post("/communities/{map}/delete", s.page(order(s.mapID, s.Maps, Maps.Delete, always(mapsPath), "map-deleted")))
	r.Get("/communities/{map}/report", s.page(with(s.viewOf, s.handleMapReport)))
	r.Post("/communities/{map}/mark", s.page(with(s.viewOf, s.handleMapMark)))
	r.Get("/communities/{map}/pages/{fetch}", s.page(with(s.viewOf, s.handleMapTrail)))
	r.Get("/communities/{map}/{community}", s.page(with(s.viewOf, s.handleCommunity)))
	r.Post("/communities/{map}/{community}/like", s.page(with(s.viewOf, s.handleCommunityLike)))
}

func (s *Server) wordnetRoutes(r chi.Router) {
	r.Get(wordnetPath, s.page(s.handleWordNet))
	r.Post(wordnetPath, s.page(s.handleWordNetAdd))
	r.Get("/explore/wordnet/get", s.page(s.handleWordNetAsk("wordnet-get", "Get WordNet")))
	r.Post("/explore/wordnet/get", s.page(s.handleWordNetGet))
	r.Post("/explore/wordnet/stop", s.page(s.handleWordNetStop))
	r.Get("/explore/wordnet/remove", s.page(s.handleWordNetAsk("wordnet-remove", "Remove WordNet")))
	r.Post("/explore/wordnet/remove", s.page(s.handleWordNetRemove))
}

// settingRoutes are the routes of settings, the doctor, and everything around the pages.
func (s *Server) settingRoutes(r chi.Router) {
	r.Get("/settings", s.page(s.handleSettings))
	r.Post("/settings", s.page(s.handleSettingsSave))
	r.Post("/settings/pairing/open", s.page(s.handlePairingOpen))
	r.Post("/settings/pairing/page", s.page(s.handlePairingPage))
	r.Post("/settings/pairing/approve", s.page(s.handlePairingApprove))
	r.Post("/settings/pairing/refuse", s.page(s.handlePairingRefuse))
	r.Post("/settings/browsers/revoke", s.page(s.handleRevoke))
	r.Post("/settings/sites/allow", s.page(s.handleSiteAllow))
	r.Post("/settings/tokens", s.page(s.handleTokenMake))
	r.Post("/settings/tokens/{id}/revoke", s.page(order(pathID, s.Store.DB, revokeToken, always("/settings"), "token-revoked#programs")))
	r.Post("/settings/notices", s.page(s.handleNoticesSave))
	r.Post("/settings/notices/test", s.page(s.handleNoticesTest))
	r.Post("/settings/workers", s.page(s.handleWorkersSave))
	r.Post("/settings/workers/invite", s.page(s.handleWorkerInvite))
	r.Post("/settings/workers/file", s.page(s.handleWorkerFile))
	r.Post("/settings/archive/prune", s.page(s.handlePrune))
	r.Get("/settings/backup", s.page(s.handleBackup))
	r.Post("/settings/backups/make", s.page(s.handleBackupMake))
	r.Post(restorePath, s.page(s.handleRestore))
	r.Post("/settings/restore/confirm", s.page(s.handleRestoreConfirm))
	r.Get("/settings/space", s.page(s.handleSpace))
	r.Get("/settings/erase", s.page(s.handleEraseAsk))
	r.Post("/settings/erase", s.page(s.handleErase))
	r.Get("/settings/erasing", s.page(s.handleErasing))
	r.Post("/settings/copies/delete", s.page(s.handleDeleteCopy))
	r.Post("/settings/erase-all", s.page(s.handleEraseAll))
	r.Get("/doctor", s.page(s.handleDoctor))
	r.Post("/notices/dismiss", s.page(s.handleDismiss))
	r.Post("/logout", s.page(s.handleLogout))
	r.Get("/api", s.page(s.handleAPI))

	r.Get("/events", s.page(s.handleEvents))
}
