// Package wings lists what each wing of the daemon gives to those that look after all data.
package wings

import (
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/thesus/links"
)

// Scrub is what is deleted after an erasure of any kind.
var Scrub = []db.ScrubStep{links.Forget}

// Erasing is what erases a site, in an order that the tables allow: maps are found by fetches, milestones go with visits, and
// triggers queue the links of pages that are deleted.
var Erasing = []erasing.Wing{
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) { p.Maps, p.Found = maps.CountTraces(r, host) },
		Erase: func(w *db.Work, host string) []int64 {
			maps.Erase(w, host)
			return nil
		},
		Unlinked: func(w *db.Work, pages []erasing.Unlinked) []int64 {
			for _, page := range pages {
				for _, fetch := range page.Fetches {
					maps.EraseWords(w, fetch, page.Words)
				}
			}
			return nil
		},
	},
	erasing.Stored,
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) { p.Topics = models.TopicsOn(r, host) },
		Erase: models.Erase,
		Unlinked: func(w *db.Work, pages []erasing.Unlinked) []int64 {
			var urls []string
			for _, page := range pages {
				urls = append(urls, page.URLs...)
			}
			return models.EraseTrained(w, urls)
		},
	},
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) {
			said, groups := links.CountTraces(r, host)
			p.Links, p.Groups = p.Links+said, groups
		},
		Before: links.EraseEarly,
		Erase: func(w *db.Work, host string) []int64 {
			links.Erase(w, host)
			return nil
		},
		Unlinked: func(w *db.Work, pages []erasing.Unlinked) []int64 {
			for _, page := range pages {
				links.Lose(w, page.URLs)
			}
			return nil
		},
	},
}
