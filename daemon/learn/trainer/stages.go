package trainer

import "nightjar/model"

// stages names the stages of a training for people.
var stages = map[string]string{
	"waiting":            "waiting for its turn",
	"documents":          "reading the PDFs that are marked Useful",
	"reading":            "reading what there is to learn from",
	model.StageText:      "counting words",
	model.StageSpace:     "finding what the pages are about",
	model.StageClusters:  "grouping the pages",
	model.StageStates:    "learning how links lead to useful pages",
	model.StageWords:     "learning which words lead there",
	model.StageJudge:     "learning what is useful",
	model.StageThreshold: "setting the threshold",
	model.StageWays:      "learning from the ways you took",
	model.StageBayes:     "learning which pages are around the topic",
	"saving":             "saving the model",
	model.StageAssess:    "measuring how sure it is",
	model.StageRehearse:  "trying a night on your own pages",
}

// InWords says for people what a stage of a training does (Status.Stage).
func InWords(stage string) string {
	if words, ok := stages[stage]; ok {
		return words
	}
	return "starting"
}

// Status is the progress of a topic's training, or how the last training ended.
type Status struct {
	TopicID int64  `json:"topic_id"`
	Topic   string `json:"topic"`
	Running bool   `json:"running"`
	Stage   string `json:"stage"` // model.Progress.Stage, "waiting", "reading", "saving", "done", "failed", "stopped"
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Problem string `json:"problem,omitempty"` // in words: why it failed, or that it was stopped
}

// Percent is the share of the stage that is done.
func (s Status) Percent() int {
	if s.Total <= 0 {
		return 0
	}
	return min(100, 100*s.Done/s.Total)
}
