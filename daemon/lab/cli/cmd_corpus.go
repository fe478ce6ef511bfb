package cli

import (
	"errors"
	"fmt"
	"strings"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

var corpusCommand = command.Command{
	Name:    "corpus",
	Args:    "list|games|walk [FLAGS]",
	Summary: "list recorded webs, and make sessions from them",
	Help:    help("corpus"),
	Below:   []command.Command{corpusListCommand, corpusGamesCommand, corpusWalkCommand},
}

// openReplay opens recordings and reports the parts that cannot be read.
func openReplay(env *command.Env, paths []string) (*recording.Replay, error) {
	replay, report, err := recording.Open(paths)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	if len(replay.Pages()) == 0 {
		return nil, errors.Join(command.WithHint(fmt.Errorf("no page in %s", strings.Join(paths, ", ")), "%s shows the contents of recordings", terminal.Command("corpus list")), replay.Close())
	}
	for _, p := range report.Problems {
		fmt.Fprintf(env.Stderr, "lab: warning: %s; the readable part is used\n", p)
	}
	return replay, nil
}

// openLabelled opens a recording and the labels of its pages. The caller must close the replay.
func openLabelled(env *command.Env, archives, labels []string) (*recording.Replay, *corpus.Labels, error) {
	replay, err := openReplay(env, archives)
	if err != nil {
		return nil, nil, err
	}
	known, err := readLabels(env, labels, replay)
	if err != nil {
		return nil, nil, errors.Join(err, replay.Close())
	}
	return replay, known, nil
}

// readLabels reads labels files and reports how many of their URLs the recording lacks.
func readLabels(env *command.Env, paths []string, replay *recording.Replay) (*corpus.Labels, error) {
	labels, err := corpus.ReadLabels(paths)
	if err != nil {
		return nil, err
	}
	if replay == nil {
		return labels, nil
	}
	if n := labels.Unknown(replay.Pages()); n > 0 {
		fmt.Fprintf(env.Stderr, "lab: warning: %d of %d labelled URLs are not in the recording\n", n, labels.Len())
	}
	return labels, nil
}
