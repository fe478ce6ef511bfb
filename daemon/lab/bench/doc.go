// Package bench compares strategies on recordings: each crawls the same pages from the same start pages with the same
// budget, and is scored with labels that it does not see.
//
// A Task says what to train on and what to find. Start with Runner.Run for one task or Runner.RunSuite for a list:
//
//	Task, seed -> sessions -> model -> trial (model, start pages, labels) -> one process a strategy (RunJob) -> Result
//
// A trial is a task with one seed, which draws the sessions (Games, Walk), the start pages (Pool) and all random choices of
// training and strategies. Each strategy crawls all trials in its own process, so that memory can be measured. The labels
// are in that process, too, but the strategy only gets the model and, with Feedback, the labels of pages that it asks for.
//
// Relevant pages are the labelled pages outside the sessions. Session pages may be fetched and cost budget, but do not
// count. The oracle (corpus.Web.OracleWay) is always measured, as the first strategy.
//
// The same task and seeds give the same results on one machine, except for seconds and memory.
package bench
