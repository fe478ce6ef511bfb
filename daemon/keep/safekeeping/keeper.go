package safekeeping

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
)

const (
	every   = 7 * 24 * time.Hour // between two automatic backups
	keep    = 3                  // automatic backups, at most
	reserve = 256 << 20          // bytes of disk that a backup leaves free
	lookFor = 10 * time.Minute   // between two looks whether a backup is due
	firstAt = 2 * time.Minute    // after the start, so that it is not in the way
	retry   = 6 * time.Hour      // after one that failed
	atStart = 5 * time.Second    // for checking rows after each start
	rows    = 200                // that are checked at a time
)

// verifiedKey is the setting with the progress of the check of rows.
const verifiedKey = "verified"

// ErrNoRoom says that the disk has no room for a backup.
var ErrNoRoom = errors.New("the disk has no room for a backup")

// Keeper makes the automatic backups of a running daemon. Set all fields but those that may be nil.
type Keeper struct {
	Store   *store.Store
	Dir     string // data folder
	Version string // of the program
	Log     *slog.Logger
	Now     func() time.Time

	Verifiers []Verifier                      // of stored rows, at least one
	Free      func(ctx context.Context) int64 // bytes of disk, -1 when that is not known
	Busy      func() bool                     // whether a crawl runs, which a backup would slow down; may be nil
	Hurt      func(faults []string)           // called with damage in the database; may be nil

	mu      sync.Mutex
	making  bool
	problem string
	tried   time.Time
	asked   bool // for one now

	loop     jobs.Loop
	verified bool // a part of the rows was checked since the start; only the loop uses it
}

// Status is what a Keeper does and what went wrong last.
type Status struct {
	Making  bool
	Problem string // of the last try, in words; "" when it went well
}

// NewKeeper makes k ready for use and returns it.
func NewKeeper(k *Keeper) *Keeper {
	k.loop.Step, k.loop.First = k.step, firstAt
	return k
}

// Status returns what the keeper does.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return Status{k.making, k.problem}
}

// Start asks for a backup now. Run makes it.
func (k *Keeper) Start() {
	k.mu.Lock()
	k.asked = true
	k.mu.Unlock()
	k.loop.Wake()
}

// Erase deletes all automatic backups, which may hold what is being erased from the database. The next one is made as soon as
// nothing is erased any more.
func (k *Keeper) Erase() error {
	k.mu.Lock()
	k.tried = time.Time{}
	k.mu.Unlock()
	return EraseAll(k.Dir)
}

// Run checks a part of the stored rows, and makes a backup whenever one is due or asked for, until ctx ends.
func (k *Keeper) Run(ctx context.Context) error { return k.loop.Run(ctx) }

// step is a step of Run. It logs its errors: after one, the next backup is due as usual.
func (k *Keeper) step(ctx context.Context) (time.Duration, error) {
	k.mu.Lock()
	asked := k.asked
	k.asked = false
	k.mu.Unlock()
	if !k.verified {
		k.verified = true
		k.verifyPart(ctx)
	}
	due, err := k.due(ctx)
	if err != nil && ctx.Err() == nil {
		k.Log.Warn("automatic backup", "error", err)
	}
	if asked || due {
		if _, err := k.Make(ctx); err != nil && ctx.Err() == nil {
			k.Log.Warn("no automatic backup was made", "error", err)
		}
	}
	return lookFor, nil
}

// due reports whether it is time for a backup: the person wants them, something is recorded, the last one is a week old, and
// nothing is crawled or erased.
func (k *Keeper) due(ctx context.Context) (bool, error) {
	all, err := k.Store.Settings(ctx)
	if err != nil || !all.WeeklyBackup || k.Busy != nil && k.Busy() {
		return false, err
	}
	if open, err := erasing.Open(ctx, k.Store.DB); err != nil || len(open) > 0 {
		return false, err
	}
	last, err := LastEvent(ctx, k.Store.DB)
	if err != nil || last.IsZero() {
		return false, err
	}
	k.mu.Lock()
	tried := k.tried
	k.mu.Unlock()
	if now := k.Now(); now.Sub(tried) < retry && !now.Before(tried) {
		return false, nil
	}
	copies, err := List(k.Dir)
	if err != nil {
		return false, err
	}
	for _, c := range copies {
		if age := k.Now().Sub(c.At); c.Kind == Automatic && age < every && age > -every {
			return false, nil
		}
	}
	return true, nil
}

// Make checks the database, writes a backup, checks that it can be restored, and only then deletes the oldest one beyond those
// that are kept. It makes none of a database that is damaged. The error is ErrNoRoom when the disk is too full.
func (k *Keeper) Make(ctx context.Context) (c Copy, err error) {
	k.mu.Lock()
	if k.making {
		k.mu.Unlock()
		return c, errors.New("a backup is being made already")
	}
	k.making, k.tried = true, k.Now()
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.making, k.problem = false, ""
		if err != nil {
			k.problem = err.Error()
		}
	}()
	if err := k.sound(ctx); err != nil {
		return c, err
	}
	size, err := backup.Size(ctx, k.Store.DB)
	if err != nil {
		return c, err
	}
	if free := k.Free(ctx); free >= 0 && free < 2*size+reserve {
		return c, ErrNoRoom
	}
	if err := durable.MkdirAll(Folder(k.Dir)); err != nil {
		return c, fmt.Errorf("make an automatic backup: %w", err)
	}
	name := automaticPrefix + k.Now().UTC().Format(nameTime) + backup.Suffix
	path := filepath.Join(Folder(k.Dir), name)
	if err := k.write(ctx, path); err != nil {
		return c, fmt.Errorf("make an automatic backup: %w", errors.Join(err, removeMissing(path+leftovers.Part)))
	}
	failpoint.Here("weekly-backup.named")
	if err := k.prune(); err != nil {
		return c, err
	}
	return Find(k.Dir, name)
}

// sound checks the whole database and all rows.
func (k *Keeper) sound(ctx context.Context) error {
	if err := k.Store.Check(ctx); err != nil {
		if damage, ok := errors.AsType[*store.Damage](err); ok && k.Hurt != nil {
			k.Hurt(damage.Faults)
		}
		return err
	}
	at, done := Verified{}, false
	for err := error(nil); !done; {
		if at, done, err = VerifySome(ctx, k.Store.DB, k.Verifiers, at, rows); err != nil {
			return err
		}
	}
	return nil
}

// write writes a backup under a temporary name, unpacks and checks it as a restore does, and gives it its name.
func (k *Keeper) write(ctx context.Context, path string) error {
	part := path + leftovers.Part
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = backup.Write(ctx, f, k.Store, backup.Options{Program: k.Version, Now: k.Now()})
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	failpoint.Here("weekly-backup.written")
	trial, err := os.MkdirTemp(k.Dir, leftovers.Backup)
	if err != nil {
		return err
	}
	_, err = backup.Check(ctx, part, trial, k.Now())
	if err := errors.Join(err, os.RemoveAll(trial)); err != nil {
		return err
	}
	return durable.Rename(part, path)
}

// prune deletes the oldest automatic backups beyond those that are kept.
func (k *Keeper) prune() error {
	all, err := List(k.Dir)
	if err != nil {
		return err
	}
	n := 0
	for _, c := range all {
		if c.Kind != Automatic {
			continue
		}
		if n++; n > keep {
			err = errors.Join(err, os.Remove(c.Path))
		}
	}
	return err
}

// verifyPart checks rows for a few seconds, from where the last start left off.
func (k *Keeper) verifyPart(ctx context.Context) {
	var at Verified
	_, err := k.Store.Setting(ctx, verifiedKey, &at)
	for end, done := time.Now().Add(atStart), false; err == nil && !done && time.Now().Before(end); {
		at, done, err = VerifySome(ctx, k.Store.DB, k.Verifiers, at, rows)
	}
	if err == nil {
		err = k.Store.SetSetting(ctx, verifiedKey, at)
	}
	if err != nil && ctx.Err() == nil {
		k.Log.Warn("the stored rows could not be checked", "error", err)
	}
}
