package bench

// SuiteResult is what a suite measured: a list of tasks, each in one or both ways of counting missing pages.
type SuiteResult struct {
	Name        string      `json:"name"`
	Command     string      `json:"command"`                // what runs it again, with the corpora folder left out
	Results     []Result    `json:"results"`                // every task, each under "free" and, where it differs, under "cost"
	Groups      []GroupMean `json:"groups"`                 // "all" is the last of each way
	LearnedFrom []string    `json:"learned_from,omitempty"` // one line a task: the session that its model was trained on
	GoVersion   string      `json:"go_version"`
	Cores       int         `json:"cores"`
	Minutes     float64     `json:"minutes"` // the whole suite took
}

// GroupMean is how the strategies did over all tasks of a group: the mean over (task, seed).
type GroupMean struct {
	Group      string          `json:"group"` // "all" for all tasks
	Missing    string          `json:"missing"`
	Tasks      int             `json:"tasks"`
	Strategies []GroupStrategy `json:"strategies"` // best first
	Pairs      []Pair          `json:"pairs"`
}

// GroupStrategy is one strategy's area_vs_oracle over a group, with its bootstrap interval.
type GroupStrategy struct {
	Name         string  `json:"name"`
	AreaVsOracle float64 `json:"area_vs_oracle"`
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
}
