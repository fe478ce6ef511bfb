//go:build !linux && !darwin && !windows

package machine

import "context"

func onBattery(context.Context, Options) Answer { return Unknown }
