package machine

import (
	"context"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getSystemPowerStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")

// onBattery asks the kernel: SYSTEM_POWER_STATUS of winbase.h, whose ACLineStatus is 0 offline, 1 online, 255 unknown.
func onBattery(context.Context, Options) Answer {
	var status struct {
		ACLineStatus, BatteryFlag, BatteryLifePercent, SystemStatusFlag byte
		BatteryLifeTime, BatteryFullLifeTime                            uint32
	}
	if ok, _, _ := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 { // as the call wants it
		return Unknown
	}
	switch status.ACLineStatus {
	case 0:
		return Yes
	case 1:
		return No
	}
	return Unknown
}
