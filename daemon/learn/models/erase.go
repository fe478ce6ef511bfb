package models

import (
	"slices"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/sessions"
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

// trainedWith lists the models that may have been trained with a page of a host or of one below it, "" for none, or with one of some
// other pages; with those that cannot be read.
func trainedWith(w *db.Work, host string, pages []string) []trained {
	urls, hosts := map[string]bool{}, map[string]bool{}
	for _, url := range pages {
		urls[url], hosts[weburl.Host(url)] = true, true
	}
	on := func(url string) bool { return host != "" && store.OnHost(url, host) }
	all := db.List(w, func(row db.Scanner) (m trained, err error) {
		return m, row.Scan(&m.id, &m.topic, &m.bundle, db.JSONOf(&m.hosts), &m.name)
	}, `SELECT m.id, m.topic_id, m.bundle, coalesce(json_extract(m.facts, '$.background_hosts'), '[]'), t.name FROM models m JOIN topics t ON t.id = m.topic_id WHERE length(m.bundle) > 0`)
	return slices.DeleteFunc(all, func(m trained) bool {
		if slices.ContainsFunc(m.hosts, func(name string) bool { return on("http://"+name+"/") || hosts[strings.ToLower(name)] }) {
			return false
		}
		b, err := model.Decode(m.bundle)
		return err == nil && !slices.ContainsFunc(b.Pages, func(p model.PageFact) bool { return on(p.URL) || urls[p.URL] })
	})
}

// TopicsOn names the topics with models that were trained with pages of a host.
func TopicsOn(r *db.Work, host string) (names []string) {
	for _, m := range trainedWith(r, host, nil) {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// Empty erases the bundles of models that were trained with pages of a host, "" for none, or with other pages, and what crawls learned
// by them. It returns their topics, which must be trained again.
func Empty(w *db.Work, host string, pages []string) (topics []int64) {
	if host == "" && len(pages) == 0 {
		return nil
	}
	all := trainedWith(w, host, pages)
	if len(all) == 0 {
		return nil
	}
	emptyModels(w, db.ListOf(all, func(m trained) int64 { return m.id }))
	w.Do(store.ForgetLearned)
	return db.Distinct(db.ListOf(all, func(m trained) int64 { return m.topic }))
}

// emptyModels erases the bundles of models.
func emptyModels(w *db.Work, ids []int64) {
	w.Exec(sessions.EmptyModel+`id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
}
