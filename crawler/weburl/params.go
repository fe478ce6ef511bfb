package weburl

import (
	_ "embed" // the lists
	"regexp"
	"slices"
	"strings"

	"nightjar/crawler/texts"
)

// dropped are query parameters that never change the page.
var dropped = wordsOf("dropped")

// droppedPrefixes are prefixes of more such parameters.
var droppedPrefixes = []string{"utm_", "mtm_", "matomo_", "bsft_", "at_custom", "__cf_chl_", "aspsessionid"}

// sessionNames are parameters that name a session of the reader, or something in the page: ?sid=1234.
var sessionNames = texts.Words(`jsession sessionid session_id session-id sessid sess_id sid zenid oscsid xtcsid mysid sessionkey session_key`)

// campaignNames are parameters that name what sent the reader, or something in the page: ?trk=7.
var campaignNames = texts.Words(`trk spm mbid icid ncid ito awc epik gad cmpid`)

//go:embed words.txt
var wordLists string

// wordsOf is a list of words.txt, whose lines are indented below its name. One that is not there is a mistake of the program.
func wordsOf(name string) map[string]bool {
	_, after, found := strings.Cut(wordLists, "\n"+name+":\n")
	if !found {
		panic("no words " + name)
	}
	list, _, _ := strings.Cut(after, "\n\n")
	return texts.Words(comments.ReplaceAllString(list, ""))
}

var comments = regexp.MustCompile(`(?m)^ *#.*$`)

// keepParams removes tracking and session parameters from a query, and leaves the rest as written.
func keepParams(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	kept := parts[:0]
	for _, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if !isDropped(strings.ToLower(Unescape(name)), Unescape(value), query) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}

// isDropped reports whether a parameter, decoded and its name in lower case, is for a session or for tracking. all is the query or
// the path that contains it.
func isDropped(name, value, all string) bool {
	switch {
	case dropped[name] || slices.ContainsFunc(droppedPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }):
		return true
	case sessionNames[name]:
		return value == "" || hintedSecret(value, untold)
	case campaignNames[name]:
		return value == "" || !uuid.MatchString(value) && (len(value) > 16 || strings.ContainsAny(value, "_:|,") || strings.Count(value, ".") > 1 || hintedSecret(value, untold))
	case name == "s": // of a forum's session, or a search
		return len(value) == 32 && hintedSecret(value, untold)
	}
	return name == "cfid" && strings.Contains(lower(all), "cftoken=") // a session's number; its key is beside it
}
