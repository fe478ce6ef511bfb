package overview

import (
	"strconv"

	"nightjar/daemon/chart"
)

// partOfTopics is the number of topics that a page shows at once.
const partOfTopics = 5

// Chosen is the topic with a number, alone in the list. For any other text, all topics are shown.
func Chosen(number string, all []TopicView) (of TopicView, shown []TopicView) {
	id, _ := strconv.ParseInt(number, 10, 64)
	for _, t := range all {
		if t.ID == id {
			return t, []TopicView{t}
		}
	}
	return of, all
}

// Part returns some topics, from the first-th on, what to say of them, and the number of the next ones, which after
// the last are the first. The words are empty when all are returned.
func Part(topics []TopicView, first int) (shown []TopicView, says string, next int) {
	if len(topics) <= partOfTopics {
		return topics, "", 0
	}
	if first < 0 || first >= len(topics) {
		first = 0
	}
	end := min(first+partOfTopics, len(topics))
	return topics[first:end], chart.Number(first+1) + " to " + chart.Number(end) + " of " + chart.Number(len(topics)), end % len(topics)
}
