package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/reached"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
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
		p, err := erasing.PlanFor(ctx, s.DB, wings.Erasing, host)
		return store.Traces{
			Fetches: p.Fetches, Finds: p.Finds, Frontier: p.Frontier, Contacts: p.Contacts, Found: p.Found, Maps: p.Maps, Links: p.Links, Groups: p.Groups,
			Empty: p.Empty(),
		}, err
	}
	store.Keep.EraseHost = func(ctx context.Context, s *store.Store, host string) ([]int64, error) {
		return erasing.Host(ctx, s, wings.Erasing, host)
	}
	store.Keep.EraseAll = erasing.All
	store.Keep.EraseRows = func(ctx context.Context, s *store.Store, host string) error {
		one, err := erasing.Begin(ctx, s.DB, host)
		if err != nil {
			return err
		}
		return erasing.Rows(ctx, s, wings.Erasing, &one)
	}
	store.Keep.Known = func(ctx context.Context, s *store.Store, topic int64) ([]string, string, error) {
		k, err := trainingdata.KnownOf(ctx, s.DB, topic)
		return k.Sessions, k.Milestones, err
	}
	store.Keep.Startable = func(ctx context.Context, s *store.Store) ([]int64, error) { return startpages.Topics(ctx, s.DB) }
	store.Keep.Marked = func(ctx context.Context, s *store.Store, topic int64) (all []string, err error) {
		finds, err := trainingdata.MarkedFinds(ctx, s.DB, topic, trainingdata.AllMarks)
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
	store.Keep.Progress = func(ctx context.Context, s *store.Store, crawl int64) (string, error) {
		looks, err1 := progress.LooksOf(ctx, s.DB, crawl)
		outcomes, err2 := progress.Outcomes(ctx, s.DB, crawl)
		hosts, err3 := progress.Hosts(ctx, s.DB, crawl)
		curve, err4 := progress.Curve(ctx, s.DB, crawl, 100)
		ledger, err5 := progress.Ledger(ctx, s.DB, crawl)
		var last progress.CurvePoint
		if len(curve) > 0 {
			last = curve[len(curve)-1]
		}
		requests := map[string]int{}
		for _, h := range ledger {
			requests[h.Host] = h.Requests
		}
		return fmt.Sprintf("looks %+v, outcomes %+v, hosts %+v, %d points to %+v, requests %v", looks, outcomes, hosts, len(curve), last, requests),
			errors.Join(err1, err2, err3, err4, err5)
	}
	store.Keep.CrawlView = func(ctx context.Context, s *store.Store, crawl int64) (store.Viewed, error) {
		v, err := crawls.ByID(ctx, s.DB, crawl)
		return store.Viewed{
			Early: v.Early, CanGoOn: v.CanGoOn, Ended: !v.Live(), StopReason: v.StopReason, Unlearned: v.Unlearned,
			LearnedAt: v.LearnedAt, Learned: v.Learned, Fetched: v.Fetched,
		}, err
	}
	store.Keep.FrontierCounts = func(ctx context.Context, s *store.Store, crawl int64) (queued, dropped int, err error) {
		return crawls.FrontierCounts(ctx, s.DB, crawl)
	}
	store.Keep.TopicViews = func(ctx context.Context, s *store.Store) (all []store.TopicParts, err error) {
		topics, err := overview.Topics(ctx, s.DB)
		for _, t := range topics {
			all = append(all, store.TopicParts{ID: t.ID, Name: t.Name, Sessions: t.Sessions, Members: t.Members})
		}
		return all, err
	}
	store.Keep.Trail = func(ctx context.Context, s *store.Store, fetch int64) (all []store.Step, err error) {
		trail, err := finds.Trail(ctx, s.DB, fetch)
		for _, step := range trail {
			all = append(all, store.Step{URL: step.URL, List: step.List, Why: step.Why, Evidence: step.Evidence})
		}
		return all, err
	}
	store.Keep.StartLeads = func(ctx context.Context, s *store.Store, topic int64) (map[string]int, error) {
		return reached.From(ctx, s.DB, topic)
	}
	store.Keep.CountLeads = reached.Count
}
