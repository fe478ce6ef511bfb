// Package wordnet reads the nouns and verbs of WordNet, finds base forms of words, and says how similar two senses are.
//
// Start with Read, which takes the files of a dict folder (Names lists them). Net.Senses then lists the senses of a word,
// Net.Morphy its base forms, and Net.Similarity compares two senses by Wu & Palmer. Gloss reads a definition from the
// file when it is shown.
//
//	data.*, index.*, *.exc -> Read -> Net; word -> Morphy -> Senses -> Similarity
//
// The format is that of wndb(5WN), which WordNet 3.0 and 3.1 and Open English WordNet use. Files are not trusted: what
// breaks the format is a FileError with file and byte, and sizes are bounded. Measured on WordNet 3.0: 82,115 noun and
// 13,767 verb synsets are read in 0.2 s and take 11 MB.
//
// # Agreement with NLTK
//
// testdata/by_nltk.py compares with NLTK 3.8 (wup_similarity) on WordNet 3.0. On 500 drawn pairs of nouns with one path to
// the root each, the largest difference is 0. On 500 pairs with several paths, 98 differ: NLTK picks one subsumer first
// (NLTK issue 1030), and measures the way to it also over other subsumers, which no pair of paths allows. All agree with
// the maximum over all pairs of paths. The base forms of 2,000 drawn forms are the same.
package wordnet
