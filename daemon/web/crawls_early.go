package web

import (
	"context"

	"nightjar/daemon/chart"
	"nightjar/daemon/night/crawls"
)

// earlyLine is a crawl that ended since the next pages promised too little, and who got the rest of its night's budget.
type earlyLine struct {
	crawls.View
	Rest []crawls.NightRest
}

// endedEarly lists the crawls of the last night that ended early.
func (s *Server) endedEarly(ctx context.Context) (all []earlyLine, err error) {
	early, err := crawls.EndedEarly(ctx, s.Store.DB)
	for _, c := range early {
		rest, err := crawls.RestOfNight(ctx, s.Store.DB, c)
		if err != nil {
			return nil, err
		}
		all = append(all, earlyLine{c, rest})
	}
	return all, err
}

// promised draws what the next pages of a crawl promised, and says who got the rest of the budget when it ended early.
func (s *Server) promised(ctx context.Context, p *crawlPage) error {
	points, err := crawls.Promises(ctx, s.Store.DB, p.Crawl.ID, curvePoints)
	if err != nil {
		return err
	}
	if p.Crawl.Early {
		if p.Rest, err = crawls.RestOfNight(ctx, s.Store.DB, p.Crawl); err != nil {
			return err
		}
	}
	if len(points) < 2 {
		return nil
	}
	c := chart.Promise{Wanted: p.Options.StopBelow, Ended: p.Crawl.Early}
	for _, at := range points {
		c.Fetched, c.Next = append(c.Fetched, at.Fetched), append(c.Next, at.Next)
	}
	p.Promised = plotsOf("promise", "Useful pages promised by the next 100, over pages fetched", 760,
		func(width float64) chart.Plot { return chart.Promised(c, width) }, "Pages fetched", "Useful pages promised by the next 100")
	return nil
}
