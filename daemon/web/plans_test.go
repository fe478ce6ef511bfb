package web

// readsMore are parts of the statements of pages that walk over a table that grows, and why they may.
var readsMore = map[string]string{
	"FROM finds f CROSS JOIN topics t":                       "the newest finds: in order of an index, up to a limit",
	"SELECT f.id FROM finds f WHERE refused = 0":             "words in the texts of finds: no index has parts of words",
	"SELECT count(*) FROM (SELECT 1 FROM link_queue LIMIT":   "up to a limit",
	"SELECT count(*) FROM (SELECT 1 FROM search_queue LIMIT": "up to a limit",
	"(SELECT count(*) FROM (SELECT 1 FROM link LIMIT":        "up to a limit",
	"DELETE FROM contents WHERE hash NOT IN":                 "a deletion: what nothing refers to any more",
	"SELECT f.host FROM contacts f JOIN crawls":              "the deletion of a topic: hosts that no other topic has",
	"SELECT f.url FROM (SELECT url, crawl_id FROM fetches":   "the deletion of a topic: addresses that no other topic has",
	"FROM link l CROSS JOIN link_word w":                     "an operator on all pages, which a person asked for",
}

// values are what a person enters into fields of forms that no page of the test fills in.
var values = map[string]string{"url": "http://ice.test/", "name": "step", "to": "other", "useful": "1", "site": "ice.test", "topic": "1", "answer": "useful",
	"q": "tidal", "state": "open", "format": "json", "do": "add", "term": "x", "expression": "[]", "parent": ""}
