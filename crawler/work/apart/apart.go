// Package apart reads a page in a process of its own: this program, started again with no environment. A page on which that process
// breaks down ends nothing else.
//
// It is for pages that may have ended the workers that read them; starting a process takes longer than reading a page.
package apart

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// flag tells this program that it is the reader.
const flag = "-nightjar-page-reader"

// Limits of the reader.
const (
	maxTime   = 20 * time.Second
	maxStack  = 64 << 20  // bytes
	maxMemory = 512 << 20 // bytes that it tries to stay below
	maxOutput = 32 << 20  // bytes
)

// errBroke says that the reader ended before it was done.
var errBroke = errors.New("the process that read it broke down")

// The reader starts here rather than in main, so that every program with this package, tests too, can start itself as one.
func init() {
	if len(os.Args) == 2 && os.Args[1] == flag {
		debug.SetMaxStack(maxStack)
		debug.SetMemoryLimit(maxMemory)
		if err := read(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// read reads a result, reads its page, and writes the result.
func read(in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(io.LimitReader(in, maxOutput))
	if err != nil {
		return err
	}
	r, err := work.Decode(data)
	if err != nil {
		return err
	}
	r.ReadPage()
	if data, err = work.Encode(&r); err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// Read sets the page and the sketch of a result whose response is fetched. After an error the result is as it was.
func Read(ctx context.Context, r *work.Result) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start the reader of pages: %w", err)
	}
	data, err := work.Encode(r)
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	cmd := exec.CommandContext(within, exe, flag)
	cmd.Stdin = bytes.NewReader(data)
	cmd.Env = []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} // Windows starts no program without; a hostile page finds no secret
	cmd.WaitDelay = 2 * time.Second
	said, err := cmd.Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || len(said) > maxOutput {
		return errBroke
	}
	got, err := work.Decode(said)
	if err != nil || got.Page == nil && got.Response.Outcome == fetch.OK { // the page with all that was read of it was too long
		return errBroke
	}
	r.Page, r.Sketch, r.Problem = got.Page, got.Sketch, got.Problem
	r.Response.Outcome, r.Response.Reason = got.Response.Outcome, got.Response.Reason
	return nil
}
