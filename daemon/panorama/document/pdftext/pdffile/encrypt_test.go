package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// Encryption says how Encrypt encrypts (ISO 32000-2, 7.6.4).
type Encryption struct {
	Revision int    // 2 to 6
	Bits     int    // of the key, up to revision 4
	AES      bool   // in revision 4
	Plain    bool   // the metadata is not encrypted
	Password string // without which the file does not open
}

const pad = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

var objects = regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)\nendobj\n`)

// Encrypt encrypts the streams of a PDF that pdftest wrote.
func Encrypt(body []byte, e Encryption) []byte {
	r := rand.NewChaCha8([32]byte{1})
	random := func(n int) []byte {
		b := make([]byte, n)
		_, _ = r.Read(b) // never fails
		return b
	}
	var key []byte
	var entry string
	id := random(16)
	if e.Revision >= 5 {
		key, entry = e.newKey(random)
	} else {
		key, entry = e.oldKey(random(32), id)
	}
	var all []string
	for _, m := range objects.FindAllSubmatch(body, -1) {
		number := len(all) + 1
		_, data, stream := bytes.Cut(m[2], []byte("stream\n"))
		if data = bytes.TrimSuffix(data, []byte("\nendstream")); !stream {
			all = append(all, string(m[2]))
			continue
		}
		data = e.encrypt(key, data, number, random(16))
		all = append(all, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(data), data))
	}
	all = append(all, entry)
	return pdftest.Assemble(all, fmt.Sprintf("/Encrypt %d 0 R /ID [<%x> <%[2]x>] ", len(all), id))
}

func (e Encryption) encrypt(key, data []byte, number int, iv []byte) []byte {
	if e.Revision < 5 {
		in := binary.LittleEndian.AppendUint32(bytes.Clone(key), uint32(number))
		in = append(in[:len(key)+3], 0, 0)
		if e.AES {
			in = append(in, "sAlT"...)
		}
		sum := md5.Sum(in)
		key = sum[:min(16, len(key)+5)]
	}
	if e.Revision < 5 && !e.AES {
		return rc4Of(key, data)
	}
	n := 16 - len(data)%16
	return append(bytes.Clone(iv), cbcOf(key, iv, append(bytes.Clone(data), bytes.Repeat([]byte{byte(n)}, n)...))...)
}

func rc4Of(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

func cbcOf(key, iv, data []byte) []byte {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(data))
	cipher.NewCBCEncrypter(b, iv).CryptBlocks(out, data)
	return out
}

// oldKey makes the key of a file up to revision 4, and what the file says about it. owner is the owner's entry, which may be
// anything for who has the user's password.
func (e Encryption) oldKey(owner, id []byte) (key []byte, entry string) {
	const permissions = 0xfffffffc // -4
	h := md5.New()
	h.Write([]byte(e.Password + pad)[:32])
	h.Write(owner)
	h.Write(binary.LittleEndian.AppendUint32(nil, permissions))
	h.Write(id)
	if e.Plain {
		h.Write([]byte{255, 255, 255, 255})
	}
	n := e.Bits / 8
	key = h.Sum(nil)[:n]
	user := rc4Of(key, []byte(pad))
	version, more := 1, ""
	if e.Revision > 2 {
		version = 2
		for range 50 {
			sum := md5.Sum(key)
			key = sum[:n]
		}
		first := md5.Sum(append([]byte(pad), id...))
		user = first[:]
		for i := range 20 {
			k := bytes.Clone(key)
			for j := range k {
				k[j] ^= byte(i)
			}
			user = rc4Of(k, user)
		}
		user = append(user, make([]byte, 16)...)
	}
	if e.Revision == 4 {
		version = 4
		more = fmt.Sprintf("/CF << /StdCF << /CFM /%s /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF /EncryptMetadata %t ",
			map[bool]string{true: "AESV2", false: "V2"}[e.AES], !e.Plain)
	}
	return key, fmt.Sprintf("<< /Filter /Standard /V %d /R %d /Length %d /P -4 /O <%x> /U <%x> %s>>", version, e.Revision, e.Bits, owner, user, more)
}

// newKey makes the key of a file of revision 5 or 6, and what the file says about it.
func (e Encryption) newKey(random func(int) []byte) (key []byte, entry string) {
	key = random(32)
	check, salt := random(8), random(8)
	user := append(append(e.hash(check), check...), salt...)
	return key, fmt.Sprintf("<< /Filter /Standard /V 5 /R %d /Length 256 /P -4 /O <%x> /OE <%x> /U <%x> /UE <%x> /Perms <%x> "+
		"/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF >>",
		e.Revision, random(48), random(32), user, cbcOf(e.hash(salt), make([]byte, 16), key), random(16))
}

// hash is that of the user's password with a salt (algorithm 2.B).
func (e Encryption) hash(salt []byte) []byte {
	sum := sha256.Sum256(append([]byte(e.Password), salt...))
	k := sum[:]
	if e.Revision == 5 {
		return k
	}
	for round := 0; ; round++ {
		var in []byte
		for range 64 {
			in = append(append(in, e.Password...), k...)
		}
		out := cbcOf(k[:16], k[16:32], in)
		mod := 0
		for _, b := range out[:16] {
			mod = (mod*256 + int(b)) % 3
		}
		switch mod {
		case 0:
			s := sha256.Sum256(out)
			k = s[:]
		case 1:
			s := sha512.Sum384(out)
			k = s[:]
		case 2:
			s := sha512.Sum512(out)
			k = s[:]
		}
		if round >= 63 && int(out[len(out)-1]) <= round-32+1 {
			return k[:32]
		}
	}
}
