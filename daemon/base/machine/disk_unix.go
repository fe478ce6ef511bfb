//go:build linux || darwin || freebsd

package machine

import "golang.org/x/sys/unix"

// disk is what may still be written to the disk of a folder by who is not root, and its whole size.
func disk(folder string) (free, size int64) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return -1, -1
	}
	block := int64(s.Bsize) // these fields have other types on other systems
	return int64(s.Bavail) * block, int64(s.Blocks) * block
}
