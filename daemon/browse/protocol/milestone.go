package protocol

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Why a text cannot be the name of a milestone. The messages are for people.
var (
	ErrNoName    = errors.New("type a name for the milestone")
	ErrLongName  = fmt.Errorf("a milestone's name has at most %d characters; choose a shorter one", MaxLabel)
	ErrNameTaken = errors.New("this name is one of Nightjar’s own (“goal”, “fail”, “pre-…”, “T0”, “T1”, …); choose another one")
)

// hopName is how the hidden states are called: T0, T_0.
var hopName = regexp.MustCompile(`^t_?[0-9]+$`)

// MilestoneName returns the name that a person gave to a page as it is kept: without white space around it, and with
// one blank in place of white space and control characters in it. The errors are ErrNoName, ErrLongName, and
// ErrNameTaken for the names of other labels ([CRF] §3.3: goal, fail, pre-x; hop states). The extension does the same
// (milestoneName in extension/src/shared/protocol.js); testdata/names.json tests both.
func MilestoneName(text string) (string, error) {
	name := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\ufffd"), blank), " ")
	key := MilestoneKey(name)
	switch {
	case name == "":
		return "", ErrNoName
	case utf8.RuneCountInString(name) > MaxLabel:
		return "", ErrLongName
	case key == "goal", key == "fail", strings.HasPrefix(key, "pre-"), hopName.MatchString(key):
		return "", ErrNameTaken
	}
	return name, nil
}

// MilestoneKey returns what two spellings of one name have in common: case does not tell names apart.
func MilestoneKey(name string) string { return strings.ToLower(name) }

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' }
