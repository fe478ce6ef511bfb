package devtool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Root is the folder of the source tree: the working folder or the first above it that holds go.tool.mod.
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

// Build builds a program that is a module of its own, so that Nightjar does not depend on what it imports. The folder is
// relative to Root. The result is the path of the program, in dir.
func Build(ctx context.Context, folder, dir string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, filepath.Base(folder))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	cmd.Dir = filepath.Join(root, filepath.FromSlash(folder))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", folder, err, out)
	}
	return program, nil
}
