package kills

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"time"
)

// proxies is a running toxiproxy (github.com/Shopify/toxiproxy), which is controlled over HTTP and makes the network between two
// programs faulty: slow, cut, reset. Its module is in the folder toxiproxy.
type proxies struct {
	api  string
	cmd  *exec.Cmd
	stop context.CancelFunc
}

// toxic is a fault of a proxy, in toxiproxy's terms.
type toxic struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`   // latency, bandwidth, slow_close, timeout, reset_peer, slicer, limit_data
	Stream     string         `json:"stream"` // upstream or downstream
	Toxicity   float64        `json:"toxicity"`
	Attributes map[string]any `json:"attributes"`
}

// startProxies builds and starts toxiproxy with its API on 127.0.0.1:port, until Close. source is the root of the source tree.
func startProxies(ctx context.Context, source string, port int, log io.Writer) (*proxies, error) {
	ctx, stop := context.WithCancel(ctx)
	folder := filepath.Join(source, "daemon", "lab", "kills", "toxiproxy")
	path, err := exec.CommandContext(ctx, "go", "-C", folder, "tool", "-n", "server").Output()
	if err != nil {
		stop()
		return nil, fmt.Errorf("build toxiproxy in %s: %w", folder, err)
	}
	p := &proxies{api: fmt.Sprintf("http://127.0.0.1:%d", port), stop: stop}
	p.cmd = exec.CommandContext(ctx, string(bytes.TrimSpace(path)), "-host", "127.0.0.1", "-port", fmt.Sprint(port))
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("start toxiproxy: %w", err)
	}
	for range 100 {
		if err = p.call(ctx, http.MethodGet, "/version", nil); err == nil {
			return p, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.end()
	return nil, fmt.Errorf("toxiproxy does not answer: %w", err)
}

// end stops toxiproxy.
func (p *proxies) end() {
	p.stop()
	_ = p.cmd.Wait() // it was killed
}

// add puts a proxy between two addresses.
func (p *proxies) add(ctx context.Context, name, listen, upstream string) error {
	return p.call(ctx, http.MethodPost, "/proxies", map[string]any{"name": name, "listen": listen, "upstream": upstream, "enabled": true})
}

// poison adds a fault to a proxy.
func (p *proxies) poison(ctx context.Context, name string, t toxic) error {
	return p.call(ctx, http.MethodPost, "/proxies/"+name+"/toxics", t)
}

// cure removes a fault.
func (p *proxies) cure(ctx context.Context, name, toxic string) error {
	return p.call(ctx, http.MethodDelete, "/proxies/"+name+"/toxics/"+toxic, nil)
}

func (p *proxies) call(ctx context.Context, method, path string, body any) error {
	var text []byte
	var err error
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, p.api+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "toxics") // toxiproxy rejects browsers
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("call toxiproxy: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		text, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return errors.Join(fmt.Errorf("toxiproxy: %s %s: %s %s", method, path, resp.Status, bytes.TrimSpace(text)), err)
	}
	return nil
}
