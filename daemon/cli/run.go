// Package cli holds the verbs of the program.
//
// Start with Main, which runs the verb that the arguments name. The files of a verb are named cmd_VERB.go and
// cmd_VERB_PART.go; every verb declares its flags beside the function that runs it. Help of more than a line is in
// help/VERB.txt.
package cli

import (
	"embed"

	"nightjar/daemon/base/command"
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
		Name:     "nightjar",
		Overview: "nightjar learns from the way you browse and crawls at night to find more of what you find useful.",
		After: `Without a command, nightjar opens the dashboard in the browser, and runs the daemon if none runs yet.
"nightjar COMMAND --help" describes a command, and nightjar --version prints the version.

All data is in one folder: --data DIR, or $NIGHTJAR_DATA, or $XDG_DATA_HOME/nightjar.
Exit codes: 0 success, 1 failure, 2 wrong usage.`,
		Default: &plainCommand,
		Verbs: []command.Command{
			serveCommand,
			openCommand,
			serviceCommand,
			workerCommand,
			doctorCommand,
			demoCommand,
			importCommand,
			exportCommand,
			backupCommand,
			restoreCommand,
			communitiesCommand,
			exploreCommand,
			mcpCommand,
			versionCommand,
		},
	}
}
