package web

import (
	"nightjar/crawler/render"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/web/frame"
)

// machineWords describes the machine's power and network now.
type machineWords struct{ Power, Network string }

func machineNow(s scheduler.Status) machineWords {
	return machineWords{
		Power: map[machine.Answer]string{machine.Yes: "on battery power", machine.No: "on mains power",
			machine.Unknown: "unknown, which counts as mains power"}[s.Machine.Battery],
		Network: map[machine.Answer]string{machine.Yes: "metered", machine.No: "not metered",
			machine.Unknown: "unknown, which counts as not metered"}[s.Machine.Metered],
	}
}

// noBrowser says why there is no browser that renders pages, "" when there is one.
func noBrowser() string {
	if _, err := render.Find(); err != nil {
		return frame.Sentence(err.Error())
	}
	return ""
}
