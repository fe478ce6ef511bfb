package pages

import (
	"context"

	"nightjar/daemon/chart"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/web/frame"
)

// promised draws what the next pages of a crawl promised, and says who got the rest of the budget when it ended early.
func (s *server) promised(ctx context.Context, p *crawlPage) error {
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
	p.Promised = frame.PlotsOf("promise", "Useful pages promised by the next 100, over pages fetched", 760,
		func(width float64) chart.Plot { return chart.Promised(c, width) }, "Pages fetched", "Useful pages promised by the next 100")
	return nil
}
