package cli

import (
	"errors"
	"fmt"

	"nightjar/crawler/feature"
	"nightjar/crawler/strategy"
	"nightjar/daemon/base/command"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
)

// check checks the name of the strategy.
func (o *trainOptions) check() error {
	if o.strategy != "" && o.strategy != strategy.Auto && !strategy.Known(o.strategy) {
		return command.Usagef("unknown strategy %q: known are %s and %v", o.strategy, strategy.Auto, strategy.Names())
	}
	return nil
}

// headingSets are those of the data folder when --data names one, and otherwise the default ones: session files are learned
// from without a data folder.
func (o *trainOptions) headingSets() (feature.Sets, error) {
	if o.config.Data == "" {
		return feature.DefaultSets(), nil
	}
	return trainer.HeadingSets(o.config.Data)
}

// fit is an error when the model does not hold what the asked strategy needs.
func (o *trainOptions) fit(b *model.Bundle) error {
	lacks := strategy.Lacks(o.strategy, b)
	if lacks == "" {
		return nil
	}
	hint := "crawl with another strategy, or let the daemon train the topic: a session alone has no pages from elsewhere"
	if strategy.Needs(o.strategy) == strategy.Ways {
		hint = "nightjar export --paths shows the ways that there are; other strategies need none"
	}
	return command.WithHint(fmt.Errorf("train for %s: %w", o.strategy, errors.New(lacks)), "%s", hint)
}
