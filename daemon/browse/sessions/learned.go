package sessions

import (
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// EmptyModel erases a model's bundle, and the facts that contain words, hosts and names of pages.
const EmptyModel = `UPDATE models SET bundle = x'',
	facts = json_remove(facts, '$.changes', '$.numbers', '$.background_hosts', '$.background_sessions',
		'$.milestones') WHERE `

// forgetSession erases the bundles of the models that were trained with a session, and returns their topics.
func forgetSession(w *db.Work, uuid string) []int64 {
	topicIDs := db.List(w, db.ScanID, EmptyModel+`length(bundle) > 0
		AND `+knowsSession+` RETURNING topic_id`, uuid)
	w.Do(store.ForgetLearned)
	return db.Distinct(topicIDs)
}

// shareModels notes that the models that learned from one session may hold pages of another one now, so that they are
// erased with it.
func shareModels(w *db.Work, from, to string) {
	w.Exec(`UPDATE models SET facts = json_set(facts, '$.also',
		json_insert(coalesce(json_extract(facts, '$.also'), json('[]')), '$[#]', ?2)) WHERE `+knowsSession, from, to)
}

// knowsSession is the condition that a model may hold pages of a session (?1).
const knowsSession = `(EXISTS (SELECT 1 FROM json_each(facts, '$.sessions') WHERE value = ?1)
	OR EXISTS (SELECT 1 FROM json_each(facts, '$.background_sessions') WHERE value = ?1)
	OR EXISTS (SELECT 1 FROM json_each(facts, '$.also') WHERE value = ?1))`
