package bench

// SuiteResult is the result of a suite: its tasks, each with one or both ways of counting missing pages.
type SuiteResult struct {
	Name        string      `json:"name"`
	About       string      `json:"about,omitempty"`
	Command     string      `json:"command"`                // that runs it again, without the corpora folder
	Results     []Result    `json:"results"`                // of each task for "free" and, where it differs, for "cost"
	Groups      []GroupMean `json:"groups"`                 // "all" is the last for each way
	LearnedFrom []string    `json:"learned_from,omitempty"` // one line per task: the sessions of its training
	GoVersion   string      `json:"go_version"`
	Cores       int         `json:"cores"`
	Minutes     float64     `json:"minutes"` // duration of the suite
}

// GroupMean is the mean of a group's tasks over (task, seed).
type GroupMean struct {
	Group      string          `json:"group"` // "all" for all tasks
	Missing    string          `json:"missing"`
	Tasks      int             `json:"tasks"`
	Strategies []GroupStrategy `json:"strategies"` // best first
	Pairs      []Pair          `json:"pairs"`
}

// GroupStrategy is a strategy's area_vs_oracle over a group, with its interval.
type GroupStrategy struct {
	Name         string  `json:"name"`
	AreaVsOracle float64 `json:"area_vs_oracle"`
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	Finds        *Finds  `json:"finds,omitempty"` // of all its tasks together
}
