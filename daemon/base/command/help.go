package command

import (
	"io/fs"
	"strings"
)

// HelpIn returns a function that reads the help of a verb from help/NAME.txt in files. It panics when there is no such file, which
// a program notices when it starts.
func HelpIn(files fs.FS) func(name string) string {
	return func(name string) string {
		text, err := fs.ReadFile(files, "help/"+name+".txt")
		if err != nil {
			panic("command: " + err.Error())
		}
		return strings.TrimSpace(string(text))
	}
}
