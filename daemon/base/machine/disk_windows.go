package machine

import "golang.org/x/sys/windows"

// disk is what the user may still write to the disk of a folder, and its whole size.
func disk(folder string) (free, size int64) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return -1, -1
	}
	var mine, all uint64
	if err := windows.GetDiskFreeSpaceEx(name, &mine, &all, nil); err != nil {
		return -1, -1
	}
	return int64(mine), int64(all) // no disk has 2^63 bytes
}
