package logistic

// Probabilities gives P(class | row) of all classes. A class that had no rows in training gets 0.
func (m *Model) Probabilities(r Row) []float64 {
	scores := m.Scores(r)
	if m.Classes == 2 {
		return []float64{sigmoid(-scores[0]), sigmoid(scores[0])}
	}
	softmax(scores)
	return scores
}
