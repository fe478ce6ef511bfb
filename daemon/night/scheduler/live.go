package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/crawler/work/apart"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// use returns what crawls in memory and borrowers share. The first of them creates it from the present settings. Each
// calls leave when it needs the web no more.
func (s *Shared) use(ctx context.Context) (*web, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.web == nil {
		w, err := s.make(ctx)
		if err != nil {
			return nil, err
		}
		s.web = w
	}
	s.users++
	return s.web, nil
}

func (s *Shared) make(ctx context.Context) (*web, error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if s.o.Fetcher != nil {
		f, err := s.o.Fetcher(chosen)
		if err != nil {
			return nil, err
		}
		return &web{fetcher: f}, nil
	}
	o, err := s.liveOptions(chosen)
	if err != nil {
		return nil, err
	}
	o.Memory = s.o.Hosts
	if o.Hosts, err = s.o.Hosts.Load(ctx); err != nil {
		return nil, err
	}
	live := fetch.NewLive(o)
	if s.o.Leases != nil {
		if err := s.o.Leases.Open(ctx, live, o.Keep); err != nil {
			return nil, errors.Join(err, live.Close())
		}
	}
	w := &web{fetcher: live, lends: s.o.Leases != nil, renderer: s.openRenderer(live, chosen.Render)}
	if o.Keep {
		w.archive = s.openArchive(chosen, o.UserAgent)
	}
	return w, nil
}

// liveOptions returns the options of the live fetcher from the settings and the command line.
func (s *Shared) liveOptions(chosen settings.Settings) (fetch.LiveOptions, error) {
	o := fetch.LiveOptions{
		Delay:     time.Duration(chosen.Delay * float64(time.Second)),
		UserAgent: UserAgent(s.o.Version, chosen.Contact),
		Self:      s.o.Self,
		SelfNow:   s.o.SelfNow,
		Dial:      s.o.Dial,
		Page:      s.o.Page,
		Clock:     s.o.Clock,
		Sitemaps:  chosen.Sitemaps,
		Probe:     true,
		Keep:      chosen.Archive.Enabled && s.o.Archive != nil,
		Known:     crawls.KnownPages(s.st.DB),
		Refuse:    s.refused.has,
	}
	return o, o.Open(slices.Concat(chosen.Resolve, s.o.Resolve), slices.Concat(chosen.AllowPrivate, s.o.AllowPrivate))
}

// Refusal returns a function that says why crawls refuse an address with the present settings; nil if they do not.
func (s *Shared) Refusal(ctx context.Context) (func(url string) error, error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.refused.read(ctx, s.st); err != nil {
		return nil, err
	}
	o, err := s.liveOptions(chosen)
	return o.Refusal(), err
}

// Hands makes hands of this process that keep to the terms of tasks, with the present settings.
func (s *Shared) Hands(ctx context.Context) (*work.Hands, error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.liveOptions(chosen)
	if err != nil {
		return nil, err
	}
	hands := work.NewRemote("", o)
	hands.ReadApart(apart.Read)
	return hands, nil
}

// UserAgent names the program and, if the person gave one, a contact.
func UserAgent(version, contact string) string {
	if version == "" {
		version = "0"
	}
	if contact == "" {
		return "Nightjar/" + version
	}
	return fmt.Sprintf("Nightjar/%s (+%s)", version, contact)
}
