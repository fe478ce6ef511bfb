package store_test

import (
	"context"

	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/store"
)

func init() {
	store.Keep.Save = func(ctx context.Context, from, to string) error {
		_, err := rescue.Save(ctx, from, to)
		return err
	}
}
