package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
)

// Server is the dashboard.
type Server struct {
	Deps
	host    string // the dashboard's own host:port
	local   map[string]bool
	handler http.Handler
	own     chi.Routes // the route table
	logins  logins
	pages   pages
	assets  *assets
	bundles bundles
}

// New makes the dashboard of a store. The store keeps its host name, so that it stays the same after a restart.
func New(ctx context.Context, d Deps) (*Server, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	_, port, err := net.SplitHostPort(d.Listen)
	if err != nil {
		return nil, fmt.Errorf("dashboard address: %w", err)
	}
	name, err := identity(ctx, d.Store)
	if err != nil {
		return nil, fmt.Errorf("dashboard host: %w", err)
	}
	s := &Server{Deps: d, host: name + ":" + port, assets: newAssets()}
	s.local = map[string]bool{"127.0.0.1:" + port: true, "localhost:" + port: true}
	s.logins = logins{store: d.Store, now: d.Now}
	s.pages = parsePages(s)
	s.routes()
	return s, nil
}

// Handler serves every route of the dashboard.
func (s *Server) Handler() http.Handler { return s.handler }

// routes is the table of everything that the dashboard serves under its own host. Under 127.0.0.1 and localhost it
// serves handleElsewhere alone.
func (s *Server) routes() {
	own := chi.NewRouter()
	own.NotFound(s.page(func(http.ResponseWriter, *http.Request) error { return errNoPage }))
	own.MethodNotAllowed(s.page(func(http.ResponseWriter, *http.Request) error { return errMethod }))
	own.Get("/login", s.page(s.handleLogin))
	own.Get("/static/{hash}/{name}", s.page(s.handleAsset))

	own.Group(func(r chi.Router) {
		r.Use(s.requireLogin)
		r.Get("/", s.page(s.handleFinds))
		r.Post("/finds/{id}/mark", s.page(s.handleFindMark))
		r.Get("/finds/{id}/copy", s.page(s.handleCopy))

		r.Get("/sessions", s.page(s.handleSessions))
		r.Get("/sessions/{uuid}", s.page(s.handleSession))
		r.Get("/sessions/{uuid}/export", s.page(s.handleSessionExport))
		r.Get("/sessions/{uuid}/delete", s.page(s.handleSessionAsk))
		r.Post("/sessions/{uuid}/delete", s.page(s.handleSessionDelete))
		r.Post("/sessions/{uuid}/milestone", s.page(s.handleMilestone))
		r.Post("/topics/{topic}/milestones/rename", s.page(s.handleMilestoneRename))
		r.Post("/topics/{topic}/milestones/delete", s.page(s.handleMilestoneDelete))
		r.Post("/topics/{topic}/milestones/undo", s.page(s.handleMilestoneUndo))
		r.Post("/topics/{topic}/train", s.page(s.handleTrain))
		r.Post("/topics/{topic}/train/stop", s.page(s.handleTrainStop))
		r.Post("/topics/combine", s.page(s.handleCombine))
		r.Get("/topics/{topic}/parts", s.page(s.handleParts))
		r.Post("/topics/{topic}/rename", s.page(s.handleRename))
		r.Post("/topics/{topic}/dissolve", s.page(s.handleDissolve))
		r.Post("/topics/{topic}/starts", s.page(s.handleStartsTick))
		r.Post("/topics/{topic}/starts/add", s.page(s.handleStartsAdd))

		r.Get("/model", s.page(s.handleModels))
		r.Get("/model/{topic}", s.page(s.handleModel))
		r.Get("/model/{topic}/{version}", s.page(s.handleModel))

		r.Get("/crawls", s.page(s.handleCrawls))
		r.Get("/crawls/{id}", s.page(s.handleCrawl))
		r.Post("/topics/{topic}/run", s.page(s.handleRun))
		r.Post("/crawls/{id}/stop", s.page(s.handleStop))
		r.Post("/crawls/{id}/pause", s.page(s.handlePause))
		r.Post("/crawls/{id}/resume", s.page(s.handleResume))
		r.Get("/crawls/{id}/hosts", s.page(s.handleLedger))
		r.Get("/crawls/{id}/hosts.csv", s.page(s.handleLedgerCSV))

		r.Get("/settings", s.page(s.handleSettings))
		r.Post("/settings", s.page(s.handleSettingsSave))
		r.Post("/settings/pairing/open", s.page(s.handlePairingOpen))
		r.Post("/settings/pairing/approve", s.page(s.handlePairingApprove))
		r.Post("/settings/pairing/refuse", s.page(s.handlePairingRefuse))
		r.Post("/settings/browsers/revoke", s.page(s.handleRevoke))
		r.Post("/settings/archive/prune", s.page(s.handlePrune))
		r.Get("/settings/backup", s.page(s.handleBackup))
		r.Get("/settings/erase", s.page(s.handleEraseAsk))
		r.Post("/settings/erase", s.page(s.handleErase))
		r.Post("/settings/erase-all", s.page(s.handleEraseAll))
		r.Post("/logout", s.page(s.handleLogout))

		r.Get("/events", s.page(s.handleEvents))
	})

	s.own = own
	s.handler = s.gate(own)
}
