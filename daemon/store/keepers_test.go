package store_test

import (
	"context"
	"testing"

	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
)

func init() {
	store.Keep.Save = func(ctx context.Context, from, to string) error {
		_, err := rescue.Save(ctx, from, to)
		return err
	}
	store.Keep.Traces = func(ctx context.Context, s *store.Store, host string) (store.Traces, error) {
		p, err := erasing.PlanFor(ctx, s.DB, host)
		return store.Traces{
			Fetches: p.Fetches, Finds: p.Finds, Frontier: p.Frontier, Contacts: p.Contacts, Found: p.Found, Maps: p.Maps, Links: p.Links, Groups: p.Groups,
			Empty: p.Empty(),
		}, err
	}
	store.Keep.EraseHost, store.Keep.EraseAll = erasing.Host, erasing.All
	store.Keep.EraseRows = func(ctx context.Context, s *store.Store, host string) error {
		one, err := erasing.Begin(ctx, s.DB, host)
		if err != nil {
			return err
		}
		return erasing.Rows(ctx, s, &one)
	}
	store.Keep.Known = func(ctx context.Context, s *store.Store, topic int64) ([]string, string, error) {
		k, err := trainingdata.KnownOf(ctx, s.DB, topic)
		return k.Sessions, k.Milestones, err
	}
	store.Keep.Marked = func(ctx context.Context, s *store.Store, topic int64) (all []string, err error) {
		finds, err := trainingdata.MarkedFinds(ctx, s.DB, topic)
		for _, f := range finds {
			all = append(all, map[bool]string{true: "+", false: "-"}[f.Useful]+f.Trail[len(f.Trail)-1].URL)
		}
		return all, err
	}
	store.Keep.Mapped = func(tb testing.TB) (*store.Store, int64, store.Crawl, int64) {
		s, d, c, m := mapstest.Mapped(tb)
		return s, d.ID, c, m.ID
	}
	store.Keep.PutPositives = func(ctx context.Context, s *store.Store, document int64, url string) error {
		return trainingdata.PutPositives(ctx, s.DB, document, []trainingdata.Positive{{URL: url}})
	}
	store.Keep.DeleteMap = func(ctx context.Context, s *store.Store, id int64) error { return maps.Delete(ctx, s.DB, id) }
	store.Keep.ForgetModel = func(ctx context.Context, s *store.Store, id int64) error { return models.Forget(ctx, s.DB, id) }
	store.Keep.Facts, store.Keep.MapOptions = &models.Facts{}, &maps.Options{}
}
