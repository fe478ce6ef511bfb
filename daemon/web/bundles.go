package web

import (
	"context"
	"slices"
	"sync"

	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
	"nightjar/model"
)

// maxBundles is the number of decoded models in memory: enough for the finds on one page.
const maxBundles = 8

// bundles caches decoded models until something is erased. A stored model never changes, but its report is added later.
type bundles struct {
	mu       sync.Mutex
	erasures int64 // store.Store.Erasures when the cache was empty
	kept     map[int64]keptBundle
	order    []int64 // least recently used first
}

type keptBundle struct {
	bundle  *model.Bundle
	version int
}

// get reads a model's bundle and its version within the topic.
func (b *bundles) get(ctx context.Context, st *store.Store, id int64) (*model.Bundle, int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := st.Erasures(); b.kept == nil || b.erasures != now {
		b.kept, b.order, b.erasures = map[int64]keptBundle{}, nil, now
	}
	k, ok := b.kept[id]
	if !ok {
		row, err := models.ByID(ctx, st.DB, id)
		if err != nil {
			return nil, 0, err
		}
		if len(row.Encoded()) == 0 { // its data was erased
			return nil, row.Version, store.ErrNotFound
		}
		bundle, err := row.Bundle()
		if err != nil {
			return nil, row.Version, err
		}
		k = keptBundle{bundle, row.Version}
		b.kept[id] = k
	}
	b.touch(id)
	return k.bundle, k.version, nil
}

// assessed is like get, but reads the model again when the cached one has no report.
func (b *bundles) assessed(ctx context.Context, st *store.Store, id int64) (*model.Bundle, error) {
	b.mu.Lock()
	if k, ok := b.kept[id]; ok && k.bundle.Report == nil {
		delete(b.kept, id)
	}
	b.mu.Unlock()
	bundle, _, err := b.get(ctx, st, id)
	return bundle, err
}

func (b *bundles) touch(id int64) {
	b.order = append(slices.DeleteFunc(b.order, func(o int64) bool { return o == id }), id)
	if len(b.order) > maxBundles {
		delete(b.kept, b.order[0])
		b.order = b.order[1:]
	}
}
