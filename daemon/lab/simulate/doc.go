// Package simulate lives through the whole program in one process, under one seed, in simulated time. Its judges and worlds
// are tests, which the verb runs.
//
// The daemon is real: package app with all of its parts, as the program builds it, on a database in a temporary folder. It runs in
// a bubble of testing/synctest, so that time passes only while every goroutine waits, and on a network in memory. Around it are a
// made-up web whose hosts change, fail and fall silent, a browser that records visits, loses its connection and sends again, and
// a person who looks at pages, marks finds, searches, erases, backs up and restores. The program is stopped, or it dies: at a
// moment, or within a commit, and then goes on from what a power cut would have left of its folder.
//
// Judges look after each night and each start; see judge_test.go. A seed that fails prints the command that repeats it, with as
// few nights and faults as still fail:
//
//	task simulate -- --nights 30 --seeds 100
//
// What one night does depends on the seed and its number alone, so the first nights of a longer run are those of a shorter one.
// Not everything repeats, though: identifiers and keys are random, the scheduler of Go may run goroutines that are ready at the
// same moment in another order, and select chooses by chance. A run with GOMAXPROCS=1 is nearly always the same.
package simulate
