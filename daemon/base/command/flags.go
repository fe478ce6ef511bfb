package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// usageError is the error of a wrong command line. The program ends with code 2.
type usageError struct{ text, hint string }

func (u *usageError) Error() string { return u.text }

// Hint says what the person can do next; "" before the program knows which command was wrong.
func (u *usageError) Hint() string { return u.hint }

// Usagef is the error of a wrong command line. The program ends with code 2 and points to the command's help.
func Usagef(format string, args ...any) error { return &usageError{text: fmt.Sprintf(format, args...)} }

// UsageHint is Usagef with a hint in place of the one to the help.
func UsageHint(text, hint string) error { return &usageError{text, hint} }

// Parse parses args with the flags that define declares and returns the remaining arguments; flags may follow them. A wrong flag
// is a usage error, a call for help flag.ErrHelp.
func Parse(name string, args []string, define func(*flag.FlagSet)) ([]string, error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	define(set)
	var rest []string
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, &usageError{text: err.Error()}
		}
		if set.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, set.Arg(0)), set.Args()[1:]
	}
}

// List is a flag that may be repeated and takes commas.
type List struct {
	Values *[]string
	URLs   bool // a comma separates only before http:// or https://
}

func (l List) String() string {
	if l.Values == nil {
		return ""
	}
	return strings.Join(*l.Values, ",")
}

// Set adds the values of one occurrence.
func (l List) Set(text string) error {
	split := strings.Split
	if l.URLs {
		split = splitURLs
	}
	for _, one := range split(text, ",") {
		if one = strings.TrimSpace(one); one != "" {
			*l.Values = append(*l.Values, one)
		}
	}
	return nil
}

// splitURLs splits only at commas before a scheme, since a URL may contain commas.
func splitURLs(text, comma string) []string {
	var all []string
	for _, part := range strings.Split(text, comma) {
		p := strings.TrimSpace(part)
		if len(all) == 0 || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			all = append(all, p)
			continue
		}
		all[len(all)-1] += comma + part
	}
	return all
}
