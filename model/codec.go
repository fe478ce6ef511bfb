package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"

	"github.com/fxamacker/cbor/v2"
)

// FormatVersion is the version of the bundle's container. The sections in it have versions of their own; see kinds.
const FormatVersion = 4

// The binary form of a bundle:
//
//	"NJBUNDLE"  8 bytes
//	version     uint32, FormatVersion, little-endian
//	length      uint64, bytes of the body, little-endian
//	body        CBOR (RFC 8949): a map from the names of the sections to the sections
//	checksum    SHA-256 of all bytes before it
//
// The same bundle gives the same bytes.
const (
	magic      = "NJBUNDLE"
	headerSize = len(magic) + 4 + 8
)

// ErrNewerFormat and ErrOlderFormat are the errors of a bundle that another version of the program wrote. ErrDamaged is
// the error of bytes that are not a bundle, or no longer the one that was written. Test with errors.Is.
var (
	ErrNewerFormat = errors.New("the model was written by a newer version of nightjar")
	ErrOlderFormat = errors.New("the model was written by an older version of nightjar; train again")
	ErrDamaged     = errors.New("not a model, or a damaged one")
)

// section is one section as it is stored. Its content is CBOR, too: a byte string keeps the content of an unknown
// section as it is.
type section struct {
	_        struct{} `cbor:",toarray"`
	Version  uint64
	Deflated bool
	Content  []byte
}

// Encode returns the bundle's binary form. It refuses a bundle that Decode would refuse.
func (b *Bundle) Encode() ([]byte, error) {
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("encode model: %w", err)
	}
	body, err := b.encodeBody()
	if err != nil {
		return nil, fmt.Errorf("encode model: %w", err)
	}
	out := make([]byte, 0, headerSize+len(body)+sha256.Size)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, FormatVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(body)))
	out = append(out, body...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// encodeBody writes the bundle's sections, and those that Decode kept without reading them.
func (b *Bundle) encodeBody() ([]byte, error) {
	all := maps.Clone(b.kept)
	if all == nil {
		all = make(map[string]section, len(kinds))
	}
	for _, k := range kinds {
		c := k.newest()
		if _, kept := all[k.name]; kept || !c.from(b) {
			continue
		}
		content, err := encoding.Marshal(c)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", k.name, err)
		}
		s := section{Version: k.version(), Content: content}
		if k.deflate {
			s.Content, s.Deflated = deflate(content)
		}
		all[k.name] = s
	}
	return encoding.Marshal(all)
}

// Decode reads the binary form of a bundle. Its error is ErrNewerFormat, ErrOlderFormat or ErrDamaged with what is wrong. No
// input makes it panic. The memory it takes is in proportion to the length of the input,
// and to the deflated lessons, of which it reads at most 32 MiB and 131,072 pages.
func Decode(data []byte) (*Bundle, error) {
	body, err := open(data)
	if err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	b, err := decodeBody(body)
	if err == nil {
		err = b.Validate()
	}
	switch {
	case errors.Is(err, ErrNewerFormat), errors.Is(err, ErrOlderFormat):
		return nil, fmt.Errorf("decode model: %w", err)
	case err != nil:
		return nil, fmt.Errorf("decode model: %w: %w", ErrDamaged, err)
	}
	return b, nil
}

// open checks the header and the checksum, and returns the body.
func open(data []byte) (body []byte, err error) {
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrDamaged)
	}
	switch version := binary.LittleEndian.Uint32(data[len(magic):]); {
	case version > FormatVersion:
		return nil, fmt.Errorf("%w: format %d, this program reads %d", ErrNewerFormat, version, FormatVersion)
	case version == 0:
		return nil, fmt.Errorf("%w: format 0 was never used", ErrDamaged)
	case version < FormatVersion:
		return nil, fmt.Errorf("%w: format %d, this program reads %d", ErrOlderFormat, version, FormatVersion)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	if have := uint64(len(data) - headerSize); have < sha256.Size || have-sha256.Size != length {
		return nil, fmt.Errorf("%w: %d bytes, its header promises %d", ErrDamaged, len(data), length)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return data[headerSize:end], nil
}

// decodeBody reads the sections that this program knows, and keeps the others as they are.
func decodeBody(body []byte) (*Bundle, error) {
	var all map[string]section
	if err := plain.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	b := &Bundle{Choice: defaultChoice()}
	for _, k := range kinds {
		s, found := all[k.name]
		switch {
		case !found && !k.optional:
			return nil, fmt.Errorf("%w: it has no section %s", ErrOlderFormat, k.name)
		case !found || s.Version > k.version() && k.optional:
			continue
		case s.Version > k.version():
			return nil, fmt.Errorf("%w: its section %s has version %d, this program reads %d", ErrNewerFormat, k.name, s.Version, k.version())
		}
		if err := k.decode(s, b); err != nil {
			return nil, fmt.Errorf("section %s: %w", k.name, err)
		}
		delete(all, k.name)
	}
	if len(all) > 0 {
		b.kept = all
	}
	return b, nil
}

// decode reads a section of a version that the program knows.
func (k *kind) decode(s section, b *Bundle) error {
	switch {
	case s.Version < 1:
		return errors.New("version 0 was never used")
	case k.versions[s.Version-1] == nil:
		return fmt.Errorf("%w: version %d, this program reads %d", ErrOlderFormat, s.Version, k.version())
	}
	mode, content, err := plain, s.Content, error(nil)
	switch {
	case s.Deflated && !k.deflate:
		return errors.New("it is deflated")
	case s.Deflated:
		mode = small
		if content, err = inflate(s.Content); err != nil {
			return err
		}
	}
	c := k.versions[s.Version-1]()
	if err := mode.Unmarshal(content, c); err != nil {
		return err
	}
	return c.into(b)
}

// Limits on the number of elements of a list. A short file can hold a long deflated list, so that the limit on those is
// lower.
const (
	maxList  = 1 << 21
	maxPages = 1 << 17
)

// encoding writes CBOR in the one form that RFC 8949 §4.2.1 allows. plain and small read it within limits: a section that
// is stored as it is, and one that was deflated.
var (
	encoding = encodingMode()
	plain    = decodingMode(maxList)
	small    = decodingMode(maxPages)
)

func encodingMode() cbor.EncMode {
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	mode, err := options.EncMode()
	if err != nil {
		panic("model: " + err.Error()) // options that contradict each other
	}
	return mode
}

func decodingMode(list int) cbor.DecMode {
	mode, err := cbor.DecOptions{
		MaxArrayElements: list, MaxMapPairs: 1 << 10, MaxNestedLevels: 8,
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		UTF8:              cbor.UTF8DecodeInvalid, // titles and link texts may be of any bytes
	}.DecMode()
	if err != nil {
		panic("model: " + err.Error()) // options that contradict each other
	}
	return mode
}
