package wings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"nightjar/crawler/archive"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// Everything erases all data: the rows, and what wings have beside them. While the daemon starts, nothing runs yet, and the parts that
// are interfaces or functions are nil.
type Everything struct {
	Store     *store.Store
	Dir       string           // data folder
	Archive   *archive.Archive // nil for none
	Troubles  *trouble.Board
	Bookmarks interface {
		Forget(ctx context.Context) error
	} // the links of a file
	Backups  interface{ Erase() error } // the automatic ones
	Browsers interface {
		Revoke(ctx context.Context, client string) error
	} // the connections of a browser
	Results interface {
		Forget(ctx context.Context) error
	} // what workers brought
	Apart func(ctx context.Context, do func() error) error // stops all crawls, and runs do while none can begin
}

// Resume erases everything if that was begun before the disk was full or the process was killed, and reports whether it was.
func (e Everything) Resume(ctx context.Context) (bool, error) {
	if !erasing.AllBegun(e.Store.DB) {
		return false, nil
	}
	return true, e.Erase(ctx)
}

// Erase erases everything but the dashboard's host name and the logins. When it fails after erasing.AllBegun, Resume goes on.
func (e Everything) Erase(ctx context.Context) error {
	browsers, err := e.Store.BrowserViews(ctx)
	if err != nil {
		return err
	}
	if err := erasing.BeginAll(e.Store.DB); err != nil {
		return err
	}
	if e.Bookmarks != nil {
		err = e.Bookmarks.Forget(ctx)
	}
	if err := errors.Join(err, e.makeRoom()); err != nil {
		return err
	}
	for _, b := range browsers {
		if e.Browsers == nil {
			break
		}
		if err := e.Browsers.Revoke(ctx, b.Client); err != nil && trouble.Of(err) == "" { // its row is erased below
			return err
		}
	}
	failpoint.Here("erase-all.revoked")
	if e.Apart == nil {
		err = e.eraseStored(ctx)
	} else {
		err = e.Apart(ctx, func() error { return e.eraseStored(ctx) })
	}
	if err == nil {
		failpoint.Here("erase-all.rows-erased")
	}
	return err
}

// makeRoom erases the automatic backups and the data from before a restore. On a full disk it also releases the reserved
// space, so that crawls can be stopped and rows erased.
func (e Everything) makeRoom() error {
	old, err := backup.OldFolders(e.Dir)
	for _, dir := range old {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		return fmt.Errorf("erase the data from before a restore: %w", err)
	}
	if e.Backups != nil {
		err = e.Backups.Erase()
	} else {
		err = safekeeping.EraseAll(e.Dir)
	}
	if err == nil && slices.ContainsFunc(e.Troubles.Now(), func(t trouble.Trouble) bool { return t.Kind == trouble.Full }) {
		_, err = leftovers.FreeReserve(e.Dir)
	}
	return err
}

// eraseStored erases the archive, what workers brought, and the rows.
func (e Everything) eraseStored(ctx context.Context) error {
	if e.Archive != nil {
		if err := e.Archive.EraseAll(); err != nil {
			return err
		}
	}
	failpoint.Here("erase-all.archive-erased")
	var err error
	if e.Results != nil {
		err = e.Results.Forget(ctx)
	} else {
		err = os.RemoveAll(filepath.Join(e.Dir, leftovers.Broker))
	}
	if err != nil {
		return err
	}
	return erasing.All(ctx, e.Store)
}
