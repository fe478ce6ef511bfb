package scheduler

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/store"
)

// longestDelay is the longest time that a host may ask to be left alone for.
const longestDelay = 24 * time.Hour

// openFetcher makes the fetcher, once for all crawls that run at a time: they share its politeness to hosts.
func (s *Scheduler) openFetcher(ctx context.Context) (fetch.Fetcher, error) {
	if s.fetcher != nil {
		return s.fetcher, nil
	}
	settings, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if s.o.Fetcher != nil {
		s.fetcher, err = s.o.Fetcher(settings)
		return s.fetcher, err
	}
	o, err := s.liveOptions(settings)
	if err != nil {
		return nil, err
	}
	o.Known = s.st.KnownPage
	if o.Asked, err = s.st.LastAsked(ctx, s.o.Clock.Now().Add(-longestDelay)); err != nil {
		return nil, err
	}
	s.fetcher = fetch.NewLive(o)
	return s.fetcher, nil
}

// liveOptions are the settings and the command line as the live fetcher takes them.
func (s *Scheduler) liveOptions(settings store.Settings) (fetch.LiveOptions, error) {
	o := fetch.LiveOptions{
		Delay:     time.Duration(settings.Delay * float64(time.Second)),
		UserAgent: userAgent(s.o.Version, settings.Contact),
		Self:      s.o.Self,
		Clock:     s.o.Clock,
	}
	for _, text := range slices.Concat(settings.Resolve, s.o.Resolve) {
		r, err := fetch.ParseResolve(text)
		if err != nil {
			return o, err
		}
		o.Resolve = append(o.Resolve, r)
	}
	for _, text := range slices.Concat(settings.AllowPrivate, s.o.AllowPrivate) {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return o, fmt.Errorf("allow private addresses %q: %w", text, err)
		}
		o.AllowPrivate = append(o.AllowPrivate, p.Masked())
	}
	return o, nil
}

// userAgent says honestly who asks, and how to reach the person behind it when they gave a contact.
func userAgent(version, contact string) string {
	if version == "" {
		version = "0"
	}
	if contact == "" {
		return "Nightjar/" + version
	}
	return fmt.Sprintf("Nightjar/%s (+%s)", version, contact)
}
