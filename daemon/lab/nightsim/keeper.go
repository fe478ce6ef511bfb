package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/machine"
)

// keeper starts the worker, kills it, and keeps the time that it goes by.
type keeper struct {
	clock *clock.Fast
	speed float64
	args  []string // of the worker, without the time
	log   io.Writer

	cmd   *exec.Cmd
	in    io.WriteCloser
	peak  int64 // most memory that a worker held, bytes
	kills int
}

// start begins a worker, which takes up what the last one left.
func (k *keeper) start(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	k.cmd = exec.CommandContext(ctx, self, append([]string{verbWorker, "--speed", fmt.Sprint(k.speed),
		"--at", fmt.Sprint(time.Now().UnixNano()), "--shown", fmt.Sprint(k.clock.Now().UnixNano())}, k.args...)...)
	k.cmd.Stdout, k.cmd.Stderr = k.log, k.log
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := k.cmd.Start(); err != nil {
		return fmt.Errorf("start the worker: %w", err)
	}
	return nil
}

// kill ends the worker as a power cut would, from its own point of view.
func (k *keeper) kill() error {
	k.measure()
	k.kills++
	if err := k.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill the worker: %w", err)
	}
	_ = k.cmd.Wait() // it was killed
	return nil
}

// end lets the worker end by itself.
func (k *keeper) end() error {
	k.measure()
	return errors.Join(k.in.Close(), k.cmd.Wait())
}

// tell gives the worker a command.
func (k *keeper) tell(command string) error {
	_, err := io.WriteString(k.in, command+"\n")
	return err
}

// sleep stops the process for a moment, in which its clock and ours go on by so much.
func (k *keeper) sleep(by time.Duration) error {
	if err := k.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(time.Second)
	// A process reads what the clock says when it runs again: the command waits for it in the pipe. What it does in
	// the moment before it has read it, it does at the old time.
	err := k.jump(by)
	return errors.Join(err, k.cmd.Process.Signal(syscall.SIGCONT))
}

// jump sets both clocks.
func (k *keeper) jump(by time.Duration) error {
	k.clock.Jump(by)
	return k.tell("jump " + by.String())
}

// measure notes how much memory the worker held.
func (k *keeper) measure() { k.peak = max(k.peak, machine.PeakMemoryOf(k.cmd.Process.Pid)) }
