package leftovers

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"nightjar/crawler/durable"
)

// Reserve is a file in a data folder that holds nothing but room. It is deleted when the disk is full and the daemon needs a
// little of it: to open the database, which takes room for the index of its log, or to erase.
const Reserve = "reserve"

// reserved is the size of the reserve in bytes: enough for the index of the log, the files that say where the daemon is, and a
// write of some hundred rows.
const reserved = 2 << 20

// KeepReserve makes the reserve if there is none. Its bytes are random, since some file systems give no room to zeros.
func KeepReserve(dir string) error {
	path := filepath.Join(dir, Reserve)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	room := make([]byte, reserved)
	rand.Read(room) // never fails
	if err := durable.WriteFile(path, room); err != nil {
		return fmt.Errorf("reserve room on the disk: %w", err)
	}
	return nil
}

// FreeReserve deletes the reserve, and reports whether there was one.
func FreeReserve(dir string) (freed bool, err error) {
	err = os.Remove(filepath.Join(dir, Reserve))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
