// Package wings lists what each wing of the daemon gives to those that look after all data.
package wings

import (
	"slices"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/thesus/links"
)

// Scrub is what is deleted after an erasure of any kind.
var Scrub = []db.ScrubStep{links.Forget}

// Verifiers check that stored rows did not change on the disk.
var Verifiers = append(slices.Clone(safekeeping.Stored), models.Verifier)

// Erasing is what erases a site, in an order that the tables allow: maps are found by fetches, milestones go with visits, and
// triggers queue the links of pages that are deleted.
var Erasing = []erasing.Wing{
	{
		Count:    func(r *db.Work, host string, p *erasing.Plan) { p.Maps, p.Found = maps.CountTraces(r, host) },
		Erase:    maps.Erase,
		Unlinked: func(w *db.Work, page erasing.Unlinked) { maps.EraseWords(w, page.Fetches, page.Words) },
	},
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) {
			pages, loads, links := sessions.CountTraces(r, host)
			p.Pages, p.Visits, p.Links = pages, loads, p.Links+links
		},
		Erase: sessions.Erase,
	},
	erasing.Stored,
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) { p.Topics = models.TopicsOn(r, host) },
		Erase: func(w *db.Work, _ string) { topics.PruneAllMilestones(w) },
		Empty: models.Empty,
	},
	{
		Count: func(r *db.Work, host string, p *erasing.Plan) {
			said, groups := links.CountTraces(r, host)
			p.Links, p.Groups = p.Links+said, groups
		},
		Before:   links.EraseEarly,
		Erase:    links.Erase,
		Unlinked: func(w *db.Work, page erasing.Unlinked) { links.Lose(w, page.URLs) },
	},
}
