package verb

import (
	"encoding/json"
	"flag"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
)

// Output is what a verb does with its result, as the flags say.
type Output struct{ JSON, Report bool }

// Flags declares --json and, when the verb writes a page of daemon/lab/reports, --report. page is the page's name.
func (o *Output) Flags(f *flag.FlagSet, page string) {
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if page != "" {
		f.BoolVar(&o.Report, "report", false, "write daemon/lab/reports/"+page)
	}
}

// Print prints a result as JSON, or a heading with tables.
func (o *Output) Print(env *command.Env, result any, heading string, tables []devtool.Table) error {
	if o.JSON {
		out := json.NewEncoder(env.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(result)
	}
	return devtool.WriteText(env.Stdout, heading, tables)
}
