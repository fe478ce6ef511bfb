package devtool

import (
	"errors"
	"os"
	"path/filepath"
)

// Root is the folder of the source tree: the working folder or the nearest one above it that holds go.tool.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.tool.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside the source tree")
		}
		dir = up
	}
}
