// Crawlbench measures the crawl: pages a second, processor time a page and peak memory of Nightjar's whole pipeline
// (fetch, parse, classify, score, store, archive), compared with Colly and with a bare loop of net/http and
// golang.org/x/net/html, which fetch and parse the same pages, extract the same links and keep nothing.
//
//	go run ./daemon/lab/crawlbench --report
//
// A farm of hosts (daemon/lab/farm) serves the pages from its own process. Each contender crawls all pages of the farm in
// its own process, once per round, and the order changes from round to round. Crawlbench also measures the frontier with a
// million links, and how close a polite crawl comes to the rate that its delays allow. main starts the verbs (see main.go)
// and the program in the folder colly.
package main
