package model

// minFeatures is the smallest number of words that the pages of a session must share with each other or with pages of the
// background. A word on every page distinguishes nothing.
const minFeatures = 2

// tooFewWords is the ErrNoText of a session with this number of words, fewer than minFeatures.
type tooFewWords int

func (n tooFewWords) Error() string {
	words := "no word is"
	if n > 0 {
		words = "only one word is"
	}
	return "the pages of this session have too little text to learn from: " + words +
		" on a second page; visit more pages with text before you submit"
}

func (n tooFewWords) Is(target error) bool { return target == ErrNoText }

// Usable reports whether the pages of a model's session have enough words to learn from. Its error is nil, or an ErrNoText
// that says how many there are. Train makes a model of fewer, too, as the folds of an assessment may have no more.
func (b *Bundle) Usable() error {
	met := map[int32]bool{}
	for _, p := range b.Lessons.Pages {
		for _, f := range p.Index {
			if met[f] = true; len(met) >= minFeatures {
				return nil
			}
		}
	}
	return tooFewWords(len(met))
}
