package text

import (
	"strings"
	"unicode/utf8"
)

// stopLists are the stop words of each language.
var stopLists = [languages]map[string]bool{
	English: stopWords, German: stopList(germanStop), Dutch: stopList(dutchStop), French: stopList(frenchStop),
	Spanish: stopList(spanishStop), Italian: stopList(italianStop), Portuguese: stopList(portugueseStop),
	Swedish: stopList(swedishStop), Danish: stopList(danishStop), Norwegian: stopList(norwegianStop),
	Finnish: stopList(finnishStop), Hungarian: stopList(hungarianStop), Russian: stopList(russianStop),
}

// StopWordIn reports whether a lower-case word is a stop word of a language. In all languages but English, so is each word
// of one letter of a script with spaces; in all languages, so is a single letter of Hiragana.
func StopWordIn(l Language, word string) bool {
	if stopLists[l][word] {
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	if size != len(word) {
		return false
	}
	switch scriptOf(r) {
	case spaced:
		return l != English
	case hiragana:
		return true
	}
	return false
}

// stopWords are English words that say nothing about a page's topic: articles, pronouns, prepositions, conjunctions,
// auxiliary verbs, common adverbs, number words, the single letters, and the pieces that remain when letters-only words
// are cut at an apostrophe (don't: don, t). It is our own choice, compared with the lists of scikit-learn 1.2 (318
// words) and gensim (337). Of theirs it leaves out nouns, verbs and adjectives that can be a topic (computer, fire, mill,
// system), units of measure, and words of other languages or misspelt (con, de, un, amoungst); a test names all 32. It
// has more forms of the same verbs, more adverbs, numbers, single letters and pieces of contractions.
var stopWords = stopList(`
a b c d e f g h i j k l m n o p q r s t u v w x y z

the an this that these those

me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one ones oneself who whom whose whoever whomever whosoever which
whichever what whatever anybody anyone anything everybody everyone everything nobody none noone nothing somebody someone
something each either neither other others another any all both few many much more most several some such own same

about above across after against along alongside amid amidst among amongst around as at before behind below beneath
beside besides between beyond by despite down during except for from in inside into like near of off on onto out outside
over past per since than through throughout thru to toward towards under underneath until till unto up upon via versus
vs with within without

and but or nor so yet if unless although though because while whilst whereas whether lest once then else

am is are was were be been being have has had having do does did doing done can could may might must shall should will
would ought need cannot let lets get gets got gotten getting make makes made making go goes going gone went come comes
coming came take takes taken taking took give gives given giving gave put puts say says said saying see sees seen seem
seems seemed seeming become becomes became becoming keep keeps kept use used uses using know known want wants tell told

aren ain couldn didn doesn don hadn hasn haven isn ll mightn mustn needn re shan shouldn ve wasn weren won wouldn couldnt
didnt doesnt dont hadnt hasnt havent im isnt ive wasnt werent wont wouldnt youre youve theyre thats whats cant

afterwards again ago almost alone already also altogether always anyhow anyway anywhere apart aside away back basically
beforehand certainly clearly currently elsewhere especially etc even ever everywhere exactly far forth forward further
furthermore hardly hence here hereafter hereby herein hereupon how however indeed instead just largely last lastly late
lately later latter latterly least less likely mainly maybe meanwhile merely moreover mostly namely nearly never
nevertheless next no nonetheless normally not notably now nowhere obviously often only otherwise overall particularly
perhaps please possibly presumably probably quite rather really recently regardless respectively significantly simply
somehow sometime sometimes somewhat somewhere soon still subsequently successfully sufficiently thence there thereafter
thereby therefore therein thereupon thus together too truly twice unlikely usually very well when whence whenever where
whereafter whereby wherein whereupon wherever whither why widely yes

able according accordingly available certain different due early enough entire every following former formerly full good
great half high large little long low main major minor new old part possible previous previously regarding relatively
similar small sure various whole

zero two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand
first second third fourth fifth

eg ie co inc ltd
`)

// stopList makes a set of the words of a list.
func stopList(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
