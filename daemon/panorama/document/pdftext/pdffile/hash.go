package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
)

// hardHash is the hash of revision 6 for a user password (algorithm 2.B).
func hardHash(password, salt text) []byte {
	key := plainHash(password, salt)
	var last byte
	for i := 0; i < 64 || int(last) > i-32; i++ {
		block, err := aes.NewCipher(key[:16])
		if err != nil {
			panic("pdffile: a key of 16 bytes") // cannot be
		}
		data := bytes.Repeat(append([]byte(password), key...), 64)
		cipher.NewCBCEncrypter(block, key[16:32]).CryptBlocks(data, data)
		sum := 0
		for _, b := range data[:16] {
			sum += int(b)
		}
		switch sum % 3 {
		case 0:
			h := sha256.Sum256(data)
			key = h[:]
		case 1:
			h := sha512.Sum384(data)
			key = h[:]
		default:
			h := sha512.Sum512(data)
			key = h[:]
		}
		last = data[len(data)-1]
	}
	return key[:32]
}
