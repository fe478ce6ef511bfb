package cli

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeNamesTheCommands: the README's table has each command that help lists and no other, and names no flag that its
// commands do not have. What documents and help tell people to run exists.
func TestReadmeNamesTheCommands(t *testing.T) {
	known := map[string]*flag.FlagSet{}
	for _, c := range program().Verbs {
		if c.Summary == "" {
			continue
		}
		known[c.Name] = flag.NewFlagSet(c.Name, flag.ContinueOnError)
		if c.Verb != nil {
			c.Verb().Define(known[c.Name])
		}
	}
	readme := read(t, "../../README.md")
	told := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| (`nightjar[^|]*) \\| (.*) \\|$")
	for _, m := range row.FindAllStringSubmatch(readme, -1) {
		var names []string
		for _, one := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			name := strings.TrimPrefix(strings.TrimPrefix(one[1], "nightjar"), " ")
			if name == "" {
				name = "serve"
			}
			names, told[name] = append(names, name), true
		}
		for _, f := range regexp.MustCompile("--([a-z-]+)").FindAllStringSubmatch(m[2], -1) {
			has := false
			for _, name := range names {
				has = has || known[name] != nil && known[name].Lookup(f[1]) != nil
			}
			if !has {
				t.Errorf("the README says --%s of %v, which have no such flag", f[1], names)
			}
		}
	}
	for name := range known {
		if !told[name] {
			t.Errorf("the README's table lacks nightjar %s", name)
		}
	}
	for name := range told {
		if known[name] == nil {
			t.Errorf("the README's table has nightjar %s, which does not exist", name)
		}
	}
	texts := map[string]string{}
	for _, file := range []string{"README.md", "docs/ARCHITECTURE.md", "docs/CONNECT.md", "docs/COMMUNITIES.md"} {
		texts[file] = read(t, "../../"+file)
	}
	for _, c := range program().Verbs {
		texts["nightjar "+c.Name+" --help"] = c.Help
	}
	for name, text := range texts {
		for _, m := range regexp.MustCompile("[`\"](?:claude mcp add nightjar -- )?nightjar ([a-z]+)").FindAllStringSubmatch(text, -1) {
			if known[m[1]] == nil {
				t.Errorf("%s names nightjar %s, which does not exist", name, m[1])
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
