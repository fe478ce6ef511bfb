package scheduler

import (
	"fmt"

	"nightjar/daemon/machine"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
)

// noClock is why a night's crawl waits, in words.
const noClock = "the clock of this computer is not set"

// Of a disk whose twentieth part is more than the settings ask for, that part stays free, but never more than enough.
const (
	diskShare = 20
	enough    = 10 << 30
)

// waits says why the machine's state keeps a crawl from going on, "" when it does not; before is why it waits already.
// What is not known is no reason. Battery and metered network do not hold a crawl that the person told to run anyway; a
// full disk does, until there is a tenth more room than must be, or the crawl's own cleaning up would let it go on.
func waits(s settings.Settings, m machine.State, anyway bool, before string) string {
	least := floor(s, m)
	disk := fmt.Sprintf("less than %d MB of disk are free", least>>20)
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

// floor is how many bytes of disk crawls leave to what the browsers send, which is taken in to the last; 0 for none.
func floor(s settings.Settings, m machine.State) int64 {
	if s.DiskFloor == 0 {
		return 0
	}
	return max(int64(s.DiskFloor)<<20, min(m.Size/diskShare, enough))
}
