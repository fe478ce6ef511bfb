package groups

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"nightjar/daemon/machine"
)

// result is what was measured.
type result struct {
	Command   string    `json:"command"`
	Machine   string    `json:"machine"`
	Go        string    `json:"go"`
	WordNet   string    `json:"wordnet"` // version
	Pages     int       `json:"pages"`   // of the recording
	Links     int       `json:"links"`
	Words     int       `json:"words"` // different words of links
	Clusters  *compared `json:"clusters,omitempty"`
	Operators *operated `json:"operators,omitempty"`
	Anchors   *operated `json:"anchors,omitempty"` // the operators on the words of anchors alone
	Times     *timed    `json:"times,omitempty"`
}

// measureAll measures the parts that were asked for, and tells what it is about.
func measureAll(ctx context.Context, o *options, log io.Writer) (*result, error) {
	began := time.Now()
	tell := func(format string, args ...any) {
		fmt.Fprintf(log, "%4.0f s  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
	d, err := openWordNet(o.WordNet)
	if err != nil {
		return nil, err
	}
	l := &library{words: d}
	if l.own, err = aroundSubjects(d.net, o.Root, o.Subjects, o.Depth); err != nil {
		return nil, err
	}
	if l.all, err = aroundAll(d.net, o.Root, o.GeneralDepth); err != nil {
		return nil, err
	}
	tell("read WordNet %s; the ontologies have %d and %d terms", d.version, l.own.Len(), l.all.Len())
	if l.web, err = openWeb(ctx, o.Corpora, d); err != nil {
		return nil, err
	}
	l.names = l.web.names()
	r := &result{Machine: machine.Processor(), Go: runtime.Version(), WordNet: d.version,
		Pages: len(l.web.urls), Links: l.web.links, Words: len(l.names)}
	tell("read %d pages with %d links and %d words", r.Pages, r.Links, r.Words)
	if o.asked(timesPart) {
		if r.Times, err = l.time(ctx, o); err != nil {
			return nil, err
		}
		tell("compared all pairs of %d pages", r.Times.Pages)
	}
	if o.asked(clustersPart) {
		s, err := drawSample(l.web, o)
		if err != nil {
			return nil, err
		}
		if r.Clusters, err = l.compare(ctx, s, o); err != nil {
			return nil, err
		}
		tell("clustered %d pages of %d categories", len(s.pages), len(s.categories))
	}
	if o.asked(operatorsPart) {
		r.Operators, r.Anchors = operate(l, l.web.in, o), operate(l, l.web.anchors, o)
		tell("described %d categories", len(r.Operators.Sets))
	}
	return r, nil
}
