package reason

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"nightjar/crawler/page"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/model"
)

// ErrUnknown is returned when the reason of a find cannot be worked out any more: the model that judged it or the text of
// its page is gone.
var ErrUnknown = errors.New("the model that judged the page or its text is gone")

// Keeper works out the reasons of the finds of crawls, and stores them.
type Keeper struct{ Store *store.Store }

// Make works out the reason of a find with the model that judged it.
func (k Keeper) Make(ctx context.Context, b *model.Bundle, topicID, findID int64) error {
	_, err := Make(ctx, k.Store, b, topicID, findID)
	return err
}

// Again is the function Again. Of a crawl whose topic was deleted there is no more.
func (k Keeper) Again(ctx context.Context, crawl crawls.Crawl, after int64) (next int64, err error) {
	next, err = Again(ctx, k.Store, crawl, after)
	if errors.Is(err, ErrUnknown) {
		return 0, nil
	}
	return next, err
}

// Make works out the reason of a find with the model that judged it, stores it and returns it. Where nothing can be stored, as
// on a full disk, it is worked out again the next time.
func Make(ctx context.Context, st *store.Store, b *model.Bundle, topicID, findID int64) (*finds.Reason, error) {
	r, err := workOut(ctx, st, b, topicID, findID)
	if err != nil {
		return nil, err
	}
	if err := Put(ctx, st.DB, findID, *r); !store.Unwritable(err) {
		return r, err
	}
	return r, nil
}

func workOut(ctx context.Context, st *store.Store, b *model.Bundle, topicID, findID int64) (*finds.Reason, error) {
	c, err := finds.CopyOf(ctx, st.DB, findID)
	if err != nil {
		return nil, err
	}
	if c.HTML == nil {
		return nil, ErrUnknown
	}
	p, err := page.Parse(c.URL, page.ContentUTF8, c.HTML)
	if err != nil {
		return nil, fmt.Errorf("read the page of find %d: %w", findID, err)
	}
	var unread error
	found := Of(b, p.Language, p.Title, p.Text, func(words []string) (all []string) {
		all, unread = search.WordsOfSite(ctx, st.DB, c.URL, words)
		return all
	})
	if unread != nil {
		return nil, unread
	}
	r := finds.Reason{Words: found.Words, Passage: found.Passage}
	if found.Like >= 0 {
		like := b.Pages[found.Like]
		at, err := MarkedAt(ctx, st.DB, topicID, like.URL)
		if err != nil {
			return nil, err
		}
		r.Like = &finds.LikePage{URL: like.URL, Title: like.Title, MarkedAt: at}
	}
	return &r, nil
}

// Ensure returns the reason of a find, and works it out when there is none yet. models returns a model by its id; its errors
// are passed on.
func Ensure(ctx context.Context, st *store.Store, f finds.View, models func(context.Context, int64) (*model.Bundle, error)) (*finds.Reason, error) {
	if f.Reason != nil {
		return f.Reason, nil
	}
	b, err := models(ctx, f.ModelID)
	if err != nil {
		return nil, err
	}
	return Make(ctx, st, b, f.TopicID, f.ID)
}

// fillAtOnce is how many finds Fill reads the list of at a time.
const fillAtOnce = 100

// form is the version of how words and passage are chosen; reasons of an older one are worked out again.
const (
	form    = 3
	formKey = "reasons_form"
)

// Fill works out the reasons of all finds that have none, newest first: those of crawls before there were reasons, and those
// that a crash left without. Then it works out those of an older form again. A find whose reason cannot be worked out is left
// as it is. Fill returns when ctx ends.
func Fill(ctx context.Context, st *store.Store, log *slog.Logger) {
	models := lastModel(st)
	done := walk(ctx, log, st.DB, Without, func(id int64) error {
		f, err := finds.ByID(ctx, st.DB, id)
		if err == nil {
			_, err = Ensure(ctx, st, f, models)
		}
		return err
	})
	var had int
	if _, err := st.Setting(ctx, formKey, &had); err != nil || had >= form || !done {
		return
	}
	done = walk(ctx, log, st.DB, With, func(id int64) error { return renew(ctx, st, id, models) })
	if !done {
		return // the next start tries again
	}
	if err := st.SetSetting(ctx, formKey, form); err != nil && ctx.Err() == nil {
		log.Warn("the form of the reasons was not stored", "error", err)
	}
}

// againAtOnce is how many finds Again takes at a time.
const againAtOnce = 25

// Again works out the reasons of a crawl's next finds after one of them again (0: from the first). At its end more is known of what
// most pages of their sites say. It returns the find to go on after, 0 when there is no more.
func Again(ctx context.Context, st *store.Store, crawl crawls.Crawl, after int64) (next int64, err error) {
	ids, err := OfCrawl(ctx, st.DB, crawl.ID, after, againAtOnce)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	b, err := lastModel(st)(ctx, crawl.ModelID)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		_, err := Make(ctx, st, b, crawl.TopicID, id)
		if err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, store.ErrNotFound) { // its text may be gone
			return 0, err
		}
	}
	return ids[len(ids)-1], nil
}

// renew works out the words and the passage of a find again. The page that it is like stays: it may have been erased since.
func renew(ctx context.Context, st *store.Store, id int64, models func(context.Context, int64) (*model.Bundle, error)) error {
	f, err := finds.ByID(ctx, st.DB, id)
	if err != nil || f.Reason == nil {
		return err
	}
	b, err := models(ctx, f.ModelID)
	if err != nil {
		return err
	}
	r, err := workOut(ctx, st, b, f.TopicID, id)
	if err != nil {
		return err
	}
	r.Like = f.Reason.Like
	return Put(ctx, st.DB, id, *r)
}

// lastModel reads models by id and keeps the last one, since finds of one model follow each other.
func lastModel(st *store.Store) func(context.Context, int64) (*model.Bundle, error) {
	known := map[int64]*model.Bundle{} // nil for one that cannot be read
	return func(ctx context.Context, id int64) (*model.Bundle, error) {
		b, ok := known[id]
		if !ok {
			clear(known)
			m, err := models.ByID(ctx, st.DB, id)
			if err == nil {
				b, err = m.Bundle()
			}
			if err != nil {
				b = nil
			}
			known[id] = b
		}
		if b == nil {
			return nil, ErrUnknown
		}
		return b, nil
	}
}

// walk has something done with each find of a list, newest first, and reports whether it came to the end of the list.
func walk(
	ctx context.Context, log *slog.Logger, d *db.DB, list func(context.Context, *db.DB, int64, int) ([]int64, error), do func(int64) error,
) bool {
	before := int64(0)
	for ctx.Err() == nil {
		ids, err := list(ctx, d, before, fillAtOnce)
		if err != nil || len(ids) == 0 {
			if err != nil && ctx.Err() == nil {
				log.Warn("list finds for their reasons", "error", err)
			}
			return err == nil
		}
		for _, id := range ids {
			before = id
			err := do(id)
			if err != nil && ctx.Err() == nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, store.ErrNotFound) {
				log.Warn("the reason of a find cannot be worked out", "find", id, "error", err)
			}
		}
	}
	return false
}
