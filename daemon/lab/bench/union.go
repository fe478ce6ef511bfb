package bench

// ofUnion sets each strategy's share of the relevant pages that any of the strategies found with the same seed: the recall
// of [HMM] Table 2, which takes all that its crawls found for all that there is. [HMM] also joins crawls from several start
// pages, and calls relevant what is similar to a target; here it has the task's label. The oracle is no crawl of a strategy
// and has none. Seeds with which no strategy found anything are left out.
func ofUnion(strategies []Strategy, runs map[string][]*run) {
	var unions []int
	for i := range runs[Oracle] {
		union := make(map[string]bool)
		for name, all := range runs {
			if name == Oracle {
				continue
			}
			for _, url := range all[i].Pages {
				union[url] = true
			}
		}
		unions = append(unions, len(union))
	}
	for k := range strategies {
		s := &strategies[k]
		if s.Name == Oracle {
			continue
		}
		sum, seeds := 0.0, 0
		for i, n := range unions {
			if n > 0 {
				sum, seeds = sum+float64(len(runs[s.Name][i].Pages))/float64(n), seeds+1
			}
		}
		if seeds > 0 {
			s.OfUnion = sum / float64(seeds)
		}
	}
}
