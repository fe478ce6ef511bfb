package service

import (
	"fmt"
	"strings"
)

// unit returns the systemd unit. What the program never does is forbidden to it: writing anything but its data folder,
// reading keys and the browsers' own profiles, gaining privileges, changing the system. Namespaces and generated code
// stay allowed, because Chromium, which renders pages when the person wants it, needs both. Without PrivateUsers, systemd of
// a person ignores the restrictions of files; options that drop capabilities, such as PrivateDevices, it cannot apply, and
// a person has none of those.
func unit(o Options, sandbox bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `[Unit]
Description=Nightjar learns from your browsing and looks for useful pages at night
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=%s
Restart=on-failure
RestartSec=5
TimeoutStopSec=30
UMask=0077
Nice=10
MemoryHigh=1G
MemoryMax=2G
`, command(o))
	if sandbox {
		fmt.Fprintf(&b, `
NoNewPrivileges=yes
PrivateUsers=yes
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=%s
InaccessiblePaths=-%%h/.ssh -%%h/.gnupg -%%h/.password-store -%%h/.local/share/keyrings
InaccessiblePaths=-%%h/.mozilla -%%h/.config/chromium -%%h/.config/google-chrome
PrivateTmp=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM
`, quote(o.Data))
	}
	b.WriteString("\n[Install]\nWantedBy=default.target\n")
	return b.String()
}

// command is the command line as systemd reads it.
func command(o Options) string {
	words := []string{quote(o.Program)}
	for _, arg := range arguments(o) {
		words = append(words, strings.ReplaceAll(quote(arg), "$", "$$")) // a variable otherwise
	}
	return strings.Join(words, " ")
}

// quoting are the characters with a meaning in a unit: systemd.syntax(7), "Quoting"; systemd.unit(5), "Specifiers".
var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`)

func quote(text string) string { return `"` + quoting.Replace(text) + `"` }

// agent returns the property list of launchd. It says nothing of standard output: launchd would write it into a file that
// grows without end.
func agent(o Options) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + Name + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, word := range append([]string{o.Program}, arguments(o)...) {
		b.WriteString("\t\t<string>" + escapeXML.Replace(word) + "</string>\n")
	}
	b.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<key>ProcessType</key>
	<string>Background</string>
	<key>LowPriorityIO</key>
	<true/>
	<key>Nice</key>
	<integer>10</integer>
	<key>Umask</key>
	<integer>63</integer>
</dict>
</plist>
`)
	return b.String()
}

var escapeXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
