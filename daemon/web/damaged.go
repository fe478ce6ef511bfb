package web

import (
	"context"
	"errors"
	"net"
	"time"

	"nightjar/daemon/store"
)

// NewDamaged makes the dashboard of a damaged database: logging in, and the pages of d.Wings. It writes nothing: logins are
// kept in memory, beside those that can be read. d.Store is open for reading, or nil.
func NewDamaged(ctx context.Context, d Deps) (*Server, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
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
