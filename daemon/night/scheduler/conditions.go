package scheduler

import (
	"fmt"

	"nightjar/daemon/base/machine"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// noClock is the reason for which a night's crawl waits while the clock is implausible.
const noClock = "the clock of this computer is not set"

// Crawls leave disk space free for what browsers send, which is stored even on a nearly full disk: a twentieth of the disk, but at
// least little bytes and at most enough; of small disks, an eighth.
const (
	little = 1 << 30
	enough = 10 << 30
)

// waits says why a crawl must wait for the machine, "" when it need not; least is how many bytes of disk space it leaves free, and
// before is why it waits already. Unknown values are no reason. A crawl that the person told to run anyway ignores battery and
// metered network, but not a full disk. A crawl that waits for disk space goes on only with a tenth more than required:
// otherwise its own cleaning up could wake it.
func waits(s settings.Settings, m machine.State, least int64, anyway bool, before string) string {
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
		return crawls.OnBattery
	case s.Unmetered && m.Metered == machine.Yes:
		return crawls.OnMetered
	}
	return ""
}

// Waits says why a crawl that leaves that many bytes of disk space free, and would run now, must wait for the machine, "" when it
// need not.
func Waits(s settings.Settings, m machine.State, floor int64) string {
	return waits(s, m, floor, false, "")
}

// Floor returns how many bytes of disk space crawls leave free; 0 when the size of the disk is not known.
func Floor(m machine.State) int64 { return min(max(m.Size/20, little), m.Size/8, enough) }

// floor is Floor, 0 for crawls that may fill the disk.
func (o *Options) floor(m machine.State) int64 {
	if o.FillDisk {
		return 0
	}
	return Floor(m)
}
