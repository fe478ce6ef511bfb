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
	"nightjar/daemon/night/settings"
)

// openWeb returns what crawls in memory and borrowers share. The first of them creates it from the present settings. Each
// calls leaveWeb when it needs the web no more.
func (s *Scheduler) openWeb(ctx context.Context) (*web, error) {
	s.webs.Lock()
	defer s.webs.Unlock()
	if s.web == nil {
		w, err := s.newWeb(ctx)
		if err != nil {
			return nil, err
		}
		s.web = w
	}
	s.users++
	return s.web, nil
}

func (s *Scheduler) newWeb(ctx context.Context) (*web, error) {
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
func (s *Scheduler) liveOptions(chosen settings.Settings) (fetch.LiveOptions, error) {
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
		Refuse:    s.refuses,
	}
	return o, o.Open(slices.Concat(chosen.Resolve, s.o.Resolve), slices.Concat(chosen.AllowPrivate, s.o.AllowPrivate))
}

// Refusal returns a function that says why crawls refuse an address with the present settings; nil if they do not.
func (s *Scheduler) Refusal(ctx context.Context) (func(url string) error, error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.readRefused(ctx); err != nil {
		return nil, err
	}
	o, err := s.liveOptions(chosen)
	return o.Refusal(), err
}

// Hands makes hands of this process that keep to the terms of tasks, with the present settings.
func (s *Scheduler) Hands(ctx context.Context) (*work.Hands, error) {
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
