package strategy

import (
	"encoding/binary"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/online"
)

// judgeBy reads the page by a judge that learns in the crawl, and gives its words as that reads them. Whether the page is
// relevant is what the session and the person's marks say.
func (j judge) judgeBy(teacher *online.Judge, v Visit) (Judgement, logistic.Row) {
	o, words := j.bundle.Read(v.Page.Text)
	said, row := j.judgement(o), teacher.Row(words)
	if said.Useful = teacher.Useful(row); j.bundle.Choice.Judge == model.ClassifierJudge {
		said.Relevant = o.Emission != nil && said.Useful >= j.bundle.Judge.Threshold
	}
	return said, row
}

// word is a mark as a judge reads it.
func word(m Mark) online.Mark {
	switch {
	case m.Gone:
		return online.Unmarked
	case m.Useful:
		return online.Useful
	}
	return online.NotUseful
}

// pack makes a snapshot.
func pack(name string, b *model.Bundle, state any) []byte {
	data, err := online.Pack(name, b, state)
	if err != nil {
		panic(err) // a mistake of the program: all states can be packed
	}
	return data
}

// holderNote names the page that holds a link, and what its links were worth when it was read.
func holderNote(url string, worth int32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, online.Key(url))
	return binary.LittleEndian.AppendUint32(b, uint32(worth))
}

func readHolderNote(note []byte) (holder uint64, worth int32, ok bool) {
	if len(note) != 12 {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint64(note), int32(binary.LittleEndian.Uint32(note[8:])), true
}
