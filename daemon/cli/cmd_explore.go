package cli

import (
	"strings"

	"nightjar/daemon/base/command"
)

var exploreCommand = command.Command{
	Name:    "explore",
	Args:    "'EXPRESSION' [--top NUMBER] [--json] [--data DIR]  |  VERB [ARGUMENTS]",
	Summary: "ask what links say about the pages you visited and crawled",
	Help:    strings.Replace(help("explore"), "{operators}", operatorList(), 1),
	Files:   true,
	Verb:    command.Of[exploreOptions],
	Below:   []command.Command{groupsCommand, askCommand, ontologyCommand, exploreWordnetCommand},
}
