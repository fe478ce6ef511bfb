package machine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// onBattery reads the power supplies of the kernel (Documentation/ABI/testing/sysfs-class-power). A machine without
// batteries and chargers, as most desktops, does not tell.
func onBattery(_ context.Context, o Options) Answer {
	entries, err := os.ReadDir(o.PowerSupply)
	if err != nil {
		return Unknown
	}
	var mains, charger, battery, drained bool
	for _, e := range entries {
		s := supply(filepath.Join(o.PowerSupply, e.Name()))
		online := s.read("online") == "1" || s.read("online") == "2" // 2: a charger whose voltage can be set
		switch kind := s.read("type"); {
		case kind == "Mains":
			mains = mains || online
		case kind == "Battery" || kind == "UPS":
			if s.read("scope") == "Device" || s.read("present") == "0" {
				continue // of a mouse, or an empty bay
			}
			battery = true
			drained = drained || s.read("status") == "Discharging"
		default: // USB and wireless chargers; some ports say so while it is they who give power
			charger = charger || kind != "" && online
		}
	}
	switch {
	case mains:
		return No
	case drained:
		return Yes
	case charger || battery: // one that is full, charging or kept from charging has a charger
		return No
	}
	return Unknown
}

// supply is the folder of one power supply.
type supply string

// read is what a file of the supply says, "" when it is not there.
func (s supply) read(name string) string {
	text, err := os.ReadFile(filepath.Join(string(s), name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
