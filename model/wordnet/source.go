package wordnet

// Source has the WordNet of this computer, which may come, go and change while the program runs; see daemon/thesus/wordnet.Library.
type Source interface {
	Net() *Net // nil while there is none
}

// Of returns the WordNet of a source as it is now, nil when there is none or no source.
func Of(s Source) *Net {
	if s == nil {
		return nil
	}
	return s.Net()
}
