package store_test

import (
	"context"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/rescue"
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
}
