package progress

import "strconv"

// OutcomeNames names the outcomes of a fetch for people.
var OutcomeNames = map[string]string{
	"ok": "Read", Blank: "Blank without JavaScript", "missing": "Not in the recording", "robots": "Forbidden by robots.txt", "refused": "Forbidden by Nightjar's rules",
	"status": "Error status", "type": "Not a web page", "size": "Too large", "timeout": "Timed out",
	"redirect": "Too many redirects", "network": "Unreachable", "canceled": "Canceled by a stop", "lost": "Lost by a worker", "visited": "Visited by you", "listed": "A list of pages",
}

// OutcomeName names an outcome, with the status of the answer unless that is 0.
func OutcomeName(outcome string, status int) string {
	name := OutcomeNames[outcome]
	if name == "" {
		name = outcome
	}
	if status > 0 {
		name += " " + strconv.Itoa(status)
	}
	return name
}
