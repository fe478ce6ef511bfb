package links

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/linktext"
)

// maxFile bounds what is read of the file; linktext.ParseNavigation takes less.
const maxFile = 1 << 20

// navigation is the words of navigation, as the file has them.
type navigation struct {
	file  string
	log   *slog.Logger
	words map[string]bool // of the last file that could be read

	size   int64 // of the file that was read last, with
	at     time.Time
	looked bool // a file was read, or could not be written
}

// look reads the file if it changed, and writes it if it is missing. A file that cannot be read leaves the words as they are.
func (n *navigation) look() {
	if n.file == "" {
		return
	}
	info, err := os.Stat(n.file)
	if errors.Is(err, fs.ErrNotExist) {
		if n.looked && n.at.IsZero() {
			return // it could not be written
		}
		n.write()
		info, err = os.Stat(n.file)
	}
	if err != nil {
		if !n.looked || !n.at.IsZero() {
			n.log.Error("the words of navigation cannot be read, and stay as they are; check the file's folder", "file", n.file, "err", err)
		}
		n.looked, n.at, n.size = true, time.Time{}, 0
		return
	}
	if n.looked && info.Size() == n.size && info.ModTime().Equal(n.at) {
		return
	}
	n.looked, n.size, n.at = true, info.Size(), info.ModTime()
	words, err := readNavigation(n.file)
	if err != nil {
		n.log.Error("the words of navigation cannot be read, and stay as they are; correct the file, or delete it to get the usual words",
			"file", n.file, "err", err)
		return
	}
	n.words = words
}

// write writes the usual words to the file, whole: half a file would count as the person's words.
func (n *navigation) write() {
	_ = durable.WriteFile(n.file, []byte(linktext.NavigationText())) // look says when there is no file
}

func readNavigation(file string) (map[string]bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return linktext.ParseNavigation(string(text))
}
