// Package crfsuite trains the conditional random field of model/crf on files in CRFsuite's text format, and tags such files, so
// that it can be compared with other implementations on their data (https://www.chokkan.org/software/crfsuite/).
package crfsuite

import (
	"fmt"
	"os"

	"nightjar/daemon/command"
)

// Command is the verb.
var Command = command.Command{
	Name:    "crfsuite",
	Args:    "train|tag FILE [FLAGS]",
	Summary: "the conditional random field on files in CRFsuite's format",
	Help: `Trains the conditional random field of the strategy crf on files in CRFsuite's text format, and tags such files.

  lab crfsuite train train.txt --c2 0.5 --model model.json
  lab crfsuite tag test.txt --model model.json --marginals

A line is an item: its label, then features, separated by tabs. An empty line ends a sequence. In names, \: stands for a
colon and \\ for a backslash. A field that begins with # is a comment, as is the rest of its line. A line @weight:2 gives
the sequence that it stands in the weight 2.

A feature is on or off: a value (name:value) other than 1 is refused, and so is a feature that a line has twice. A feature
whose name begins with "link:" (or "link\:") is evidence of the link to the item, all others are evidence of the page. The
first item of a sequence has no link to it, so that its link features count for nothing. CRFsuite knows no such
difference: files without link features give the same numbers here and there.`,
	Below: []command.Command{trainCommand, tagCommand},
}

// readFile reads sequences from the only file of a command line; there is at least one.
func readFile(env *command.Env, files []string) ([]sequence, error) {
	if len(files) != 1 {
		return nil, command.Usagef("one file is needed")
	}
	name, from := files[0], env.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // was only read
		from = f
	}
	set, err := read(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("%s: no items; each line is a label and features, separated by tabs", name)
	}
	return set, nil
}
