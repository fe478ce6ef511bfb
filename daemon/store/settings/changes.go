package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Change is a setting that was changed. Its values are JSON.
type Change struct {
	Field string          `json:"field"` // its path in the JSON form of Settings, such as night.start
	From  json.RawMessage `json:"from"`
	To    json.RawMessage `json:"to"`
}

// secretWords are in the names of settings whose values must not be listed.
var secretWords = []string{"password", "secret", "token", "key"}

// Changes returns what differs between two settings, by field name. It leaves out secrets.
func Changes(from, to Settings) []Change {
	was, is := flat(from), flat(to)
	fields := map[string]bool{}
	for f := range was {
		fields[f] = true
	}
	for f := range is {
		fields[f] = true
	}
	var all []Change
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		secret := slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(strings.ToLower(f), w) })
		if !secret && !bytes.Equal(was[f], is[f]) {
			all = append(all, Change{f, was[f], is[f]})
		}
	}
	return all
}

// Holds reports whether the setting still is what it was changed to.
func (c Change) Holds(now Settings) bool { return bytes.Equal(flat(now)[c.Field], c.To) }

// Undo returns settings in which the setting is what it was before the change.
func (c Change) Undo(now Settings) (Settings, error) {
	value := c.From
	if len(value) == 0 {
		value = json.RawMessage("null")
	}
	names := strings.Split(c.Field, ".")
	for i := len(names) - 1; i >= 0; i-- {
		name, err := json.Marshal(names[i])
		if err != nil {
			return now, err
		}
		value = json.RawMessage(fmt.Sprintf("{%s:%s}", name, value))
	}
	text, err := json.Marshal(now)
	if err != nil {
		return now, err
	}
	var next Settings // shares no list with now, which the decoder would write into
	if err := json.Unmarshal(text, &next); err != nil {
		return now, err
	}
	if err := json.Unmarshal(value, &next); err != nil {
		return now, fmt.Errorf("undo the change of %s: %w", c.Field, err)
	}
	return next, nil
}

// flat returns the values of settings as JSON by their paths. An empty list and none are the same.
func flat(s Settings) map[string]json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil {
		panic("settings: " + err.Error()) // cannot happen: numbers, texts and lists
	}
	all := map[string]json.RawMessage{}
	flatten(all, "", text)
	return all
}

func flatten(into map[string]json.RawMessage, path string, text json.RawMessage) {
	var parts map[string]json.RawMessage
	if bytes.HasPrefix(text, []byte("{")) && json.Unmarshal(text, &parts) == nil {
		for name, part := range parts {
			flatten(into, strings.TrimPrefix(path+"."+name, "."), part)
		}
		return
	}
	if bytes.Equal(text, []byte("null")) {
		text = json.RawMessage("[]")
	}
	into[path] = text
}
