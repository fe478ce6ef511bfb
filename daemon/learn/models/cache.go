package models

import (
	"context"
	"errors"
	"slices"
	"sync"

	"nightjar/daemon/store"
	"nightjar/model"
)

// maxBundles is the number of decoded models in memory: enough for the finds on one page.
const maxBundles = 8

// Cache keeps decoded models until something is erased. A stored model never changes, but its report is added later. Its methods may
// be called concurrently.
type Cache struct {
	Store *store.Store

	mu       sync.Mutex
	erasures int64 // store.Store.Erasures when the cache was empty
	kept     map[int64]keptBundle
	order    []int64 // least recently used first
}

type keptBundle struct {
	bundle  *model.Bundle
	version int
}

// Bundle reads a model's bundle and its version within the topic.
func (c *Cache) Bundle(ctx context.Context, id int64) (*model.Bundle, int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.Store.Erasures(); c.kept == nil || c.erasures != now {
		c.kept, c.order, c.erasures = map[int64]keptBundle{}, nil, now
	}
	k, ok := c.kept[id]
	if !ok {
		row, err := ByID(ctx, c.Store.DB, id)
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
		c.kept[id] = k
	}
	c.touch(id)
	return k.bundle, k.version, nil
}

// Assessed is like Bundle, but reads the model again when the cached one has no report.
func (c *Cache) Assessed(ctx context.Context, id int64) (*model.Bundle, error) {
	c.mu.Lock()
	if k, ok := c.kept[id]; ok && k.bundle.Report == nil {
		delete(c.kept, id)
	}
	c.mu.Unlock()
	bundle, _, err := c.Bundle(ctx, id)
	return bundle, err
}

func (c *Cache) touch(id int64) {
	c.order = append(slices.DeleteFunc(c.order, func(o int64) bool { return o == id }), id)
	if len(c.order) > maxBundles {
		delete(c.kept, c.order[0])
		c.order = c.order[1:]
	}
}

// Unreadable reports whether an error says that a model was erased, or that this version of the program cannot read it.
func Unreadable(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, model.ErrOlderFormat) || errors.Is(err, model.ErrNewerFormat) ||
		errors.Is(err, model.ErrDamaged)
}
