package join

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"

	"nightjar/crawler/work"
)

// Sizes of messages, in bytes. A grant holds the robots.txt of each host, so it may be large.
const (
	compressAbove = 64 << 10
	MaxMessage    = 8 << 20  // on the way
	maxUnpacked   = 64 << 20 // in memory
)

// headerCoding names how the data of a message are compressed; a message without it is JSON.
const headerCoding = "Nj-Enc"

// ErrMessage is returned for a message that cannot be sent or read.
var ErrMessage = errors.New("the message is too large, or is no message of Nightjar")

// Message packs a message.
func Message(subject string, what any) (*nats.Msg, error) {
	data, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	m := &nats.Msg{Subject: subject, Data: data, Header: header()}
	if len(data) > compressAbove {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		m.Data = w.EncodeAll(data, nil)
		m.Header.Set(headerCoding, "zstd")
	}
	if len(data) > maxUnpacked || len(m.Data) > MaxMessage {
		return nil, ErrMessage
	}
	return m, nil
}

// unpack reads a message of the daemon.
func unpack(m *nats.Msg, what any) error {
	data := m.Data
	if m.Header.Get(work.HeaderVersion) == "" {
		return ErrMessage
	}
	if m.Header.Get(headerCoding) != "" {
		r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		defer r.Close()
		if data, err = r.DecodeAll(data, nil); err != nil {
			return err
		}
	}
	return json.Unmarshal(data, what)
}

func header() nats.Header {
	return nats.Header{work.HeaderVersion: []string{strconv.Itoa(work.Version)}}
}
