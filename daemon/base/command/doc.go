// Package command is the frame of a program with verbs: it finds the verb that a command line names, reads its flags, prints help
// and errors, and shows progress. Each program is a Program, a list of verbs; each verb declares its flags and its help beside the
// function that runs it.
package command
