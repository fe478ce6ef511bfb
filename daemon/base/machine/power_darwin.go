package machine

import (
	"context"
	"os/exec"
)

// onBattery asks pmset, which every macOS has.
func onBattery(ctx context.Context, _ Options) Answer {
	text, err := exec.CommandContext(ctx, "/usr/bin/pmset", "-g", "batt").Output()
	if err != nil {
		return Unknown
	}
	return readPmset(string(text))
}
