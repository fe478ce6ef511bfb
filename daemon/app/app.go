package app

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/echo"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/reader"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/thesus/themes"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/daemon/web"
	"nightjar/daemon/workers/broker"
	"nightjar/daemon/workers/leases"
	"nightjar/extension"
)

// Version is the release of the program. It is also part of the crawler's User-Agent. Builds between releases say their commit,
// which .ci/release sets.
var Version = "0.1.0"

// NavigationWords is the file of words in a data folder that links on any site have; the person may edit it.
func NavigationWords(dir string) string { return filepath.Join(dir, "navigation-words.txt") }

// App is a whole daemon: the store and everything around it. Open it, Run it, Close it.
type App struct {
	Config    Config
	Log       *slog.Logger
	Store     *store.Store
	Bus       *notify.Bus
	Trainer   *trainer.Trainer
	Scheduler *scheduler.Scheduler
	Echoes    *echo.Echoes
	Desk      *orders.Desk // of programs that ask for searches and mark finds
	Ingest    *ingest.Server
	Web       *web.Server
	Archive   *archive.Archive // of the pages that crawls fetch
	Restored  *backup.Staged   // the backup that Open put in place, or nil
	Notices   *notice.Runner
	Troubles  *trouble.Board // what keeps the daemon from storing things

	Communities *communities.Maker

	WordNet    *wordnet.Library  // of this computer
	Links      *links.Indexer    // of the words that pages use for others
	Ontologies *ontologies.Shelf // of the person
	Themes     *themes.Source    // for crawls that follow links by their words
	Groupings  *explore.Maker    // of pages by what links say about them
	Operators  *operators.Engine // of links between sets of pages

	Reader    *reader.Runner   // of the PDFs of sessions
	Bookmarks *bookmarks.Maker // makes sessions of bookmarks

	hosts  *crawls.HostMemory
	Leases *leases.Leases // give tasks to workers on other machines
	Broker *broker.Broker // carries them

	Keeper *safekeeping.Keeper // makes automatic backups
	Damage *safekeeping.Damage // of the database, or nil; then there is no part but Web
	Closed *ingest.Closed      // answers browsers when the database is damaged

	look      *store.Store // the damaged database, open for reading; nil if that is impossible
	unchecked bool         // the check of the database was not finished when it was opened
	faults    []string     // that were found while the daemon ran; set before restart is closed

	Erasing *erasing.Eraser // of sites

	imports *imports

	dir       *dataDir
	browsers  []net.Listener // the one of Addr, and that of the other loopback interface if there is one
	control   net.Listener   // for other commands of the same person
	started   time.Time
	restart   chan struct{} // closed when a backup was staged
	recovered string        // what SQLite left out when it opened the database; "" for nothing
	suspects  chan error    // that may mean that the database is damaged
	once      sync.Once
}

// ErrRestart says that Run ended so that a staged backup can be put in place: Close the App and Open it again.
var ErrRestart = errors.New("the daemon restarts to restore a backup")

// Restart makes Run end with ErrRestart, once.
func (a *App) Restart() { a.once.Do(func() { close(a.restart) }) }

// Open locks the data folder, takes the port and wires the parts. Nothing runs until Run.
func Open(ctx context.Context, c Config, log *slog.Logger) (_ *App, err error) {
	a := &App{Config: c, Log: log, Bus: &notify.Bus{}, started: time.Now(), restart: make(chan struct{}), suspects: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if a.dir, err = openDataDir(c.Data); err != nil {
		return nil, err
	}
	if err := errors.Join(leftovers.Remove(a.dir.path), leftovers.RemoveElsewhere(os.TempDir())); err != nil {
		log.Warn("temporary files of an earlier run are still there", "error", err)
	}
	removeLoginPages()
	if a.Restored, err = applyRestore(a.dir.path); err != nil {
		return nil, err
	}
	if a.Restored != nil {
		log.Info("a backup was restored", "old data", a.Restored.OldData)
	}
	faults, err := a.checkDatabase(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.takePorts(); err != nil {
		return nil, err
	}
	a.Troubles = trouble.New(a.dir.path, time.Now, a.troubled, a.suspect)
	if len(faults) == 0 {
		if a.Store, err = openStoreInRoom(ctx, a.dir.path, store.Options{Listen: a.Addr(), Wrote: a.Troubles.Saw}, log); store.Damaged(err) {
			faults = []string{err.Error()}
		} else if err != nil {
			return nil, err
		}
	}
	if len(faults) > 0 {
		return a, a.openDamaged(ctx, faults)
	}
	if name := a.Store.Copied(); name != "" {
		log.Info("the database was copied before it was updated; keep or delete the copy as you like", "copy", name)
	}
	if a.Archive, err = archive.Open(archive.Options{Dir: ArchiveDir(a.dir.path), Clock: clock.Func(time.Now), Software: "Nightjar/" + Version}); err != nil {
		return nil, command.WithHint(err, "check that %s is writable and its disk not full", a.dir.path)
	}
	if _, err := writeExtension(a.dir.path, extension.Files()); err != nil {
		log.Warn("the extension's folder is not up to date", "error", err) // recording and learning matter more
	}
	if err := a.resumeErasing(ctx); err != nil {
		a.Troubles.Saw(err)
		log.Error("everything is to be erased, and is not yet", "error", err)
	}
	if err := leftovers.KeepReserve(a.dir.path); err != nil {
		a.Troubles.Saw(err)
		log.Warn("there is no room for a full disk", "error", err)
	}
	return a, a.wire(ctx)
}

// openStore opens the database of a data folder, with the steps of all wings in place of o.Scrub; its errors say what to do.
func openStore(ctx context.Context, dir string, o store.Options) (*store.Store, error) {
	o.Scrub = wings.Scrub
	st, err := store.OpenWith(ctx, database(dir), o)
	if store.Damaged(err) { // another connection has to find so, too
		st, err = store.OpenWith(ctx, database(dir), o)
	}
	if errors.Is(err, store.ErrNewer) {
		return nil, command.WithHint(err, "update nightjar; the database was not touched")
	}
	if store.IsLocked(err) {
		return nil, command.WithHint(err, "another program holds the database %s; close it, then start nightjar again", database(dir))
	}
	if errors.Is(err, store.ErrNotNightjar) {
		return nil, command.WithHint(err, "it was not touched; name another folder with --data DIR")
	}
	if store.Damaged(err) {
		return nil, command.WithHint(err, "the database is damaged; put a backup in its place, which keeps the damaged data: %s", terminal.On(dir, "restore BACKUP"))
	}
	if err != nil {
		return nil, command.WithHint(err, "check that %s is writable and its disk not full", dir)
	}
	return st, nil
}

// wire builds the parts around the store.
func (a *App) wire(ctx context.Context) error {
	a.WordNet = wordnet.New(wordnet.Options{Dir: a.dir.path, Log: a.Log, Changed: func() { a.Bus.Tell(notify.News{Kind: "wordnet"}) }})
	a.Links = links.NewIndexer(a.Store, links.Options{
		WordNet: a.WordNet, NavigationFile: NavigationWords(a.dir.path), Log: a.Log,
		Rest: func(ctx context.Context) error {
			if err := crawls.DropRead(ctx, a.Store.DB); err != nil {
				return err
			}
			return crawls.DropQueues(ctx, a.Store.DB)
		},
	})
	a.Ontologies = a.newShelf()
	a.Themes = &themes.Source{Shelf: a.Ontologies, WordNet: a.WordNet, Navigation: NavigationWords(a.dir.path), Log: a.Log}
	waits := &reader.Waits{Store: a.Store, Now: time.Now}
	a.Trainer = trainer.New(trainer.Deps{
		Store: a.Store, Bus: a.Bus, Log: a.Log, Nightly: scheduler.Nightly(a.Store, scheduler.Options{Themes: a.Themes.Themes}), Before: waits.Wait,
	})
	a.hosts = crawls.NewHostMemory(a.Store.DB)
	if err := a.wireWorkers(ctx); err != nil {
		return err
	}
	var err error
	a.Scheduler, err = scheduler.New(a.Store, a.Bus, scheduler.Options{
		Clock: clock.Func(time.Now), Log: a.Log, Resolve: a.Config.Resolve, AllowPrivate: a.Config.AllowPrivate, Dial: a.Config.Network.Dial,
		Self: append(addresses(a.browsers), a.control.Addr().String()), SelfNow: a.Broker.Listening, Version: Version, Trainer: a.Trainer, Workers: a.Config.Workers,
		Machine: machine.New(machine.Options{Disk: a.dir.path}).State, Archive: a.Archive, Themes: a.Themes.Themes,
		Hosts: a.hosts, Leases: lender{a.Leases}, On: a.workersOn, FillDisk: a.Config.FillDisk, Page: document.Page,
		Reasons: reason.Keeper{Store: a.Store},
	})
	if err != nil {
		return err
	}
	a.Communities = communities.New(communities.Deps{
		Store: a.Store, Bus: a.Bus, Log: a.Log, Trainer: a.Trainer, Scheduler: a.Scheduler, Now: time.Now, Ontologies: a.Ontologies,
	})
	a.Groupings = explore.New(explore.Deps{
		Store: a.Store, Bus: a.Bus, Log: a.Log, WordNet: a.WordNet, Shelf: a.Ontologies, Now: time.Now,
	})
	a.Operators = operators.New(a.Store, operators.Options{WordNet: a.WordNet})
	a.Reader = &reader.Runner{Waits: waits, Web: a.Scheduler, Bus: a.Bus, Trainer: a.Trainer, Log: a.Log}
	a.imports = newImports(a.Config.Data, a.Store, a.Trainer, a.Bus, a.Log)
	if a.Bookmarks, err = a.newBookmarks(ctx); err != nil {
		return err
	}
	a.Echoes = echo.New(a.Store, a.Trainer, a.Scheduler, a.Bus, a.Log)
	a.Desk = &orders.Desk{Store: a.Store, Tokens: token.NewKeeper(a.Store, time.Now), Runner: a.Scheduler, Echoes: a.Echoes, Bus: a.Bus}
	a.Ingest = ingest.New(a.Store, a.Bus, a.Trainer, a.training, a.Log)
	a.Notices = &notice.Runner{Store: a.Store, Log: a.Log, Now: time.Now}
	a.Keeper = safekeeping.NewKeeper(&safekeeping.Keeper{
		Store: a.Store, Dir: a.dir.path, Version: Version, Log: a.Log, Now: time.Now, Hurt: a.hurt, Verifiers: wings.Verifiers,
		Free: func(ctx context.Context) int64 { return machine.New(machine.Options{Disk: a.dir.path}).State(ctx).Free },
		Busy: func() bool { return a.Scheduler.Status().Current != 0 },
	})
	a.Erasing = erasing.New(erasing.Deps{
		Store: a.Store, Wings: wings.Erasing, Archive: a.Archive, Log: a.Log, Train: a.Trainer.Submit, Tell: func() { a.Bus.Tell(notify.News{Kind: "settings"}) },
		Apart: func(ctx context.Context, do func() error) error { return a.withoutCrawls(ctx, "a site was erased", do) },
	})
	a.Web, err = web.New(ctx, web.Deps{
		Store: a.Store, Bus: a.Bus, Trainer: a.Trainer, Scheduler: a.Scheduler, Ingest: a.Ingest, Log: a.Log,
		Notices: a.Notices,
		WordNet: a.WordNet, Words: a.WordNet, Wings: a.wings,
		Listen: a.Addr(), Other: a.otherAddr(), DataDir: a.Config.Data, Version: Version,
		Openings:  slices.Concat(a.Config.Resolve, a.Config.AllowPrivate),
		Extension: ExtensionDir(a.dir.path),
		Troubles:  a.Troubles, Now: time.Now,
	})
	return err
}

// training returns the progress of a topic's training, as browsers show it.
func (a *App) training(topicID int64) (*protocol.TrainingState, string) {
	s := a.Trainer.Status(topicID)
	if s.Stage == "" {
		return nil, ""
	}
	return &protocol.TrainingState{Topic: s.Topic, Stage: s.Stage, Done: s.Done, Total: s.Total, Running: s.Running}, s.Problem
}

// Addr returns the address and port that the daemon serves on.
func (a *App) Addr() string { return a.browsers[0].Addr().String() }

// Run serves until ctx ends or a part fails, then stops every part.
func (a *App) Run(ctx context.Context) error { return a.run(ctx, func() {}) }

// run is Run. It calls ready as soon as other commands find the daemon.
func (a *App) run(ctx context.Context, ready func()) error {
	info := runInfo{Listen: a.Addr(), Control: a.control.Addr().String(), Secret: newSecret(), PID: os.Getpid()}
	proved, err := proving(info.Secret, daemonSide, commandSide)
	if err != nil {
		return err
	}
	if err := a.dir.writeRunInfo(info); err != nil {
		a.Log.Error("other commands do not find this daemon; its link works", "error", err)
	}
	ready()
	stopped := ctx
	group, ctx := errgroup.WithContext(ctx)
	a.serve(ctx, group, a.front(bodyTimeout), a.closeBrowsers, a.browsers...)
	a.serve(ctx, group, &control{app: a}, func() {}, tls.NewListener(a.control, proved))
	group.Go(func() error {
		select {
		case <-a.restart:
			return ErrRestart
		case <-ctx.Done():
			return nil
		}
	})
	if a.Damage == nil {
		a.start(ctx, group)
	}
	err = group.Wait()
	if stopped.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // a part was stopped while it was still starting
	}
	return err
}

// closeBrowsers closes the connections of browsers.
func (a *App) closeBrowsers() {
	if a.Ingest != nil {
		a.Ingest.Close()
	}
}

// start starts all parts that work by themselves.
func (a *App) start(ctx context.Context, group *errgroup.Group) {
	group.Go(func() error { return a.finishCheck(ctx) })
	group.Go(func() error { return a.checkSuspects(ctx) })
	for _, run := range []func(context.Context) error{
		a.Trainer.Run, a.Reader.Run, a.Bookmarks.Run, a.Scheduler.Run, a.runBroker, a.runLeases, a.Echoes.Run, a.Communities.Run, a.WordNet.Run,
		a.Groupings.Run, search.NewIndexer(a.Store, a.Log).Run, a.Links.Run, a.Erasing.Run, a.Notices.Run, a.Keeper.Run,
		a.workersPages().Watch, a.imports.loop.Run,
	} {
		group.Go(func() error { return a.keep(ctx, run) })
	}
	group.Go(func() error {
		reason.Fill(ctx, a.Store, a.Log)
		return nil
	})
	group.Go(func() error {
		a.Troubles.Watch(ctx, tryAgain, a.tryStore)
		return nil
	})
}

// Close releases everything. It may be called on an app that was opened only in part.
func (a *App) Close() error {
	var errs []error
	for _, l := range append(slices.Clone(a.browsers), a.control) {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	if a.Web != nil {
		a.Web.Close()
	}
	if a.Archive != nil {
		errs = append(errs, a.Archive.Close())
	}
	for _, st := range []*store.Store{a.Store, a.look} {
		if st != nil {
			errs = append(errs, st.Close())
		}
	}
	if a.dir != nil {
		errs = append(errs, a.dir.Close())
	}
	return errors.Join(errs...)
}
