package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/backup"
	"nightjar/daemon/store"
)

// eraseAllWord must be typed before everything is erased.
const eraseAllWord = "erase everything"

// erasePage asks for confirmation before a site is erased.
type erasePage struct {
	Host   string
	Plan   *store.ErasePlan // nil before it was counted
	Wait   *waiting         // nil unless it is being counted
	Copies []string         // of the database from before updates; they are not erased
}

// handleBackup sends a backup, made while the data is in use: with the archive, when the query asks for it.
func (s *Server) handleBackup(w http.ResponseWriter, r *http.Request) error {
	o := backup.Options{Program: s.Version, Now: s.Now()}
	if r.URL.Query().Get("archive") != "" && s.Archive != nil {
		o.Archive = s.Archive.Dir()
	}
	w.Header().Set("Content-Type", "application/zip")
	attachment(w, "nightjar-"+s.Now().Format("2006-01-02")+backup.Suffix)
	out := &begun{ResponseWriter: w}
	err := backup.Write(r.Context(), out, s.Store, o)
	if err == nil || !out.yes {
		return err
	}
	s.Log.Warn("a backup ended early", "err", err)
	panic(http.ErrAbortHandler) // so that the browser does not take half a file for a whole one
}

// begun notes whether a response has begun.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) Write(data []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(data)
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

// handleEraseAsk asks before a site is erased. What would be deleted is counted when the query asks for it, since that means
// to look at every stored address: the page's script asks for the part alone, its link for the whole page. Either is
// answered within a glance, with the numbers or with how long they are being counted.
func (s *Server) handleEraseAsk(w http.ResponseWriter, r *http.Request) error {
	host, err := siteHost(r.URL.Query().Get("host"))
	if err != nil {
		return err
	}
	p := erasePage{Host: host}
	if r.URL.Query().Get("count") != "" {
		plan, wait, err := counted(r.Context(), s.counts, "erase "+host, func(ctx context.Context) (store.ErasePlan, error) {
			return s.Store.ErasePlan(ctx, host)
		})
		if err != nil {
			return err
		}
		if p.Wait = wait; wait == nil {
			p.Plan = &plan
		}
	}
	if r.Header.Get("X-Fragment") != "" {
		return s.execute(w, http.StatusOK, "erase", "erase-plan", p)
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
	old, err := backup.OldFolders(s.DataDir)
	for _, dir := range old {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		return fmt.Errorf("erase the data of before a restore: %w", err)
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
