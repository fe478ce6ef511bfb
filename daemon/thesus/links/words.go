package links

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/crawler/linktext"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// madeSetting is the setting with the fingerprint of what the stored words were made with.
const madeSetting = "links.made"

// form is changed when linktext finds other words in the same page, so that all pages are read again.
const form = 1

// prepare makes the extractor, and queues all pages when the words of those that are stored would come out differently now.
func (x *Indexer) prepare(ctx context.Context) error {
	x.navigation.look()
	var net *wordnet.Net
	print := ""
	if x.o.WordNet != nil {
		if net = x.o.WordNet.Net(); net != nil {
			print = x.o.WordNet.Fingerprint()
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", form, print, strings.Join(slices.Sorted(maps.Keys(x.navigation.words)), " ")))
	now := fmt.Sprintf("%x", sum)
	if now == x.made {
		return nil
	}
	extractor := linktext.New(x.navigation.words, Base(net))
	was := ""
	if _, err := x.store.Setting(ctx, madeSetting, &was); err != nil {
		return err
	}
	if was != now {
		if was != "" { // otherwise no page was read yet, and all are queued
			x.o.Log.Info("the words of links are made anew, since WordNet or the words of navigation changed")
			if err := requeue(ctx, x.store.DB); err != nil {
				return err
			}
		}
		if err := x.store.SetSetting(ctx, madeSetting, now); err != nil {
			return err
		}
	}
	x.extractor, x.made = extractor, now
	return nil
}

// Base returns a function for the base forms of words, nil without WordNet: of the noun, otherwise of the verb, otherwise the
// word itself.
func Base(net *wordnet.Net) func(string) string {
	if net == nil {
		return nil
	}
	return func(word string) string {
		if form, _ := senses.Lookup(net, word); form != "" {
			return form
		}
		return word
	}
}
