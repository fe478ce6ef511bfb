// Package extension holds the browser extension's source folder, so that a person who has only the program can load it.
package extension

import (
	"embed"
	"io/fs"
)

//go:embed all:src
var files embed.FS

// Files returns the folder that a browser loads: manifest.json and what it names.
func Files() fs.FS {
	src, err := fs.Sub(files, "src")
	if err != nil {
		panic(err) // the name is a constant
	}
	return src
}
