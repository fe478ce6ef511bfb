// Crawlbench measures the crawl: pages a second, processor time a page and peak memory of Nightjar's whole pipeline
// (fetch, parse, classify, score, store, archive), beside Colly and beside a bare loop of net/http and golang.org/x/net/html
// that fetch and parse the same pages, extract the same links and keep nothing.
//
//	go run ./daemon/lab/crawlbench --report
//
// A farm of hosts (daemon/lab/farm) serves the pages from a process of its own; every contender runs in one of its own, in
// rounds that take turns, and crawls all pages of the farm. Then it measures the frontier with a million links, and how
// near a polite crawl comes to the rate that its delays allow. main starts "serve", "train", "pipeline", "bare", "frontier"
// and the program in the folder colly, which is a module of its own so that ours does not depend on it.
package main
