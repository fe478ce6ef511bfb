package wordnet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// arMagic begins an ar file, which a Debian package is (deb(5)).
const arMagic = "!<arch>\n"

// arHeader is the length of a member's header: name 16 bytes, time 12, owner 6, group 6, mode 8, size 10 and "`\n", each
// filled up with spaces. A member of odd length is followed by one byte.
const arHeader = 60

// maxMembers is more than a Debian package has, which is three or four.
const maxMembers = 64

// findMember reads an ar file up to the content of the first member whose name begins with a prefix. The content ends with
// io.ErrUnexpectedEOF if the file does.
func findMember(r io.Reader, prefix string) (io.Reader, error) {
	head := make([]byte, arHeader)
	if _, err := io.ReadFull(r, head[:len(arMagic)]); err != nil {
		return nil, err
	}
	if string(head[:len(arMagic)]) != arMagic {
		return nil, errors.New("this is no Debian package")
	}
	for range maxMembers {
		if _, err := io.ReadFull(r, head); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		size, err := strconv.ParseUint(string(bytes.TrimRight(head[48:58], " ")), 10, 40)
		if err != nil || string(head[58:]) != "`\n" {
			return nil, errors.New("the Debian package is damaged: download it again")
		}
		name := strings.TrimRight(string(head[:16]), " /")
		if strings.HasPrefix(name, prefix) {
			return &member{r, int64(size)}, nil
		}
		if _, err := io.CopyN(io.Discard, r, int64(size+size%2)); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the Debian package has no %s", prefix)
}

// member is the content of a member of an ar file.
type member struct {
	r    io.Reader
	left int64
}

func (m *member) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, io.EOF
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	if errors.Is(err, io.EOF) && m.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
