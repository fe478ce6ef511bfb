package web

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"

	"nightjar/daemon/base/loopback"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templateFiles embed.FS

// Server is the dashboard.
type Server struct {
	*frame.Frame
	Deps
	host   string // the dashboard's own host:port
	local  loopback.Hosts
	logins logins
	assets *assets

	tokens   *token.Keeper
	programs *api.Handler // the API and the feeds; nil when damaged
}

// New makes the dashboard of a store. The store keeps its host name, so that it stays the same after a restart.
func New(ctx context.Context, d Deps) (*Server, error) {
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
	s.tokens = token.NewKeeper(d.Store, d.Now)
	reader := &api.Reader{Store: d.Store, Version: d.Version, Running: true, Now: d.Now, WordNet: d.Words}
	s.programs = &api.Handler{Reader: reader, Tokens: s.tokens, Log: d.Log, Identity: name}
	s.frame()
	s.routes()
	s.wings()
	return s, nil
}

// wings adds the pages of the wings.
func (s *Server) wings() {
	for _, wing := range s.Wings(s) {
		wing.Register(s.Frame)
	}
}

// frame makes the frame of the pages, with the routes that every dashboard has.
func (s *Server) frame() {
	s.Frame = frame.New(frame.Options{Log: s.Log, Now: s.Now, DataDir: s.DataDir, Host: s.host,
		Asset: s.assets.url, Login: s.requireLogin, Around: s.around, Explain: s.explainTrouble})
	s.Add(templateFiles, template.FuncMap{"spaced": func(t string) string { return strings.Join(strings.Split(t, ""), " ") }}, mistake)
	s.Router().Get("/login", s.Open(s.handleLogin))
	s.Router().Get("/static/{hash}/{name}", s.Open(s.handleAsset))
	s.Post("/logout", s.handleLogout)
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
	s.Frame.Close()
	s.logins.close()
}

// Handler serves every route of the dashboard.
func (s *Server) Handler() http.Handler { return s.gate(s.Router()) }

// Pages lists the patterns of the pages that a browser can get, in the order of the route table: "/finds/{id}/copy".
func (s *Server) Pages() []string {
	var all []string
	for _, r := range s.Router().Routes() {
		if _, ok := r.Handlers[http.MethodGet]; ok {
			all = append(all, r.Pattern)
		}
	}
	return all
}

// Reader returns what answers programs. A dashboard of a damaged database has none.
func (s *Server) Reader() *api.Reader { return s.programs.Reader }

// routes is the table of what the dashboard serves under its own host, without the pages of wings. Under 127.0.0.1 and localhost it
// serves handleElsewhere alone. Package api has the addresses for programs, which every host of ours serves.
func (s *Server) routes() {
	s.Router().NotFound(s.Open(func(http.ResponseWriter, *http.Request) error { return frame.ErrNoPage }))
	s.Router().Post("/login", s.Open(s.handleLoginForm))
	s.Get("/start", s.handleStart)
	s.Get("/settings", s.handleSettings)
	s.Post("/settings", s.handleSettingsSave)
	s.Post("/settings/pairing/open", s.handlePairingOpen)
	s.Post("/settings/pairing/page", s.handlePairingPage)
	s.Post("/settings/pairing/approve", s.handlePairingApprove)
	s.Post("/settings/pairing/refuse", s.handlePairingRefuse)
	s.Post("/settings/browsers/revoke", s.handleRevoke)
	s.Post("/settings/tokens", s.handleTokenMake)
	s.Post("/settings/tokens/{id}/revoke", frame.Order(frame.PathID, s.Store.DB, revokeToken, frame.Always("/settings"), "token-revoked#programs"))
	s.Post("/settings/tokens/{id}/allow", frame.With(frame.PathID, s.handleTokenAllow))
	s.Post("/settings/notices", s.handleNoticesSave)
	s.Post("/settings/notices/test", s.handleNoticesTest)
	s.Post("/notices/dismiss", s.handleDismiss)

	s.Get("/events", s.handleEvents)
}

// mistake returns the text of an error about the person's input, and "" for any other error.
func mistake(err error) string {
	if frame.Is[*notice.Failure](err) {
		return frame.Printable(err.Error())
	}
	return frame.FirstOf(err, token.ErrName, token.ErrScope, token.ErrFull)
}

// NewDamaged makes the dashboard of a damaged database: logging in, and the pages of d.Wings. It writes nothing: logins are
// kept in memory, beside those that can be read. d.Store is open for reading, or nil.
func NewDamaged(ctx context.Context, d Deps) (*Server, error) {
	local, port, err := d.addresses()
	if err != nil {
		return nil, err
	}
	s := &Server{Deps: d, local: local, assets: newAssets()}
	known := map[string]time.Time{}
	name := ""
	if d.Store != nil {
		if _, err := d.Store.Setting(ctx, identityKey, &name); err != nil {
			name = ""
		}
		if _, err := d.Store.Setting(ctx, loginsKey, &known); err != nil || known == nil {
			known = map[string]time.Time{}
		}
	}
	if !identityForm.MatchString(name) {
		name = newIdentity()
	}
	s.host = name + ":" + port
	s.logins = logins{now: d.Now, known: known}
	s.frame()
	s.wings()
	return s, nil
}

// Stay keeps the dashboard's host name and the logins in a store that is put in place of the damaged one.
func (s *Server) Stay(ctx context.Context, st *store.Store) error {
	name, _, err := net.SplitHostPort(s.host)
	if err != nil {
		return err
	}
	s.logins.mu.Lock()
	defer s.logins.mu.Unlock()
	return errors.Join(st.SetSetting(ctx, identityKey, name), st.SetSetting(ctx, loginsKey, s.logins.known))
}
