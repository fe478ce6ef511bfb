package pages

import (
	"context"
	"net/http"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/web/frame"
)

// eraseAllWord must be typed before everything is erased.
const eraseAllWord = "erase everything"

// erasePage asks for confirmation before a site is erased.
type erasePage struct {
	Host string
	Plan *erasing.Plan  // nil before it was counted
	Wait *frame.Waiting // nil unless it is being counted
	Kept int            // automatic backups, which may hold the site
	copiesPart
}

// handleBackup sends a backup, made while the data is in use: with the archive, when the query asks for it.
func (s *server) handleBackup(w http.ResponseWriter, r *http.Request) error {
	o := backup.Options{Program: s.Version, Now: s.Now()}
	if r.URL.Query().Get("archive") != "" {
		o.Archive = s.Archive.Dir()
	}
	w.Header().Set("Content-Type", "application/zip")
	frame.Attachment(w, "nightjar-"+s.Now().Format("2006-01-02")+backup.Suffix)
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
		return "", frame.BadInput("that is not the name of a site; it should look like example.org")
	}
	return strings.TrimPrefix(weburl.WithoutPort(weburl.Host(address)), "www."), nil
}

// handleEraseAsk asks before a site is erased. What would be deleted is counted when the query asks for it, since that means
// to look at every stored address: the page's script asks for the part alone, its link for the whole page. Either is
// answered within a glance, with the numbers or with how long they are being counted.
func (s *server) handleEraseAsk(w http.ResponseWriter, r *http.Request) error {
	host, err := siteHost(r.URL.Query().Get("host"))
	if err != nil {
		return err
	}
	p := erasePage{Host: host}
	p.Plan, p.Wait, err = frame.CountedIfAsked(r, s.Counts, "erase "+host, func(ctx context.Context) (erasing.Plan, error) { return s.Erasing.Plan(ctx, host) })
	if err != nil {
		return err
	}
	if r.Header.Get("X-Fragment") != "" {
		return s.Execute(w, http.StatusOK, "erase", "erase-plan", p)
	}
	if p.copiesPart, err = s.keptCopies(); err != nil {
		return err
	}
	for _, c := range p.Copies {
		if c.Kind != safekeeping.Update {
			p.Kept++
		}
	}
	return s.Render(w, r, http.StatusOK, "erase", frame.Layout{Title: "Erase a site", Section: "settings"}, p)
}

// handleErase begins to erase a site, and shows how far that is.
func (s *server) handleErase(w http.ResponseWriter, r *http.Request) error {
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
		s.tell()
	}
	if _, err := s.Erasing.Begin(ctx, host); err != nil {
		return err
	}
	if r.PostFormValue("backups") == "on" {
		if err := s.Backups.Erase(); err != nil {
			return err
		}
	}
	return frame.SeeOther(w, r, "/settings/erasing")
}

// handleEraseAll erases everything but the dashboard's host name and the logins.
func (s *server) handleEraseAll(w http.ResponseWriter, r *http.Request) error {
	if strings.ToLower(strings.TrimSpace(r.PostFormValue("confirm"))) != eraseAllWord {
		return frame.BadInput("nothing was erased; type “" + eraseAllWord + "” to confirm")
	}
	err := s.EraseAll(r.Context())
	if trouble.Of(err) != "" && erasing.AllBegun(s.Store.DB) { // it is tried again until it succeeds
		s.Troubles.Saw(err)
		s.Log.Error("everything is to be erased, and is not yet", "error", err)
		s.tell()
		return frame.Done(w, r, "/settings", "all-goes")
	}
	if err != nil {
		return err
	}
	s.tell()
	return frame.Done(w, r, "/settings", "all-gone")
}
