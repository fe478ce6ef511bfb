// Package cli holds the verbs of the lab.
//
// Start with Main, which runs the verb that the arguments name. The files of a verb are named cmd_VERB.go and
// cmd_VERB_PART.go, and help/VERB.txt has its help. What measures one part of Nightjar is a package of its own, most of them
// below daemon/lab/measure.
package cli

import (
	"embed"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/measure/dashboard"
	"nightjar/daemon/lab/measure/month"
	"nightjar/daemon/lab/papers"
	"nightjar/daemon/lab/simulate"
)

//go:embed help
var helpTexts embed.FS

// help is the help of a verb.
var help = command.HelpIn(helpTexts)

// Main runs the verb that args name until it ends or the process is interrupted, and returns the exit code: 0 for
// success, 1 for failure, 2 for wrong usage.
func Main(args []string) int { return program().Main(args) }

// program lists the verbs in the order in which help does.
func program() *command.Program {
	return &command.Program{
		Name:     "lab",
		Overview: "The lab trains and crawls outside Nightjar's data folder, and measures how good and how quick Nightjar is.",
		After: `"lab COMMAND --help" describes a command; in the source tree, "lab" is "go run ./daemon/lab".

Exit codes: 0 success, 1 failure, 2 wrong usage.`,
		Verbs: []command.Command{
			trainCommand,
			crawlCommand,
			benchCommand,
			corpusCommand,

			// What measures one part of Nightjar.
			month.Command,
			papers.Command,
			simulate.Command,
			dashboard.Command,
		},
	}
}
