package trainer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"nightjar/crawler/feature"
)

// HeadingsFile is the name of the file of heading sets in the data folder.
const HeadingsFile = "headings.txt"

// HeadingSets reads the heading sets of a data folder, or returns the default sets when the folder has no file of them.
// The error names the file and the line that is wrong: training must not go on with other sets than the person's.
func HeadingSets(data string) (feature.Sets, error) {
	name := filepath.Join(data, HeadingsFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return feature.DefaultSets(), nil
	}
	if err != nil {
		return feature.Sets{}, fmt.Errorf("read heading sets: %w", err)
	}
	sets, err := feature.ParseSets(string(text))
	if err != nil {
		return feature.Sets{}, fmt.Errorf("%s: %w", name, err)
	}
	return sets, nil
}
