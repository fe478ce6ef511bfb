package service

import (
	"embed"
	"strings"
	"text/template"
)

// unit returns the systemd unit. What the program never does is forbidden to it: writing anything but its data folder,
// reading keys and the browsers' own profiles, gaining privileges, changing the system. Namespaces and generated code
// stay allowed, because Chromium, which renders pages when the person wants it, needs both. Without PrivateUsers, systemd of
// a person ignores the restrictions of files; options that drop capabilities, such as PrivateDevices, it cannot apply, and
// a person has none of those.
func unit(o Options, sandbox bool) string {
	return filled("nightjar.service.tmpl", map[string]any{"Command": command(o), "Sandbox": sandbox, "Data": quote(o.Data)})
}

//go:embed *.tmpl
var templateFiles embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "*.tmpl"))

// filled fills in a template.
func filled(name string, values map[string]any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, values); err != nil {
		panic("service: " + err.Error()) // the values are those of the template, and the memory takes all
	}
	return b.String()
}

// command is the command line as systemd reads it.
func command(o Options) string {
	words := []string{quote(o.Program)}
	for _, arg := range arguments(o) {
		words = append(words, strings.ReplaceAll(quote(arg), "$", "$$")) // a variable otherwise
	}
	return strings.Join(words, " ")
}

// quoting are the characters with a meaning in a unit: systemd.syntax(7), "Quoting"; systemd.unit(5), "Specifiers".
var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`)

func quote(text string) string { return `"` + quoting.Replace(text) + `"` }

// agent returns the property list of launchd. It says nothing of standard output: launchd would write it into a file that
// grows without end.
func agent(o Options) string {
	var words []string
	for _, word := range append([]string{o.Program}, arguments(o)...) {
		words = append(words, escapeXML.Replace(word))
	}
	return filled("nightjar.plist.tmpl", map[string]any{"Name": Name, "Words": words})
}

var escapeXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
