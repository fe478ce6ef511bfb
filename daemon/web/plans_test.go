package web

// readsMore are parts of the statements of pages that walk over a table that grows, and why they may.
var readsMore = map[string]string{
	"FROM finds f CROSS JOIN topics t":                     "the newest finds: in order of an index, up to a limit",
	"SELECT f.id FROM finds f WHERE refused = 0":           "words in the texts of finds: no index has parts of words",
	"DELETE FROM contents WHERE hash NOT IN":               "a deletion: what nothing refers to any more",
	"SELECT f.host FROM contacts f JOIN crawls":            "the deletion of a topic: hosts that no other topic has",
	"SELECT f.url FROM (SELECT url, crawl_id FROM fetches": "the deletion of a topic: addresses that no other topic has",
}
