package scheduler

import (
	"fmt"

	"nightjar/daemon/machine"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
)

// noClock is the reason for which a night's crawl waits while the clock is implausible.
const noClock = "the clock of this computer is not set"

// On large disks, crawls leave more space free than the settings require: a share of 1/diskShare, but at most enough bytes.
const (
	diskShare = 20
	enough    = 10 << 30
)

// waits says why a crawl must wait for the machine, "" when it need not; before is why it waits already. Unknown values are
// no reason. A crawl that the person told to run anyway ignores battery and metered network, but not a full disk. A crawl
// that waits for disk space goes on only with a tenth more than required: otherwise its own cleaning up could wake it.
func waits(s settings.Settings, m machine.State, anyway bool, before string) string {
	least := floor(s, m)
	disk := fmt.Sprintf("less than %d MB of disk space is free", least>>20)
	if before == disk {
		least += least / 10
	}
	switch {
	case m.Free >= 0 && m.Free < least:
		return disk
	case anyway:
		return ""
	case s.OnMains && m.Battery == machine.Yes:
		return store.OnBattery
	case s.Unmetered && m.Metered == machine.Yes:
		return store.OnMetered
	}
	return ""
}

// Waits says why a crawl that would run now must wait for the machine, "" when it need not.
func Waits(s settings.Settings, m machine.State) string { return waits(s, m, false, "") }

// Floor returns how many bytes of disk space crawls leave free; 0 for none.
func Floor(s settings.Settings, m machine.State) int64 { return floor(s, m) }

// floor returns how many bytes of disk space crawls leave free for what browsers send, which is stored even on a nearly
// full disk; 0 for none.
func floor(s settings.Settings, m machine.State) int64 {
	if s.DiskFloor == 0 {
		return 0
	}
	return max(int64(s.DiskFloor)<<20, min(m.Size/diskShare, enough))
}
