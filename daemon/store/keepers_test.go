package store_test

import (
	"context"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/reached"
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
	store.Keep.EraseHost = func(ctx context.Context, s *store.Store, host string) ([]int64, error) {
		return erasing.Host(ctx, s, wings.Erasing, host)
	}
	store.Keep.EraseAll = erasing.All
	store.Keep.Known = func(ctx context.Context, s *store.Store, topic int64) ([]string, string, error) {
		k, err := trainingdata.KnownOf(ctx, s.DB, topic)
		return k.Sessions, k.Milestones, err
	}
	store.Keep.Startable = func(ctx context.Context, s *store.Store) ([]int64, error) { return startpages.Topics(ctx, s.DB) }
	store.Keep.Mapped = func(tb testing.TB) (s *store.Store, document, topic, crawl, drawn int64) {
		s, d, c, m := mapstest.Mapped(tb)
		return s, d.ID, c.TopicID, c.ID, m.ID
	}
	store.Keep.EndCrawl = func(ctx context.Context, s *store.Store, id int64, reason string) error {
		return crawls.End(ctx, s.DB, id, reason)
	}
	store.Keep.PutPositives = func(ctx context.Context, s *store.Store, document int64, url string) error {
		return trainingdata.PutPositives(ctx, s.DB, document, []trainingdata.Positive{{URL: url}})
	}
	store.Keep.DeleteMap = func(ctx context.Context, s *store.Store, id int64) error { return maps.Delete(ctx, s.DB, id) }
	store.Keep.Facts, store.Keep.CrawlOptions, store.Keep.MapOptions = &models.Facts{}, &crawls.Options{}, &maps.Options{}
	store.Keep.TopicViews = func(ctx context.Context, s *store.Store) (all []store.TopicParts, err error) {
		topics, err := overview.Topics(ctx, s.DB)
		for _, t := range topics {
			all = append(all, store.TopicParts{ID: t.ID, Name: t.Name, Sessions: t.Sessions, Members: t.Members})
		}
		return all, err
	}
	store.Keep.StartLeads = func(ctx context.Context, s *store.Store, topic int64) (map[string]int, error) {
		return reached.From(ctx, s.DB, topic)
	}
	store.Keep.CountLeads = reached.Count
}
