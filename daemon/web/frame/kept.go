package frame

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
)

// Pack writes a picture in the form in which the store keeps it.
func Pack(picture any) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(z).Encode(picture), z.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Unpack reads what pack wrote into the picture that the pointer leads to.
func Unpack(body []byte, picture any) error {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return json.NewDecoder(z).Decode(picture)
}
