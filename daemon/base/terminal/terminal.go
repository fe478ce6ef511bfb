// Package terminal says what a person types in a terminal to run this program: as it was started, since somebody who used "go run"
// has no program of its name.
package terminal

import (
	"cmp"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"unicode"
)

// program is what the person types before a verb.
var program = programOf(os.Args[0], executable(), build())

// Command is what to type for words: a verb of the program, with its arguments. Words that are no plain words must be quoted.
func Command(words string) string { return program + " " + words }

// On is Command for a data folder, which is named unless it is the usual one.
func On(data, words string) string {
	if data == "" || data == UsualData(os.Getenv) {
		return Command(words)
	}
	return Command(words) + " --data " + Quote(data)
}

// UsualData is the data folder of a program that was told none, "" if the system knows no folder of the person. It does not look at
// NIGHTJAR_DATA, which need not be set in the terminal where something is typed.
func UsualData(getenv func(string) string) string {
	home := getenv("XDG_DATA_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		home = filepath.Join(user, ".local", "share")
	}
	return filepath.Join(home, "nightjar")
}

// Quote writes a word so that shells read it as one.
func Quote(word string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-:\\@%+,=", r)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// cached matches folders in which "go run" and "go test" keep programs: below go-build, or in the build cache under a hash.
var cached = regexp.MustCompile(`(^|[/\\])(go-build[0-9]*[/\\]|[0-9a-f]{64}-d[/\\])`)

// FromGoRun reports whether a program at this path was built by "go run", and may be deleted when it ends.
func FromGoRun(executable string) bool {
	return cached.MatchString(executable) && !isTest(executable)
}

func isTest(executable string) bool {
	return strings.HasSuffix(strings.TrimSuffix(executable, ".exe"), ".test")
}

// programOf is what is typed to run the program at a path again. started is the name by which it was started, as the shell gave it, and
// pkg its package below the module, such as daemon.
func programOf(started, executable, pkg string) string {
	switch {
	case FromGoRun(executable):
		return "go run ./" + pkg
	case started == "" || isTest(started):
		return "nightjar"
	case filepath.IsAbs(started) && onPath(started):
		return Quote(filepath.Base(started))
	}
	return Quote(started)
}

// onPath reports whether a shell finds the program at this path by its name alone.
func onPath(name string) bool {
	found, err := exec.LookPath(filepath.Base(name))
	return err == nil && found == name
}

func executable() string {
	name, _ := os.Executable() // "" is no path of "go run"
	return name
}

// build is the folder of the program's package in its module.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "daemon"
	}
	return cmp.Or(strings.TrimPrefix(path.Clean(strings.TrimPrefix(info.Path, info.Main.Path)), "/"), "daemon")
}
