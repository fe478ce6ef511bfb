package wordnet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nightjar/model/wordnet"
)

// From says why a folder is looked at.
type From string

// The places, the first that holds WordNet is used.
const (
	FromData     From = "added"       // the data folder
	FromVariable From = "WNSEARCHDIR" // the environment variable names it
	FromSystem   From = "system"      // installed for all people of this computer
)

// place is a folder that may hold WordNet.
type place struct {
	folder string
	from   From
}

// places lists where WordNet is looked for, in order.
func (l *Library) places() []place {
	var all []place
	if current := l.current(); current != "" {
		all = append(all, place{current, FromData})
	}
	if dir := l.getenv("WNSEARCHDIR"); dir != "" {
		all = append(all, place{dir, FromVariable})
	}
	for _, dir := range l.system {
		all = append(all, place{dir, FromSystem})
	}
	return all
}

// systemFolders is where packages put WordNet for all people of the computer, as Debian's wordnet-base does: the folder wordnet
// of each folder in XDG_DATA_DIRS (XDG Base Directory Specification 0.8, which says what holds when it is empty).
func systemFolders(dataDirs string) (all []string) {
	if dataDirs == "" {
		dataDirs = "/usr/local/share:/usr/share"
	}
	for _, dir := range filepath.SplitList(dataDirs) {
		if filepath.IsAbs(dir) { // others are to be ignored
			all = append(all, filepath.Join(dir, "wordnet"))
		}
	}
	return all
}

// currentFile names the folder in DATA/wordnet that holds the WordNet that was added last. It is replaced in one step, so
// that there is always a whole one.
const currentFile = "current"

// current is the folder of what was added, "" when nothing was.
func (l *Library) current() string {
	name, err := os.ReadFile(filepath.Join(l.dir, currentFile))
	base := strings.TrimSpace(string(name))
	if err != nil || base == "" || base == "." || base == ".." || base != filepath.Base(base) {
		return ""
	}
	return filepath.Join(l.dir, base)
}

// holds says whether the place has a file of WordNet.
func (p place) holds() bool {
	_, err := os.Stat(filepath.Join(p.folder, "data.noun"))
	return err == nil
}

// stamp is different after files of the places were changed, added or removed.
func stamp(places []place) string {
	var b strings.Builder
	for _, p := range places {
		fmt.Fprintf(&b, "%s\x00", p.folder)
		for _, name := range wordnet.Names() {
			info, err := os.Stat(filepath.Join(p.folder, name))
			if err != nil {
				b.WriteString("-")
				continue
			}
			fmt.Fprintf(&b, "%s %d %d,", info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
