package app

import (
	"context"
	"time"

	browse "nightjar/daemon/browse/pages"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/learn/models"
	learn "nightjar/daemon/learn/pages"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	panorama "nightjar/daemon/panorama/pages"
	thesus "nightjar/daemon/thesus/pages"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// wings are the wings that bring pages to the dashboard.
func (a *App) wings(s *web.Server) []frame.Wing {
	tonights := tonight.Night{Store: a.Store, Scheduler: a.Scheduler}
	bundles := &models.Cache{Store: a.Store}
	sessions := browse.Pages{Store: a.Store, Bundles: bundles, Archive: a.Archive, Trainer: a.Trainer, Scheduler: a.Scheduler, Night: tonights, Bus: a.Bus, Log: a.Log, Now: time.Now}
	mornings := morning.Pages{Store: a.Store, Bundles: bundles, Archive: a.Archive, Echoes: a.Echoes, Desk: a.Desk, Night: tonights, Listen: s.Listen, Version: Version, Log: a.Log,
		Now: time.Now, Start: s.ShowStart}
	nights := night.Pages{Store: a.Store, Scheduler: a.Scheduler, Bus: a.Bus, Log: a.Log, Openings: s.Openings, Now: time.Now, Finds: mornings}
	return []frame.Wing{
		nights, mornings, sessions,
		learn.Pages{Store: a.Store, Bundles: bundles, Trainer: a.Trainer, Night: tonights, Milestones: sessions, Log: a.Log},
		panorama.Pages{Store: a.Store, Maps: a.Communities, Bookmarks: a.Bookmarks, Bus: a.Bus, Echoes: a.Echoes, Crawls: nights, Finds: mornings, Night: tonights, Dashboard: s},
		a.workersPages(),
		keep.Pages{Store: a.Store, Archive: a.Archive, Erasing: a.Erasing, EraseAll: func(ctx context.Context) error { return a.everything().Erase(ctx) },
			Backups: a.Keeper, Scheduler: a.Scheduler, Bus: a.Bus, Troubles: a.Troubles, DataDir: a.Config.Data, Version: Version, Log: a.Log, Now: time.Now,
			Examine: a.Examine, Restart: a.restarter()},
		thesus.Pages{Store: a.Store, Explore: a.Groupings, Operators: a.Operators, Ontologies: a.Ontologies, WordNet: a.WordNet, Now: time.Now},
	}
}

// restarter is what restarts the daemon, nil where nothing opens it again.
func (a *App) restarter() func() {
	if a.Config.restarts {
		return a.Restart
	}
	return nil
}

// workersPages are the pages about workers.
func (a *App) workersPages() workers.Pages {
	return workers.Pages{Store: a.Store, Bus: a.Bus, Leases: a.Leases, Broker: a.Broker}
}
