package app

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
)

// taken is the error for a port on which another program listens: it names the program as far as that can be told.
func taken(addr string) error {
	return command.WithHint(fmt.Errorf("listen on %s: the port is taken by %s", addr, holder(addr)),
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
	if pid, process := machine.Listener(addr); pid > 0 {
		name += fmt.Sprintf(" (%s, process %d)", process, pid)
	}
	return name
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
