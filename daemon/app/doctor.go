package app

import (
	"context"
	"errors"
	"os"
	"time"

	"nightjar/daemon/base/machine"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// Examine reports whether the daemon and its data folder are well. limit is that of the database check; see
// doctor.Options.
func (a *App) Examine(ctx context.Context, limit time.Duration) doctor.Report {
	o := examination(a.dir.path, limit)
	o.Listen, o.Running = a.Addr(), &doctor.Running{PID: os.Getpid(), Since: a.started}
	if a.Damage != nil {
		o.Store, o.Faults = a.look, a.Damage.Faults
		o.StoreErr = errors.New(a.Damage.Faults[0])
		o.Troubles = []trouble.Trouble{{Kind: trouble.Damaged, Since: a.Damage.Found, Dir: a.dir.path}}
		o.Machine = machine.New(machine.Options{Disk: a.dir.path}).State(ctx)
		return doctor.Examine(ctx, o, Checks)
	}
	o.Store, o.Troubles, o.Hurt, o.Recovered = a.Store, a.Troubles.Now(), a.hurt, a.recovered
	o.Machine, o.FillDisk = a.Scheduler.Status().Machine, a.Config.FillDisk
	o.Openings = append(append(o.Openings, a.Config.Resolve...), a.Config.AllowPrivate...)
	o.Workers = &doctor.Workers{Status: a.Leases.Status(), Broker: a.Broker.Status()}
	return doctor.Examine(ctx, o, Checks)
}

// Examine reports whether a daemon serves the data folder of a completed configuration, and whether both are well. It
// asks the daemon when one runs, and otherwise reads the folder; it changes nothing there.
func Examine(ctx context.Context, c Config, limit time.Duration) (doctor.Report, error) {
	path := "/control/doctor"
	if limit < 0 {
		path += "?full=1"
	}
	var report doctor.Report
	err := Call(ctx, c.Data, path, nil, &report)
	if err == nil || ctx.Err() != nil {
		return report, ctx.Err()
	}
	o := examination(c.Data, limit)
	o.Listen = c.Listen
	if info, rerr := readRunInfo(c.Data); rerr == nil && !errors.Is(err, ErrNotRunning) {
		o.Listen, o.Running = info.Listen, &doctor.Running{PID: info.PID, Mute: true} // of another version, or it hangs
	}
	o.Machine = machine.New(machine.Options{Disk: existing(c.Data)}).State(ctx)
	if _, err := os.Stat(o.Database); err != nil {
		o.StoreErr = err
		return doctor.Examine(ctx, o, Checks), nil
	}
	st, err := store.Look(ctx, o.Database)
	if err != nil {
		o.StoreErr = err
		return doctor.Examine(ctx, o, Checks), nil
	}
	defer st.Close()
	o.Store = st
	return doctor.Examine(ctx, o, Checks), nil
}

// examination is what both ways to examine a folder have in common.
func examination(dir string, limit time.Duration) doctor.Options {
	return doctor.Options{
		Data: dir, Database: database(dir), Archive: ArchiveDir(dir), Extension: ExtensionDir(dir),
		ExtensionCurrent: ExtensionCurrent(dir), Version: Version, Protocol: protocol.Version, Now: time.Now(), Limit: limit,
	}
}

// existing is the folder, or the current one when it does not exist.
func existing(dir string) string {
	if _, err := os.Stat(dir); err != nil {
		return "."
	}
	return dir
}
