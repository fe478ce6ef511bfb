package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
)

// method is how streams or strings are encrypted.
type method int

const (
	identity method = iota
	rc4Object
	aesObject // AES-128
	aesFile   // AES-256
)

// decrypter decrypts the objects of a file (ISO 32000-2, 7.6). A nil one leaves them as they are.
type decrypter struct {
	key              []byte
	streams, strings method
	metadata         bool // is encrypted
	own              int  // number of the object that describes the encryption, which is not encrypted itself
}

// newDecrypter reads how a file is encrypted, and finds its key with an empty user password. It returns ErrPassword when
// that is not the password, and for other ways of encryption than the standard one.
func newDecrypter(s *scanner, encrypt any) (*decrypter, error) {
	c := &decrypter{own: -1, metadata: true}
	if r, ok := encrypt.(ref); ok {
		c.own = r.number
		for _, o := range s.objects {
			if o.number == r.number {
				encrypt = o.value
			}
		}
	}
	d, ok := encrypt.(dict)
	if !ok || d["Filter"] != name("Standard") {
		return nil, ErrPassword
	}
	c.metadata = d["EncryptMetadata"] != raw("false")
	var id string
	if ids, ok := s.trailer["ID"].(array); ok && len(ids) > 0 {
		first, _ := ids[0].(text)
		id = string(first)
	}
	version := integer(d["V"], 0)
	switch {
	case version >= 4:
		c.streams, c.strings = filter(d, "StmF"), filter(d, "StrF")
	default:
		c.streams, c.strings = rc4Object, rc4Object
	}
	if version >= 5 {
		c.key = newKey(d)
	} else {
		c.key = oldKey(d, id, c.metadata)
	}
	if c.key == nil {
		return nil, ErrPassword
	}
	return c, nil
}

func integer(v any, otherwise int) int {
	if r, ok := v.(raw); ok {
		if n, err := strconv.Atoi(string(r)); err == nil {
			return n
		}
	}
	return otherwise
}

// filter returns the method that an entry names.
func filter(d dict, entry name) method {
	filters, _ := d["CF"].(dict)
	which, _ := d[entry].(name)
	one, _ := filters[which].(dict)
	switch one["CFM"] {
	case name("V2"):
		return rc4Object
	case name("AESV2"):
		return aesObject
	case name("AESV3"):
		return aesFile
	}
	return identity
}

// padding fills a password up to 32 bytes.
const padding = "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a"

// oldKey returns the key of a file up to revision 4 (algorithms 2, 4 and 5), nil if it needs a password.
func oldKey(d dict, id string, metadata bool) []byte {
	o, _ := d["O"].(text)
	u, _ := d["U"].(text)
	revision, size := integer(d["R"], 2), integer(d["Length"], 40)/8
	if len(o) < 32 || len(u) < 16 {
		return nil
	}
	if integer(d["V"], 0) >= 4 {
		size = 16
	}
	if revision < 3 || size < 5 || size > 16 {
		size = 5
	}
	permissions, _ := strconv.ParseInt(string(rawOf(d["P"])), 10, 64)
	in := []byte(padding + string(o[:32]))
	in = binary.LittleEndian.AppendUint32(in, uint32(permissions))
	in = append(in, id...)
	if revision >= 4 && !metadata {
		in = append(in, 0xff, 0xff, 0xff, 0xff)
	}
	sum := md5.Sum(in)
	if revision < 3 {
		key := sum[:size]
		return check(key, u, rc4Bytes(key, []byte(padding)))
	}
	for range 50 {
		sum = md5.Sum(sum[:size])
	}
	key := bytes.Clone(sum[:size])
	first := md5.Sum([]byte(padding + id))
	proof := first[:]
	for i := range 20 {
		round := bytes.Clone(key)
		for k := range round {
			round[k] ^= byte(i)
		}
		proof = rc4Bytes(round, proof)
	}
	return check(key, u, proof)
}

// check returns a key whose proof is the beginning of an entry, else nil.
func check(key []byte, entry text, proof []byte) []byte {
	if len(entry) < len(proof) || string(entry[:len(proof)]) != string(proof) {
		return nil
	}
	return key
}

func rawOf(v any) raw {
	r, _ := v.(raw)
	return r
}

func rc4Bytes(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

// newKey returns the key of a file of revision 5 or 6 (algorithm 2.A), nil if it needs a password.
func newKey(d dict) []byte {
	u, _ := d["U"].(text)
	ue, _ := d["UE"].(text)
	if len(u) < 48 || len(ue) < 32 {
		return nil
	}
	hash := plainHash
	if integer(d["R"], 5) >= 6 {
		hash = hardHash
	}
	if string(hash("", u[32:40])) != string(u[:32]) {
		return nil
	}
	block, err := aes.NewCipher(hash("", u[40:48]))
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, []byte(ue[:32]))
	return key
}

// plainHash is the hash of revision 5 for a user password.
func plainHash(password, salt text) []byte {
	sum := sha256.Sum256([]byte(password + salt))
	return sum[:]
}

// decrypt decrypts an object. The objects in an object stream are not encrypted once more.
func (c *decrypter) decrypt(o *object) {
	if c == nil || o.number == c.own {
		return
	}
	head, _ := o.value.(dict)
	if o.stream && head["Type"] == name("XRef") {
		return
	}
	o.value = c.value(o.value, o)
	if o.stream && !plainStream(head) && (c.metadata || head["Type"] != name("Metadata")) {
		o.data = c.bytes(c.streams, o.data, o)
	}
}

// plainStream reports whether a stream names a method of its own; in practice, that is none.
func plainStream(head dict) bool {
	filter := head["Filter"]
	if list, ok := filter.(array); ok && len(list) > 0 {
		filter = list[0]
	}
	return filter == name("Crypt")
}

// value decrypts the strings of a value.
func (c *decrypter) value(v any, o *object) any {
	switch v := v.(type) {
	case text:
		return text(c.bytes(c.strings, []byte(v), o))
	case array:
		for i := range v {
			v[i] = c.value(v[i], o)
		}
	case dict:
		for key := range v {
			v[key] = c.value(v[key], o)
		}
	}
	return v
}

// bytes decrypts bytes of an object (algorithms 1 and 1.A).
func (c *decrypter) bytes(m method, data []byte, o *object) []byte {
	key := c.key
	if m == rc4Object || m == aesObject {
		in := append(bytes.Clone(key), byte(o.number), byte(o.number>>8), byte(o.number>>16), byte(o.generation), byte(o.generation>>8))
		if m == aesObject {
			in = append(in, "sAlT"...)
		}
		sum := md5.Sum(in)
		key = sum[:min(len(c.key)+5, len(sum))]
	}
	switch m {
	case identity:
		return data
	case rc4Object:
		return rc4Bytes(key, data)
	}
	return cbc(key, data)
}

// cbc decrypts bytes that begin with a random block and end with padding. A block that is not whole is left out.
func cbc(key, data []byte) []byte {
	whole := len(data) / aes.BlockSize * aes.BlockSize
	block, err := aes.NewCipher(key)
	if err != nil || whole < 2*aes.BlockSize {
		return nil
	}
	out := make([]byte, whole-aes.BlockSize)
	cipher.NewCBCDecrypter(block, data[:aes.BlockSize]).CryptBlocks(out, data[aes.BlockSize:whole])
	if n := int(out[len(out)-1]); n >= 1 && n <= aes.BlockSize {
		out = out[:len(out)-n]
	}
	return out
}
