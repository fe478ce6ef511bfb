package model

import "strings"

// Offsets groups pages whose judge gets an offset for each group in training: those of a host of which the person marked more pages
// Not useful than are useful. The group is -1 for pages on other hosts.
//
// Marks are on finds, and these were chosen by a judge: a few wrong ones are no sample of their host. Without an offset, four wrong
// finds of a university would teach that its name, which is on each of its pages, makes a page useless. A page is judged without
// the offset.
func Offsets(urls []string, useful, rejected []bool) []int {
	more := map[string]int{} // pages marked Not useful than useful ones
	for i, url := range urls {
		switch {
		case rejected[i]:
			more[hostOf(url)]++
		case useful[i]:
			more[hostOf(url)]--
		}
	}
	group, number := make([]int, len(urls)), map[string]int{}
	for i, url := range urls {
		group[i] = -1
		if host := hostOf(url); more[host] > 0 {
			if _, ok := number[host]; !ok {
				number[host] = len(number)
			}
			group[i] = number[host]
		}
	}
	return group
}

// hostOf is the host of a canonical URL, with its port.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}
