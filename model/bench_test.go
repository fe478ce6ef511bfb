package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// madeUp makes a session of pages that resemble articles of an encyclopedia: the median page has 600 distinct terms besides stop
// words, and the vocabulary grows with the number of pages, to about 60,000 terms in 700. One page in six is a target, 120 at
// most; the others are one to three links away from one, and the nearer they are, the more of their words are on its topic.
func madeUp(pages int) TrainingSet {
	const (
		exponent    = 1.15 // of Zipf's law
		medianWords = 2000 // of the log-normal length of a page
		lengthSigma = .7
		targets     = 120
		topicWords  = 3000
		ownTopics   = 11 // of pages that are no targets
	)
	rng := rand.New(rand.NewPCG(1, 0x7a697066))
	common, ofTopic := rand.NewZipf(rng, exponent, 4, 7999), rand.NewZipf(rng, exponent, 4, topicWords-1)
	stops := strings.Fields("the of and to in a is that it was for on are as with they be at this have from or by not but what all were when we there can")
	unique := 0
	word := func(topic int) string {
		switch p := rng.Float64(); {
		case p < .45:
			return stops[rng.IntN(len(stops))]
		case p < .72:
			return spelled(int(common.Uint64()))
		case p < .985:
			return spelled(8000 + topic*topicWords + int(ofTopic.Uint64()))
		}
		unique++ // a name, a number or a mistake
		return spelled(1<<20 + unique)
	}
	set := TrainingSet{Topic: "Made up", LastEvent: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	var at [4][]int // pages by their distance from a target
	for i := range pages {
		distance := 1 + i%3
		if i%6 == 0 && i/6 < targets {
			distance = 0
		}
		at[distance] = append(at[distance], i)
		var b strings.Builder
		for range int(min(9000, max(30, medianWords*math.Exp(rng.NormFloat64()*lengthSigma)))) {
			topic := 0
			if rng.Float64() > []float64{.7, .35, .15, .05}[distance] {
				topic = 1 + i%ownTopics
			}
			b.WriteString(word(topic) + " ")
		}
		set.Pages = append(set.Pages, Page{URL: fmt.Sprintf("https://www.site%d.test/%d", i%7, i), Title: fmt.Sprint("Page ", i), Text: b.String(), Target: distance == 0})
	}
	for distance := 1; distance < len(at); distance++ {
		for _, from := range at[distance] {
			for range 1 + rng.IntN(3) {
				set.Edges = append(set.Edges, [2]int{from, at[distance-1][rng.IntN(len(at[distance-1]))]})
			}
		}
	}
	return set
}

// spelled spells a number as a pronounceable word, different for each number.
func spelled(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b []byte
	for more := true; more; more = n > 0 {
		b = append(b, consonants[n%len(consonants)])
		n /= len(consonants)
		b = append(b, vowels[n%len(vowels)])
		n /= len(vowels)
	}
	return string(append(b, "ktx"[len(b)%3]))
}

// BenchmarkLearn trains sessions of several sizes, and says how many seconds each stage of a training took. On two cores 200 pages
// are to take a second, 700 three, and 5,000 thirty; 200 pages with their report four.
func BenchmarkLearn(b *testing.B) {
	for _, pages := range []int{50, 200, 700, 5000} {
		set := madeUp(pages)
		b.Run(fmt.Sprint(pages), func(b *testing.B) {
			b.ReportAllocs()
			stages := map[string]time.Duration{}
			for b.Loop() {
				stage, since := "", time.Now()
				if _, err := Learn(context.Background(), set, DefaultSettings(), func(p Progress) {
					stages[stage] += time.Since(since)
					stage, since = p.Stage, time.Now()
				}); err != nil {
					b.Fatal(err)
				}
				stages[stage] += time.Since(since)
			}
			for stage, took := range stages {
				if stage != "" {
					b.ReportMetric(took.Seconds()/float64(b.N), strings.ReplaceAll(stage, " ", "-")+"-s")
				}
			}
		})
	}
}

func BenchmarkAssess(b *testing.B) {
	t, err := Learn(context.Background(), madeUp(200), DefaultSettings(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := t.Assess(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
