package scheduler

import (
	"cmp"
	"context"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
	"nightjar/model"
	"nightjar/model/arms"
)

// strategies returns by which strategies the topic of a model is crawled next: the first by what its nights or the person chose
// for the topic, otherwise by the settings; the second, "" for none, with the share of the settings. A second strategy for which
// something is lacking, or that is the first, gives way to the best other one.
func (c chooser) strategies(ctx context.Context, m *models.Model, chosen settings.Settings) (first, second string, err error) {
	c.settle(ctx, m.TopicID, chosen) // with what the person marked since the last night
	topic, err := StrategyOf(ctx, c.st.DB, m.TopicID)
	if err != nil {
		return "", "", err
	}
	first = c.strategyFor(ctx, m, cmp.Or(topic.Strategy, chosen.Strategy))
	if chosen.SecondShare == 0 {
		return first, "", nil
	}
	b, err := m.Bundle()
	if err != nil {
		return first, "", nil // a model that cannot be read ends the crawl, which says why
	}
	for _, name := range []string{topic.Second, chosen.Second} {
		if name == "" || name == strategy.Auto {
			continue
		}
		if name, err := c.o.able(ctx, b, name); err == nil && name != first {
			return first, name, nil
		}
	}
	return first, strategy.Other(first), nil
}

// settle makes the second strategy of a topic's last crawls its first when it brings more by more than chance. The first becomes
// the second, so that the comparison goes on. It does nothing where the person has chosen the topic's strategy, or where crawls
// have another first strategy by now.
func (c chooser) settle(ctx context.Context, topicID int64, chosen settings.Settings) {
	if err := c.trySettle(ctx, topicID, chosen); err != nil {
		c.o.Log.Warn("compare the strategies of a topic; the next crawl tries again", "topic", topicID, "error", err)
	}
}

func (c chooser) trySettle(ctx context.Context, topicID int64, chosen settings.Settings) error {
	topic, err := StrategyOf(ctx, c.st.DB, topicID)
	if err != nil || topic.Fixed {
		return err
	}
	crawls, err := ArmCrawls(ctx, c.st.DB, topicID)
	if err != nil || len(crawls) == 0 {
		return err
	}
	last := crawls[len(crawls)-1]
	if last.First != strategy.Choose(cmp.Or(topic.Strategy, chosen.Strategy)) {
		return nil
	}
	v := CompareArms(crawls, last.First, last.Second)
	if v.Winner != arms.B {
		return nil
	}
	c.o.Log.Info("the second strategy brings more by more than chance, and becomes the topic's", "topic", topicID,
		"strategy", last.Second, "instead_of", last.First, "times", v.Ratio.Value, "low", v.Ratio.Low, "high", v.Ratio.High)
	return ChooseStrategy(ctx, c.st.DB, topicID, TopicStrategy{
		ChosenBy: ByNights, Strategy: last.Second, Second: last.First, Verdict: &v,
	})
}

// settleEnded compares the strategies of a topic after a crawl with two of them.
func (c chooser) settleEnded(ctx context.Context, ended crawls.Crawl) {
	if ended.Options.Second == "" {
		return
	}
	chosen, err := c.st.Settings(ctx)
	if err != nil {
		return // the topic's next crawl compares them
	}
	c.settle(ctx, ended.TopicID, chosen)
}

// paired puts the strategy of a crawl that has a second one together with it. A crawl whose second strategy cannot be made any
// more goes on with the first.
func (c chooser) paired(ctx context.Context, of crawls.Crawl, bundle *model.Bundle, first strategy.Strategy) (strategy.Strategy, error) {
	if of.Options.Second == "" {
		return first, nil
	}
	design := arms.Design{Share: of.Options.SecondShare, Seed: uint64(of.ID)}
	second, err := c.o.Strategy(ctx, of.Options.Second, bundle)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case mayRead(err):
		return nil, err
	case err != nil:
		c.o.Log.Warn("cannot create the second strategy; continuing the crawl with the first", "crawl", of.ID, "second", of.Options.Second, "error", err)
		second, design.Share = nil, 0
	}
	return strategy.NewPair(first, second, design), nil
}
