package scheduler

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/settings"
)

// openWeb returns what concurrent crawls share. The first of them creates it from the present settings.
func (s *Scheduler) openWeb(ctx context.Context) (*web, error) {
	if s.web != nil {
		return s.web, nil
	}
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if s.o.Fetcher != nil {
		f, err := s.o.Fetcher(chosen)
		if err != nil {
			return nil, err
		}
		s.web = &web{fetcher: f}
		return s.web, nil
	}
	o, err := s.liveOptions(chosen)
	if err != nil {
		return nil, err
	}
	if err := s.recall(ctx, &o); err != nil {
		return nil, err
	}
	live := fetch.NewLive(o)
	w := &web{fetcher: live, renderer: s.openRenderer(live, chosen.Render), pages: chosen.Render.Pages}
	if o.Keep {
		w.archive = s.openArchive(chosen, o.UserAgent)
	}
	s.web = w
	return w, nil
}

// liveOptions returns the options of the live fetcher from the settings and the command line.
func (s *Scheduler) liveOptions(chosen settings.Settings) (fetch.LiveOptions, error) {
	o := fetch.LiveOptions{
		Delay:     time.Duration(chosen.Delay * float64(time.Second)),
		UserAgent: UserAgent(s.o.Version, chosen.Contact),
		Self:      s.o.Self,
		Clock:     s.o.Clock,
		Sitemaps:  chosen.Sitemaps,
		Probe:     true,
		Keep:      chosen.Archive.Enabled && s.o.Archive != nil,
		Known:     s.st.KnownPage,
		Refuse:    s.refuses,
	}
	for _, text := range slices.Concat(chosen.Resolve, s.o.Resolve) {
		r, err := fetch.ParseResolve(text)
		if err != nil {
			return o, err
		}
		o.Resolve = append(o.Resolve, r)
	}
	for _, text := range slices.Concat(chosen.AllowPrivate, s.o.AllowPrivate) {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return o, fmt.Errorf("allow private addresses %q: %w", text, err)
		}
		o.AllowPrivate = append(o.AllowPrivate, p.Masked())
	}
	return o, nil
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
