// Package links keeps up to date which words pages use for the pages that they link to ([THESUS] §5.2).
//
//	Queue -> Indexer -> linktext.Extractor -> Put
//
// Start with NewIndexer and Indexer.Run. The store's triggers queue the pages whose content came, changed or went. All pages
// are queued again when the words come out differently: when WordNet, which gives base forms, is added, replaced or removed,
// and when the person changes the file of words of navigation, which say nothing about a page.
package links
