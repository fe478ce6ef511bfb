package night

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// keeper starts and kills the worker, and keeps a clock in step with the worker's.
type keeper struct {
	clock *clock.Fast
	spec  workerSpec // without its clock
	log   io.Writer

	cmd   *exec.Cmd
	in    io.WriteCloser
	peak  int64 // peak memory of a worker in bytes
	kills int
}

// start starts a worker, which continues the crawl of the previous one.
func (k *keeper) start(ctx context.Context) error {
	k.spec.Real, k.spec.Shown = time.Now(), k.clock.Now()
	var err error
	if k.cmd, err = (verb.Child{Log: k.log}).Command(ctx, "night worker", k.spec); err != nil {
		return err
	}
	k.cmd.Stdout = k.log
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := k.cmd.Start(); err != nil {
		return fmt.Errorf("start the worker: %w", err)
	}
	return nil
}

// kill kills the worker, which to the worker is like a power cut.
func (k *keeper) kill() error {
	k.measure()
	k.kills++
	if err := k.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill the worker: %w", err)
	}
	_ = k.cmd.Wait() // it was killed
	return nil
}

// end asks the worker to end and waits for it.
func (k *keeper) end() error {
	k.measure()
	return errors.Join(k.in.Close(), k.cmd.Wait())
}

// command sends the worker a command.
func (k *keeper) command(command string) error {
	_, err := io.WriteString(k.in, command+"\n")
	return err
}

// sleep stops the process for a second, and moves both clocks on by so much.
func (k *keeper) sleep(by time.Duration) error {
	if err := k.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(time.Second)
	// The command waits in the pipe until the process runs again. Until it has read it, the process uses the old time.
	err := k.jump(by)
	return errors.Join(err, k.cmd.Process.Signal(syscall.SIGCONT))
}

// jump moves both clocks.
func (k *keeper) jump(by time.Duration) error {
	k.clock.Jump(by)
	return k.command("jump " + by.String())
}

// measure notes the worker's peak memory.
func (k *keeper) measure() { k.peak = max(k.peak, devtool.PeakMemoryOf(k.cmd.Process.Pid)) }
