package cli

import (
	"flag"
	"io"

	"nightjar/daemon/base/command"
)

// steps shows the steps of long work, one after the other.
type steps struct {
	out  io.Writer
	show *command.Progress // of the step; nil between two
}

// begin shows a step with a total number of things to do; 0 means that the number is not known.
func (s *steps) begin(what string, total int) {
	s.end()
	s.show = command.NewProgress(s.out, what, total)
}

// count shows how many things are done of a step that is not begun otherwise.
func (s *steps) count(what string, n int) {
	if s.show == nil {
		s.begin(what, 0)
	}
	s.show.Set(n)
}

func (s *steps) end() {
	if s.show != nil {
		s.show.End()
		s.show = nil
	}
}

// given are the flags that the command line sets.
func given(f *flag.FlagSet) map[string]bool {
	set := map[string]bool{}
	f.Visit(func(f *flag.Flag) { set[f.Name] = true })
	return set
}

// among lists those of the names that are set.
func among(set map[string]bool, names ...string) (all []string) {
	for _, name := range names {
		if set[name] {
			all = append(all, name)
		}
	}
	return all
}
