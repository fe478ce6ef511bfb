package corpus

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// maxLine is the maximum length of a line in bytes; it suffices for games of hundreds of clicks.
const maxLine = 4 << 20

// eachLine calls use for every line of the files, without empty lines and comments ("#"). Errors name file and line.
func eachLine(paths []string, use func(line string) error) error {
	for _, path := range paths {
		if err := fileLines(path, use); err != nil {
			return err
		}
	}
	return nil
}

func fileLines(name string, use func(line string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read from
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimRight(lines.Text(), "\r")
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // some editors begin a file with it
		}
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := use(line); err != nil {
			return fmt.Errorf("%s line %d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s line %d: %w", name, n+1, err)
	}
	return nil
}
