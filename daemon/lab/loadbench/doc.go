// Loadbench measures the daemon under load: browsers that send 200 events a second with a burst of 1,000, one that sends as
// fast as it can, a crawl of a farm of made-up hosts, and a reader of the dashboard. It prints how many events were lost, how long
// acknowledgements took, and what memory, goroutines and descriptors the process had over time.
//
// The daemon runs in a process of its own, by the code of the program's own commands. Browsers, farm and reader are in this one,
// and take time of the same processors. "task bench:load" runs it.
package main
