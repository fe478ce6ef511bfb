package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/thesus/wordnet"
	model "nightjar/model/wordnet"
)

// wordnetState is what --json prints.
type wordnetState struct {
	Found bool `json:"found"`
	wordnet.State
	Fingerprint string `json:"fingerprint,omitempty"`
}

// wordMeaning is a sense of a word.
type wordMeaning struct {
	Name       string   `json:"name"` // such as "wind.n.07"
	Base       string   `json:"base"` // form of the word that has it
	Words      []string `json:"words"`
	Definition string   `json:"definition,omitempty"`
	Above      []string `json:"above,omitempty"` // names of senses, from the root to the one above
}

// word lists the senses of a word.
func (o *wordnetOptions) word(env *command.Env, l *wordnet.Library, word string) error {
	net := l.Net()
	if net == nil {
		return command.WithHint(fmt.Errorf("there is no WordNet to look %q up in", word), "%s downloads one", terminal.Command("explore wordnet get"))
	}
	all := []wordMeaning{}
	for _, pos := range []model.POS{model.Noun, model.Verb} {
		for _, base := range net.Morphy(word, pos) {
			for _, s := range net.Senses(base, pos) {
				all = append(all, meaningOf(l, net, base, s))
			}
		}
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(all)
	}
	if len(all) == 0 {
		return command.WithHint(fmt.Errorf("WordNet has no noun and no verb %q", word), "try another form of the word, or one word of several")
	}
	var b strings.Builder
	for _, m := range all {
		fmt.Fprintf(&b, "%s  %s\n", printable(m.Name), printable(spaced(strings.Join(m.Words, ", "))))
		if m.Definition != "" {
			fmt.Fprintf(&b, "    %s\n", printable(m.Definition))
		}
		if len(m.Above) > 0 {
			fmt.Fprintf(&b, "    a kind of %s\n", printable(strings.Join(m.Above, " > ")))
		}
	}
	_, err := io.WriteString(env.Stdout, b.String())
	return err
}

func meaningOf(l *wordnet.Library, net *model.Net, base string, s model.Sense) wordMeaning {
	m := wordMeaning{Name: net.Name(s), Base: base, Words: net.Words(s), Definition: l.Gloss(s)}
	if paths := net.Paths(s); len(paths) > 0 {
		for _, above := range paths[0][:len(paths[0])-1] {
			m.Above = append(m.Above, net.Name(above))
		}
	}
	return m
}

// spaced is a text with spaces in place of the underscores of WordNet's words.
func spaced(text string) string { return strings.ReplaceAll(text, "_", " ") }
