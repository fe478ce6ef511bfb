package render

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// ProfilePrefix begins the name of a browser's profile in the system's folder for temporary files. The number of the process
// that made it follows, and "-".
const ProfilePrefix = "nightjar-render-"

// startTimeout is how long a browser may take to start.
const startTimeout = 30 * time.Second

// browser is a running Chromium.
type browser struct {
	ctx     context.Context // of chromedp, the parent of the tabs
	cancel  func()
	profile string
	pid     int
	pages   int // rendered
}

// startBrowser starts the program at path with an empty profile and no access to the network.
func startBrowser(path, userAgent string) (*browser, error) {
	profile, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", ProfilePrefix, os.Getpid()))
	if err != nil {
		return nil, err
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), flags(path, profile, userAgent)...)
	quiet := func(string, ...any) {}
	ctx, cancelContext := chromedp.NewContext(alloc, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	b := &browser{ctx: ctx, profile: profile, cancel: func() { cancelContext(); cancelAlloc() }}
	// The browser ends with the context of the first call, so that must have no timeout.
	late := time.AfterFunc(startTimeout, cancelContext)
	defer late.Stop()
	err = chromedp.Do(ctx)
	if err == nil {
		b.pid = chromedp.FromContext(ctx).Browser.Process().Pid
		_, err = chromedp.CallBrowser(ctx, fetch.Enable, fetch.EnableParams{})
	}
	if err != nil {
		b.kill()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return b, nil
}

// kill kills the browser with all its processes and deletes its profile.
func (b *browser) kill() {
	if b.pid > 0 {
		killGroup(b.pid)
	}
	b.cancel()
	for range 50 { // a killed process may still write for a moment
		if os.RemoveAll(b.profile) == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// heapMegabytes limits the heap of a page's scripts.
const heapMegabytes = "256"

// features are switched off: those that send requests on their own, those that preload pages, and the suggestions below the
// address bar, which are two pages in each window and take as much processor time as everything else in its start.
var features = strings.Join([]string{
	"WebRtcHideLocalIpsWithMdns", "MediaRouter", "DialMediaRouteProvider", "Translate", "OptimizationHints",
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "NetworkPrediction", "Prerender2",
	"SpeculationRulesPrefetchProxy", "PrefetchProxy", "WebBluetooth", "AsyncDns", "DnsOverHttps", "HttpsUpgrades",
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
}, ",")

// sandboxed is false only in tests on machines where the browser's sandbox does not work.
var sandboxed = true

// flags returns the browser's command line. For root, chromedp switches the sandbox off, because the browser would not
// start with it.
func flags(path, profile, userAgent string) []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.ModifyCmdFunc(ownGroup),
		// The browser's environment has only what programs need to start.
		chromedp.NoInheritEnv, chromedp.Env(environment(profile)...),
	}
	for name, value := range map[string]string{
		"headless":   "new",
		"user-agent": userAgent,
		"js-flags":   "--max-old-space-size=" + heapMegabytes,
		// No network: no name resolves, and all addresses, including loopback, go through a proxy that does not exist.
		"host-resolver-rules":             "MAP * ~NOTFOUND",
		"proxy-server":                    "http://nowhere.invalid:9",
		"proxy-bypass-list":               "<-loopback>",
		"force-webrtc-ip-handling-policy": "disable_non_proxied_udp",
		"webrtc-ip-handling-policy":       "disable_non_proxied_udp",
		"renderer-process-limit":          "1",
		"disk-cache-size":                 "1",
		"password-store":                  "basic",
		"blink-settings":                  "imagesEnabled=false,dnsPrefetchingEnabled=false",
		"autoplay-policy":                 "user-gesture-required",
		"disable-features":                features,
		"window-size":                     "1280,1024",
		"disable-blink-features":          "WebSocketStream,WebTransport",
	} {
		options = append(options, chromedp.Flag(name, value))
	}
	if !sandboxed {
		options = append(options, chromedp.NoSandbox)
	}
	for _, name := range []string{
		"no-first-run", "no-default-browser-check", "no-pings", "dns-prefetch-disable", "no-service-autorun",
		"disable-background-networking", "disable-breakpad", "disable-client-side-phishing-detection",
		"disable-component-update", "disable-component-extensions-with-background-pages", "disable-default-apps",
		"disable-domain-reliability", "disable-extensions", "disable-field-trial-config", "disable-gpu",
		"disable-notifications", "disable-quic", "disable-search-engine-choice-screen",
		"disable-sync", "disable-webgl", "deny-permission-prompts", "block-new-web-contents", "metrics-recording-only",
		"mute-audio", "hide-scrollbars", "use-mock-keychain", "disable-dev-shm-usage", "disable-renderer-backgrounding",
		"disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	return options
}

// environment is the part of our environment that the browser gets.
func environment(profile string) []string {
	list := []string{"HOME=" + profile, "TMPDIR=" + profile, "XDG_CONFIG_HOME=" + filepath.Join(profile, "config"), "XDG_CACHE_HOME=" + filepath.Join(profile, "cache")}
	for _, name := range []string{"PATH", "LANG", "SYSTEMROOT", "LOCALAPPDATA", "PROGRAMFILES", "LD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}
