package model

// kind is a kind of section: what it is called, how it is stored and what must hold of it.
//
// To add one, write a file section_NAME.go with a struct that implements content and a check, and add a line to kinds.
// Make it optional, as the models that people have do not hold it. Give every field a cbor tag, which is its name in the
// stored form, so that renaming the Go field changes nothing; store long lists of numbers as packed (pack.go).
//
// To change one, add a struct for the next version and append it to versions. The struct of the version before stays as it
// is, so that stored models can be read; its into fills in what the new version added. Where a model is better trained again, the
// version before becomes nil, and a model with it is of an ErrOlderFormat.
type kind struct {
	name     string
	optional bool // a model without it, or with one of a newer version, can be used
	deflate  bool // its content is text, for the most part
	check    func(*Bundle) error
	versions []func() content // of version 1, 2 and so on, nil for one that is no longer read; the last is written
}

// content is the stored form of a section, as a struct that the CBOR codec writes and reads.
type content interface {
	from(*Bundle) bool  // copies the bundle's fields; false means that the bundle has nothing to store here
	into(*Bundle) error // sets the bundle's fields; the section was read, but not checked
}

// kinds lists the sections that this program knows. Other sections are kept unchanged.
var kinds = []kind{
	{name: "about", check: (*Bundle).checkAbout, versions: []func() content{of[aboutSection]}},
	{name: "lsi", check: (*Bundle).checkLSI, versions: []func() content{of[lsiSection]}},
	{name: "graph", check: (*Bundle).checkGraph, versions: []func() content{of[graphSection]}},
	{name: "hmm", check: (*Bundle).checkHMM, versions: []func() content{of[hmmSection]}},
	{name: "classifiers", check: (*Bundle).checkClassifiers, versions: []func() content{of[classifiersSection]}},
	{name: "lessons", deflate: true, check: (*Bundle).checkLessons, versions: []func() content{of[lessonsSection]}},
	{name: "text", check: (*Bundle).checkText, versions: []func() content{of[textSection]}},
	{name: "ways", optional: true, deflate: true, check: (*Bundle).checkWays, versions: []func() content{of[waysSection]}},
	{name: "bayes", optional: true, deflate: true, check: (*Bundle).checkBayes, versions: []func() content{of[bayesSection]}},
	{name: "ancestors", optional: true, deflate: true, check: (*Bundle).checkAncestors, versions: []func() content{of[ancestorsSection]}},
	{name: "report", optional: true, check: (*Bundle).checkReport, versions: []func() content{nil, of[reportSection]}},
}

func of[T any, P interface {
	*T
	content
}]() content {
	return P(new(T))
}

func (k *kind) version() uint64 { return uint64(len(k.versions)) }

func (k *kind) newest() content { return k.versions[len(k.versions)-1]() }
