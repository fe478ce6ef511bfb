package app

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// taken is the error for a port on which another program listens: who it is, as far as that can be told, and what to do.
func taken(addr string) error {
	return WithHint(fmt.Errorf("listen on %s: the port is taken by %s", addr, holder(addr)),
		"stop it, or choose another port with --listen %s and enter it as the address in the extension's options", freeNear(addr))
}

// holder describes the program that listens at an address.
func holder(addr string) string {
	name := "another program"
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/ws", nil)
	if err == nil {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
		if answer, err := client.Do(r); err == nil {
			text, _ := io.ReadAll(io.LimitReader(answer.Body, 100)) // what was read is enough
			answer.Body.Close()
			name = "another web server"
			if strings.HasPrefix(string(text), "Nightjar") {
				name = "another Nightjar"
			}
		}
	}
	if process := listener(addr); process != "" {
		name += " (" + process + ")"
	}
	return name
}

// listener is the process that listens at an IPv4 address, such as "python3, process 1234"; "" when it cannot be told, as on
// other systems than Linux or when it is another user's.
func listener(addr string) string {
	host, portText, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host).To4()
	port, err2 := strconv.ParseUint(portText, 10, 16)
	if err != nil || err2 != nil || ip == nil {
		return ""
	}
	// proc_net_tcp(5): the address is hexadecimal, in the byte order of the machine, which is little-endian where Go runs.
	local := strings.ToUpper(hex.EncodeToString([]byte{ip[3], ip[2], ip[1], ip[0]})) + fmt.Sprintf(":%04X", port)
	const listening = "0A"
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line)
		if len(f) > 9 && (f[1] == local || f[1] == "00000000:"+local[9:]) && f[3] == listening {
			return owner("socket:[" + f[9] + "]")
		}
	}
	return ""
}

// owner is the process that has a socket open.
func owner(socket string) string {
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, file := range files {
		if to, err := os.Readlink(file); err != nil || to != socket {
			continue
		}
		process := filepath.Dir(filepath.Dir(file))
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%s, process %s", strings.TrimSpace(string(name)), filepath.Base(process))
	}
	return ""
}

// freeNear is a loopback address with one of the next ports that is free, "127.0.0.1:PORT" when none was found.
func freeNear(addr string) string {
	_, text, err := net.SplitHostPort(addr)
	port, err2 := strconv.Atoi(text)
	for n := port + 1; err == nil && err2 == nil && n <= min(port+20, 65535); n++ {
		try := fmt.Sprintf("127.0.0.1:%d", n)
		if l, err := net.Listen("tcp", try); err == nil {
			_ = l.Close() // it was only to see whether the port is free
			return try
		}
	}
	return "127.0.0.1:PORT"
}
