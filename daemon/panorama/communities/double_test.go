package communities

import (
	"context"

	"nightjar/crawler/page"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// double is a trainer that learns a classifier from a document's positive pages only, beside a model that fits nothing.
type double struct {
	st     *store.Store
	bundle *model.Bundle
	none   string // why there is no classifier; "" makes one
	err    error
	runs   int
	hold   chan struct{} // Train waits until it is closed, or its context ends; nil: it does not wait
}

func (d *double) Status(int64) trainer.Status                { return trainer.Status{} }
func (d *double) Submit(int64)                               {}
func (d *double) Stale(context.Context, int64) (bool, error) { return false, nil }

func (d *double) Train(ctx context.Context, topic int64) (*models.Model, error) {
	d.runs++
	if d.hold != nil {
		select {
		case <-d.hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	if d.none != "" {
		return models.Save(ctx, d.st.DB, d.st.Erasures(), topic, d.bundle.WithBayes(nil, d.none), models.Facts{})
	}
	documents, err := maps.Documents(ctx, d.st.DB)
	if err != nil {
		return nil, err
	}
	pages, err := trainingdata.PositivePages(ctx, d.st.DB, documents[0].ID)
	if err != nil {
		return nil, err
	}
	var urls []string
	var positives []trainingdata.Example
	for _, p := range pages {
		if !p.LeftOut && p.Hash != nil {
			urls, positives = append(urls, p.URL), append(positives, trainingdata.Example{URL: p.URL, Hash: p.Hash})
		}
	}
	negatives, err := trainingdata.DrawNegatives(ctx, d.st, documents[0].ID, topic, urls, model.DefaultSettings().Seed)
	if err != nil {
		return nil, err
	}
	more, err := d.counts(ctx, positives)
	if err != nil {
		return nil, err
	}
	less, err := d.counts(ctx, negatives)
	if err != nil {
		return nil, err
	}
	bayes, err := naivebayes.Train(more, less, naivebayes.Options{})
	if err != nil {
		return nil, err
	}
	return models.Save(ctx, d.st.DB, d.st.Erasures(), topic, d.bundle.WithBayes(bayes, ""), models.Facts{})
}

// counts returns the words of pages. It ends with an error when the daemon is stopped meanwhile.
func (d *double) counts(ctx context.Context, pages []trainingdata.Example) (all []text.Counts, err error) {
	for _, e := range pages {
		html, err := d.st.Content(ctx, e.Hash)
		if err != nil {
			return nil, err
		}
		p, err := page.Parse(e.URL, page.ContentUTF8, html)
		if err != nil {
			return nil, err
		}
		counts, _ := text.Count(p.Text)
		all = append(all, counts)
	}
	return all, nil
}
