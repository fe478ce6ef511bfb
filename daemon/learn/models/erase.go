// Package models has the statements on models that other parts of the daemon need.
package models

import (
	"slices"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model"
)

// trained is a model, with what it was trained with.
type trained struct {
	id, topic int64
	name      string // of the topic
	bundle    []byte
	hosts     []string // in the background
}

// allTrained lists the models that were not erased.
func allTrained(w *db.Work) []trained {
	return db.List(w, func(row db.Scanner) (m trained, err error) {
		return m, row.Scan(&m.id, &m.topic, &m.bundle, db.JSONOf(&m.hosts), &m.name)
	}, `SELECT m.id, m.topic_id, m.bundle, coalesce(json_extract(m.facts, '$.background_hosts'), '[]'), t.name FROM models m JOIN topics t ON t.id = m.topic_id WHERE length(m.bundle) > 0`)
}

// with reports whether a model may have been trained with a host or a page. It is true for a model that cannot be read.
func (m trained) with(host, url func(string) bool) bool {
	if slices.ContainsFunc(m.hosts, host) {
		return true
	}
	b, err := model.Decode(m.bundle)
	return err != nil || slices.ContainsFunc(b.Pages, func(p model.PageFact) bool { return url(p.URL) })
}

// trainedOn lists the models that were trained with pages of a host or of a host below it.
func trainedOn(w *db.Work, host string) []trained {
	on := func(url string) bool { return store.OnHost(url, host) }
	return slices.DeleteFunc(allTrained(w), func(m trained) bool {
		return !m.with(func(name string) bool { return on("http://" + name + "/") }, on)
	})
}

// TopicsOn names the topics with models that Erase would empty.
func TopicsOn(r *db.Work, host string) (names []string) {
	for _, m := range trainedOn(r, host) {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// Erase erases the bundles of models that were trained with pages of a host or of a host below it, and returns their topics, which
// must be trained again. It deletes milestones that lost their page.
func Erase(w *db.Work, host string) (topics []int64) {
	topics = empty(w, trainedOn(w, host))
	store.PruneAllMilestones(w)
	return topics
}

// EraseTrained erases the bundles of models that were trained with pages, and returns their topics.
func EraseTrained(w *db.Work, pages []string) (topics []int64) {
	if len(pages) == 0 {
		return nil
	}
	urls, hosts := map[string]bool{}, map[string]bool{}
	for _, url := range pages {
		urls[url], hosts[weburl.Host(url)] = true, true
	}
	all := slices.DeleteFunc(allTrained(w), func(m trained) bool {
		return !m.with(func(host string) bool { return hosts[strings.ToLower(host)] }, func(url string) bool { return urls[url] })
	})
	if len(all) == 0 {
		return nil
	}
	return empty(w, all)
}

// empty erases the bundles of models, with what crawls learned by them, and returns their topics.
func empty(w *db.Work, all []trained) (topics []int64) {
	store.EmptyModels(w, db.ListOf(all, func(m trained) int64 { return m.id }))
	w.Do(store.ForgetLearned)
	return db.Distinct(db.ListOf(all, func(m trained) int64 { return m.topic }))
}
