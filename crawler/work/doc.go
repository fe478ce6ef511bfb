// Package work is the part of a crawl that needs no memory: fetch a page and parse it. It can be done in this process, or by
// workers on other machines.
//
//	Task        one page to fetch: an address and limits; nothing of who wants it, or why
//	Hands       do tasks: the fetcher and the parser (New in this process, NewRemote for workers)
//	Result      what came of a task
//	Dispatcher  gives tasks to hands and brings back the results: Local within this process, or package leases for workers
//
// The crawl decides which page is fetched when; it stores, judges and learns. A worker never chooses an address, keeps a page, or
// learns of a topic, a session or a person.
//
// A worker sends a Result with Encode. A dispatcher on the daemon's side takes it, in this order:
//
//	Decode      bounds all sizes, and leaves out a page that another version of the parser read: the crawl parses it again
//	Check       compares it with its task; an error means that it is dropped
//	From        the name of the worker, as the connection proves it
//	Shift       times to the daemon's clock
//	Fill        the body of a page that was not modified
//	Host        what it says of the host, for the daemon's fetcher and the next task of the host
//
// With Response.Moved, Response.NextHop is the address of the next task, and Response.Continue joins the two answers. With
// Response.RobotsAt, the daemon reads the robots.txt (fetch.Live.ReadRobots) before the task is tried again. Package worktest has
// the suite for every dispatcher, and remote_test.go the smallest one to a worker's hands.
package work
