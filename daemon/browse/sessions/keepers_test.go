package sessions_test

import (
	"context"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/reached"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
)

func init() {
	sessions.Keep.EraseHost = func(ctx context.Context, s *store.Store, host string) ([]int64, error) {
		return erasing.Host(ctx, s, wings.Erasing, host)
	}
	sessions.Keep.EraseAll = erasing.All
	sessions.Keep.Known = func(ctx context.Context, s *store.Store, topic int64) ([]string, string, error) {
		k, err := trainingdata.KnownOf(ctx, s.DB, topic)
		return k.Sessions, k.Milestones, err
	}
	sessions.Keep.Startable = func(ctx context.Context, s *store.Store) ([]int64, error) { return startpages.Topics(ctx, s.DB) }
	sessions.Keep.Mapped = func(tb testing.TB) (s *store.Store, document, topic, crawl, drawn int64) {
		s, d, c, m := mapstest.Mapped(tb)
		return s, d.ID, c.TopicID, c.ID, m.ID
	}
	sessions.Keep.EndCrawl = func(ctx context.Context, s *store.Store, id int64, reason string) error {
		return crawls.End(ctx, s.DB, id, reason)
	}
	sessions.Keep.PutPositives = func(ctx context.Context, s *store.Store, document int64, url string) error {
		return trainingdata.PutPositives(ctx, s.DB, document, []trainingdata.Positive{{URL: url}})
	}
	sessions.Keep.DeleteMap = func(ctx context.Context, s *store.Store, id int64) error { return maps.Delete(ctx, s.DB, id) }
	sessions.Keep.Facts, sessions.Keep.CrawlOptions, sessions.Keep.MapOptions = &models.Facts{}, &crawls.Options{}, &maps.Options{}
	sessions.Keep.TopicViews = func(ctx context.Context, s *store.Store) (all []sessions.TopicParts, err error) {
		topics, err := overview.Topics(ctx, s.DB)
		for _, t := range topics {
			all = append(all, sessions.TopicParts{ID: t.ID, Name: t.Name, Sessions: t.Sessions, Members: t.Members})
		}
		return all, err
	}
	sessions.Keep.StartLeads = func(ctx context.Context, s *store.Store, topic int64) (map[string]int, error) {
		return reached.From(ctx, s.DB, topic)
	}
	sessions.Keep.CountLeads = reached.Count
}
