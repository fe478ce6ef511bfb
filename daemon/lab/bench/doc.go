// Package bench measures strategies against each other on recorded webs: each crawls the same pages from the same start
// pages under one budget and is judged by labels that it never sees.
//
// A Task says what to learn from and what to find. Start with Runner.Run for one task and Runner.RunSuite for a list:
//
//	Task, seed -> sessions -> model -> trial (model, start pages, labels) -> one process a strategy (RunJob) -> Result
//
// A trial is a task under one seed, which draws the sessions (Games, Walk), the start pages (Pool) and everything random
// in training and strategies. A strategy's process crawls all trials, one after the other, so that its memory is its own;
// the labels are in that process, too, but only the score reads them: the strategy is made of the model alone. With
// Feedback it also hears the labels of the pages it asks for.
//
// Relevant are the labelled pages that no session file holds. Session pages may be fetched and cost budget, but never
// count. The oracle (corpus.Web.OracleWay) is always measured, as the first strategy.
//
// The same task and seeds give the same results on one machine, seconds and memory apart.
package bench
