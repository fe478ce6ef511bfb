package render

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownGroup gives the browser a process group, so that its children die with it, and makes it die with us.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may have ended

// memory is the private memory of the processes of a group, in bytes.
func memory(group int) int64 {
	var sum int64
	for _, pid := range processes(group) {
		status, _ := os.ReadFile(filepath.Join("/proc", pid, "status")) // it may have ended
		for line := range strings.Lines(string(status)) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "RssAnon:" {
				kB, _ := strconv.ParseInt(fields[1], 10, 64)
				sum += kB << 10
			}
		}
	}
	return sum
}

// waited is how long the processes of a group have waited for a processor that others were using: of each the thread that
// runs a page's scripts, or that of the browser. It is 0 where the kernel does not count it.
func waited(group int) time.Duration {
	var sum time.Duration
	for _, pid := range processes(group) {
		stat, _ := os.ReadFile(filepath.Join("/proc", pid, "schedstat")) // it may have ended
		if fields := strings.Fields(string(stat)); len(fields) > 1 {     // ns that it ran, ns that it waited
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}

// processes lists the process IDs of a group. It is called many times a second, and reads no file of any process.
func processes(group int) (pids []string) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = proc.Close() }() // it is only read
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if of, err := syscall.Getpgid(pid); err == nil && of == group {
			pids = append(pids, name)
		}
	}
	return pids
}
