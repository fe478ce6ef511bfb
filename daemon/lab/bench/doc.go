// Package bench compares strategies on recordings: each crawls the same pages from the same start pages with the same
// budget, and is scored with labels that it does not see.
//
// A Task says what to train on and what to find. Start with Runner.Run for one task or Runner.RunSuite for a list:
//
//	Task, seed -> sessions -> model -> trial (model, start pages, labels) -> one process a strategy (JobCommand) -> Result
//
// A trial is a task with one seed, which draws the sessions (Games, Walk), the start pages (Pool) and all random choices of
// training and strategies. Each strategy crawls all trials in its own process, so that memory can be measured. The labels
// are in that process, too, but the strategy only gets the model.
//
// Labels come from files, or from rules on the final URL of a page (corpus.Rule) where nobody labelled pages by hand: a chapter
// of a manual is a folder of its site. A suite says
//
//	"rules": [{"label": "queries", "url": "^https://docs\\.example\\.org/topics/db/"}]
//
// for the tasks with that relevant label, or a task does for itself and its walks. Patterns are RE2; several rules with one
// label add up, also to the labels of files.
//
// Relevant pages are the labelled pages outside the sessions. Session pages may be fetched and cost budget, but do not
// count. The oracle (corpus.Web.OracleWay) is always measured, as the first strategy.
//
// Besides how soon relevant pages are found, a result says how far to trust the probabilities of the finds that a strategy
// showed (Finds).
//
// The same task and seeds give the same results on one machine, except for seconds and memory.
package bench
