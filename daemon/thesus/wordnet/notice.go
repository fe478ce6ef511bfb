package wordnet

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// maxNotice is the largest notice in bytes that is read. WordNet 3.1's has 1.6 kB.
const maxNotice = 32 << 10

// licences are the names of files with a licence, the likeliest first.
var licences = []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING", "copyright"}

// versions finds the release in a notice, such as "WordNet 3.1 Copyright 2011".
var versions = regexp.MustCompile(`(?i)WordNet(?: release| edition)?,? v?(\d{1,4}(?:\.\d{1,2})?)\b`)

// numbered is the beginning of a line of the heading of WordNet's files.
var numbered = regexp.MustCompile(`^ *\d+ ?`)

// notice is the copyright notice and licence of a folder's WordNet: the heading of its data.noun, with a licence file if
// the heading names no copyright. "" when there is none. It is what a stranger wrote.
func notice(folder string) (string, error) {
	text, err := head(filepath.Join(folder, "data.noun"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		b.WriteString(strings.TrimRight(numbered.ReplaceAllString(line, ""), " \r\n") + "\n")
	}
	for _, name := range licences {
		if strings.Contains(strings.ToLower(b.String()), "copyright") {
			break
		}
		if text, err = head(filepath.Join(folder, name)); err == nil {
			b.WriteString(text)
			break
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(b.String(), "�")), nil
}

// head reads the beginning of a file.
func head(path string) (string, error) {
	f, err := openFile(path)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxNotice))
	return string(text), errors.Join(err, f.Close())
}
