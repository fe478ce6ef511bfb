package machine

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Listener returns the process that listens on an address, ADDR:PORT, or on that port of every address, and its name. pid is 0 when
// that cannot be told, as on other systems than Linux, or when the process belongs to another user.
func Listener(addr string) (pid int, name string) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return 0, ""
	}
	var sockets []string
	for _, local := range []netip.Addr{at.Addr(), netip.IPv4Unspecified(), netip.IPv6Unspecified()} {
		sockets = append(sockets, listening(netip.AddrPortFrom(local, at.Port()))...)
	}
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0, ""
	}
	for _, file := range files {
		if to, err := os.Readlink(file); err != nil || !slices.Contains(sockets, to) {
			continue
		}
		process := filepath.Dir(filepath.Dir(file))
		text, _ := os.ReadFile(filepath.Join(process, "comm")) // "" when it just ended
		pid, _ = strconv.Atoi(filepath.Base(process))          // the pattern has only digits at its place
		return pid, string(bytes.TrimSpace(text))
	}
	return 0, ""
}

// listening returns the sockets that listen at a local address, as links in /proc name them. proc_net_tcp(5): the second column is the
// address in hexadecimal, the fourth the state, the tenth the inode. An address is written as words of four bytes in the byte order of the
// machine, which is little-endian where Go runs.
func listening(at netip.AddrPort) (sockets []string) {
	table := "/proc/net/tcp"
	if at.Addr().Is6() {
		table = "/proc/net/tcp6"
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return nil
	}
	address := at.Addr().AsSlice()
	for word := range slices.Chunk(address, 4) {
		slices.Reverse(word)
	}
	local := fmt.Sprintf("%s:%04X", strings.ToUpper(hex.EncodeToString(address)), at.Port())
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 9 && f[1] == local && f[3] == "0A" {
			sockets = append(sockets, "socket:["+f[9]+"]")
		}
	}
	return sockets
}
