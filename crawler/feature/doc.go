// Package feature turns pages and links into the features that a conditional random field reads, [CRF] §5.3.2: what a page
// says and how it is built; what a link says, what stands around it and where it leads. A feature is a short text and is
// either there or not. Start with Page and Link.
//
//	of            feature        is there when
//	page          w=WORD         the title or text has the word
//	page          t=WORD         the title has it
//	page          h=WORD         a heading has it
//	page          H=WORDS        a heading consists of these words, at most four
//	page          hset=NAME      two or more headings are of that set, see Sets
//	page          rep            the page has a repeated structure, see page.Repeats
//	page          rep=N          its longest has N entries or more, but fewer than the next N of 4, 8, 16, 32
//	page          rep.a          a repeated structure has links
//	page, link    u=TOKEN        the path or query of the address has the token
//	page, link    x=NAME         the path ends in .NAME
//	page, link    d=N            the path has N parts; 5 means 5 or more
//	link          a=WORD         the anchor text has the word, or the text that stands for a picture
//	link          b=WORD, f=WORD the word is among the ten before the link, or the ten after it
//	link          n=N            the anchor text has N words; 5 means 5 or more
//	link          host=same      the link leads to the host of the page; else host=other
//	link          inrep          the link stands in a repeated structure
//
// Words are those of model/text, unstemmed: lower case, letters only, without stop words, cut at 20 characters. The thesis
// splits at white space and keeps the rest as it is; our words meet each other across pages more often. The ten before and
// after a link are counted as the thesis counts them, by white space, before stop words are left out.
//
// Features hold no control characters and are at most MaxBytes long. MaxPage and MaxLink bound their number, whatever a
// page has.
package feature
