package bench

// Result is the result of one task, also in JSON. Curves are means over the seeds.
type Result struct {
	Task          string     `json:"task,omitempty"`
	Group         string     `json:"group,omitempty"` // of tasks that are averaged, such as "WebKB"
	LookedAt      bool       `json:"looked_at"`       // used while settings were chosen, which may favour them
	Corpus        []string   `json:"corpus"`          // file names without folders
	Relevant      string     `json:"relevant"`        // label of the relevant pages
	Budget        int        `json:"budget"`
	Missing       string     `json:"missing"` // free or cost
	Seeds         []uint64   `json:"seeds"`
	RelevantTotal float64    `json:"relevant_total"` // relevant pages that can be reached, mean over the seeds
	Strategies    []Strategy `json:"strategies"`     // with the oracle first
	Pairs         []Pair     `json:"pairs"`
}

// Strategy is the result of one strategy.
type Strategy struct {
	Name         string       `json:"name"`
	Harvest      [][2]float64 `json:"harvest"`            // pages fetched, harvest rate
	Recalled     [][2]float64 `json:"recalled"`           // pages fetched, recall
	Similar      [][2]float64 `json:"similar"`            // pages fetched, their mean largest LSI cosine to a target
	Recall       float64      `json:"recall"`             // at the end
	Similarity   float64      `json:"avg_max_similarity"` // at the end
	Area         float64      `json:"area"`               // mean recall after 1, 2, ... pages of the budget
	AreaVsOracle float64      `json:"area_vs_oracle"`
	Low          float64      `json:"low"` // interval of area_vs_oracle over the seeds; one seed: the value itself
	High         float64      `json:"high"`
	Seconds      float64      `json:"seconds"`         // mean of a crawl
	PeakRSS      int64        `json:"peak_rss_bytes"`  // largest of a process
	PerSeed      []float64    `json:"per_seed"`        // area_vs_oracle for each of Result.Seeds
	Finds        *Finds       `json:"finds,omitempty"` // not of the oracle
}

// Pair is the paired difference of two strategies' area_vs_oracle over the seeds: a's minus b's.
type Pair struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
}
