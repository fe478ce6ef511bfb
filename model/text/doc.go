// Package text turns the text of a page into counts of stems, [HMM] §2.2.1 step 1: letters only, in lower case, without stop
// words, as stems of at most 20 characters.
//
// Start with CountPages for the pages of a training, or with a Counter for pages one after the other. WordsIn lists the words
// before stemming, StemIn stems a word, LanguageOf says which language a text is in.
//
// Stop words and stems are those of the language of the page: English, German, Dutch, French, Spanish, Italian, Portuguese,
// Swedish, Danish, Norwegian, Finnish, Hungarian and Russian. The text itself tells the language, by its stop words; what the
// page declares decides where the text does not. All other languages count as English: their words are still counted, but
// less precisely. In scripts without spaces, such as Chinese, Japanese and Thai, each two letters in a row are a word.
//
// Words, ShortWords, Stem, StopWord and Written are for texts that are taken for English whatever they say: there, words are runs
// of letters in every script.
//
// Limits: marks are no letters, so that Thai, Lao, Khmer and Myanmar words lose most of their vowels. A page in two languages
// is read in one of them.
package text
