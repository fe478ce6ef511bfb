package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// eraseAllWord must be typed before everything is erased.
const eraseAllWord = "erase everything"

// erasePage asks for confirmation before a site is erased.
type erasePage struct {
	Host   string
	Plan   store.ErasePlan
	Copies []string // of the database from before updates; they are not erased
}

// handleBackup sends a copy of the database, made while it is in use.
func (s *Server) handleBackup(w http.ResponseWriter, r *http.Request) error {
	dir, err := os.MkdirTemp(filepath.Dir(s.Store.Path()), "backup-")
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	name := filepath.Join(dir, "nightjar.db")
	if err := s.Store.Backup(r.Context(), name); err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	w.Header().Set("Content-Type", "application/vnd.sqlite3")
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	attachment(w, "nightjar-"+s.Now().Format("2006-01-02")+".db")
	_, _ = io.Copy(w, f) // fails when the client is gone
	return nil
}

// siteHost returns the host of a site that a person typed as a host or as a URL.
func siteHost(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if !strings.Contains(typed, "://") {
		typed = "https://" + typed
	}
	address, err := weburl.Canonical(typed)
	if err != nil || weburl.Host(address) == "" {
		return "", badInput{"that is not the name of a site; it should look like example.org"}
	}
	host := weburl.Host(address)
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	return strings.TrimPrefix(host, "www."), nil
}

// handleEraseAsk says what erasing a site would delete.
func (s *Server) handleEraseAsk(w http.ResponseWriter, r *http.Request) error {
	host, err := siteHost(r.URL.Query().Get("host"))
	if err != nil {
		return err
	}
	p := erasePage{Host: host}
	if p.Plan, err = s.Store.ErasePlan(r.Context(), host); err != nil {
		return err
	}
	if p.Copies, err = s.Store.Copies(); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "erase", layout{Title: "Erase a site", Section: "settings"}, p)
}

// handleErase erases a site, and trains the models again that had learned from it.
func (s *Server) handleErase(w http.ResponseWriter, r *http.Request) error {
	host, err := siteHost(r.PostFormValue("host"))
	if err != nil {
		return err
	}
	ctx := r.Context()
	if r.PostFormValue("never") == "on" {
		settings, err := s.Store.Settings(ctx)
		if err != nil {
			return err
		}
		settings.NeverRecord = append(settings.NeverRecord, host)
		if err := s.Store.SaveSettings(ctx, settings); err != nil {
			return err
		}
		s.tell("settings")
	}
	if err := s.stopCrawls(ctx, "a site was erased"); err != nil { // what it has in memory must not come back
		return err
	}
	if err := s.eraseArchived(ctx, func(url string) bool { return store.OnHost(url, host) }); err != nil {
		return err
	}
	topics, err := s.Store.EraseHost(ctx, host)
	if err != nil {
		return err
	}
	s.bundles.drop()
	for _, id := range topics {
		s.Trainer.Submit(id)
	}
	return done(w, r, "/settings", "erased")
}

// stopCrawls stops every open crawl.
func (s *Server) stopCrawls(ctx context.Context, reason string) error {
	crawls, err := s.Store.OpenCrawls(ctx)
	if err != nil {
		return err
	}
	for _, c := range crawls {
		if err := s.Scheduler.Stop(ctx, c.ID, reason); err != nil {
			return err
		}
	}
	return nil
}

// handleEraseAll erases everything but the dashboard's host name and the logins.
func (s *Server) handleEraseAll(w http.ResponseWriter, r *http.Request) error {
	if strings.ToLower(strings.TrimSpace(r.PostFormValue("confirm"))) != eraseAllWord {
		return badInput{"nothing was erased; type “" + eraseAllWord + "” to confirm"}
	}
	ctx := r.Context()
	browsers, err := s.Store.BrowserViews(ctx)
	if err != nil {
		return err
	}
	for _, b := range browsers {
		if err := s.Ingest.Revoke(ctx, b.Client); err != nil {
			return err
		}
	}
	if err := s.stopCrawls(ctx, "everything was erased"); err != nil {
		return err
	}
	if s.Archive != nil {
		if err := s.Archive.EraseAll(); err != nil {
			return err
		}
	}
	if err := s.Store.EraseAll(ctx); err != nil {
		return err
	}
	s.bundles.drop()
	s.tell("settings")
	return done(w, r, "/settings", "all-gone")
}

// eraseArchived erases the pages with these addresses from the archive.
func (s *Server) eraseArchived(ctx context.Context, match func(url string) bool) error {
	if s.Archive == nil {
		return nil
	}
	_, err := s.Archive.Erase(match, func(file string, to map[int64]int64) error { return s.Store.MoveArchived(ctx, file, to) })
	return err
}
