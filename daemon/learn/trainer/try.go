package trainer

import (
	"context"
	"fmt"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model"
	"nightjar/model/text"
)

// Trial is a topic's model with and without its last marks. Both learned from the same data with the same seed, so that
// nothing but the marks sets them apart.
type Trial struct {
	With, Without *model.Bundle

	Held  map[string]bool // stems in the pages whose marks differ
	Moved map[string]bool // stems in all pages that only one of the models learned from, or that each takes for something else

	topic int64
	in    *input // without the marks
}

// Try trains a topic on what is stored now, with all marks on finds, and as if those with an id above since had not been
// made. It neither stores nor assesses a model, and no status tells of it. A model is the one that a training before the next
// crawl would make, but it learns from ways, and has a classifier of pages, only if the strategy that the person chose needs
// them. Try waits until no other training runs. Its errors are those of Train for the model with the marks; Without is nil
// when nothing can be learned without them.
func (t *Trainer) Try(ctx context.Context, topicID, since int64) (*Trial, error) {
	trial, err := t.try(ctx, topicID, since)
	if err != nil {
		return nil, fmt.Errorf("try what topic %d learns: %w", topicID, err)
	}
	return trial, nil
}

// Again trains once more without the marks of a trial, with another seed.
func (t *Trainer) Again(ctx context.Context, trial *Trial, seed uint64) (*model.Bundle, error) {
	end, err := t.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	b, err := t.tryInput(ctx, trial.in, seed)
	if err != nil {
		return nil, fmt.Errorf("try again what topic %d learns: %w", trial.topic, err)
	}
	return b, nil
}

// takeTurn waits until no other training runs. The caller calls end when its own is over.
func (t *Trainer) takeTurn(ctx context.Context) (end func(), err error) {
	select {
	case t.slot <- struct{}{}:
		return func() { <-t.slot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *Trainer) try(ctx context.Context, topicID, since int64) (*Trial, error) {
	topic, err := topics.ByID(ctx, t.Store.DB, topicID)
	if err != nil {
		return nil, err
	}
	end, err := t.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	settings := model.DefaultSettings()
	in, err := unlessDone(ctx, func() (*input, error) { return t.read(ctx, topic, settings.Seed) })
	if err != nil {
		return nil, err
	}
	trial := &Trial{topic: topicID}
	if trial.With, err = t.tryInput(ctx, in, settings.Seed); err != nil {
		return nil, err
	}
	if trial.in, err = unlessDone(ctx, func() (*input, error) { return t.without(ctx, topic, in, since) }); err != nil {
		return nil, err
	}
	if trial.Without, err = t.tryInput(ctx, trial.in, settings.Seed); err != nil && !Untrainable(err) {
		return nil, err
	}
	return trial, trial.count(ctx, in)
}

// tryInput trains a model that is not stored.
func (t *Trainer) tryInput(ctx context.Context, in *input, seed uint64) (*model.Bundle, error) {
	settings := model.DefaultSettings()
	settings.Seed = seed
	training, err := model.Learn(ctx, in.set, settings, func(model.Progress) {})
	if err != nil {
		return nil, in.lacking(err)
	}
	chosen, err := t.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if add := t.prepare(in, chosen.Strategy); add != nil {
		return add(ctx, training.Bundle(), nil)
	}
	return training.Bundle(), nil
}

// without returns an input as if the marks with an id above since had not been made. Pages that were drawn at random stay.
func (t *Trainer) without(ctx context.Context, topic topics.Topic, in *input, since int64) (*input, error) {
	out := *in
	var err error
	if out.marked, err = trainingdata.MarkedFinds(ctx, t.Store.DB, topic.ID, since); err != nil {
		return nil, err
	}
	out.build(topic.Name)
	if out.background, err = t.background(ctx, topic.ID, out.set.Pages, since); err != nil {
		return nil, err
	}
	out.set.Background, out.set.Declared = out.background.texts, out.background.declared
	return &out, nil
}

// count sets Held and Moved. with is the input with the marks.
func (t *Trial) count(ctx context.Context, with *input) (err error) {
	var moved []text.Source
	differ(with.set.Pages, t.in.set.Pages, func(p model.Page) string {
		return fmt.Sprint(p.URL, p.Target, p.Rejected, len(p.Text))
	}, func(p model.Page) { moved = append(moved, text.Source{Text: p.Text, Declared: p.Declared}) })
	differ(sources(with.set), sources(t.in.set), func(s text.Source) string { return s.Text }, func(s text.Source) { moved = append(moved, s) })
	if t.Moved, err = stems(ctx, moved); err != nil {
		return err
	}
	var held []text.Source
	find := func(f trainingdata.MarkedFind) string { return fmt.Sprint(f.ID, f.Useful) }
	differ(with.marked, t.in.marked, find, func(f trainingdata.MarkedFind) {
		for _, l := range findLoads(f, parseTrail(f, max(0, len(f.Trail)-1))) {
			held = append(held, text.Source{Text: l.Text, Declared: l.Declared})
		}
	})
	differ(with.background.offTopic, t.in.background.offTopic, func(s text.Source) string { return s.Text }, func(s text.Source) { held = append(held, s) })
	t.Held, err = stems(ctx, held)
	return err
}

// differ calls tell with each element of one list whose key the other list lacks.
func differ[T any](a, b []T, key func(T) string, tell func(T)) {
	for _, lists := range [2][2][]T{{a, b}, {b, a}} {
		other := map[string]bool{}
		for _, one := range lists[1] {
			other[key(one)] = true
		}
		for _, one := range lists[0] {
			if !other[key(one)] {
				tell(one)
			}
		}
	}
}

// sources are the background pages of a training set.
func sources(set model.TrainingSet) []text.Source {
	all := make([]text.Source, len(set.Background))
	for i := range all {
		all[i] = text.Source{Text: set.Background[i], Declared: set.Declared[i]}
	}
	return all
}

func stems(ctx context.Context, texts []text.Source) (map[string]bool, error) {
	counts, _, _, err := text.CountPages(ctx, texts, nil)
	all := map[string]bool{}
	for _, c := range counts {
		for stem := range c {
			all[stem] = true
		}
	}
	return all, err
}
