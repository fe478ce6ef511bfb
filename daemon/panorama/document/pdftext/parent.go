package pdftext

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// flag tells this program that it is the reader.
const flag = "-nightjar-pdf-reader"

// Lines returns the lines of a PDF in the order of the pages, and within a page in the order in which they are drawn. The
// reader is killed when ctx ends; what it has read by then is returned if there is a line. The errors are those of this
// package and those of ctx when it was cancelled.
func Lines(ctx context.Context, body []byte) (Result, error) {
	exe, err := os.Executable()
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	cmd := exec.CommandContext(ctx, exe, flag)
	cmd.Stdin = bytes.NewReader(body)
	cmd.Env = []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} // Windows starts no program without; a hostile file finds no secret
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	r, says, done := receive(out)
	if !done {
		_ = cmd.Process.Kill() // it may have more to say than is taken
	}
	_ = cmd.Wait() // how it ended is in its exit code and in done
	return judge(ctx, r, says, done, cmd.ProcessState.ExitCode())
}

func receive(out io.Reader) (r Result, says string, done bool) {
	dec := json.NewDecoder(bufio.NewReader(io.LimitReader(out, MaxOutput)))
	for {
		var m message
		if dec.Decode(&m) != nil {
			return r, says, false
		}
		r.Lines = append(r.Lines, m.Lines...)
		r.Pages = max(r.Pages, m.Pages)
		r.Missing += m.Missing
		if m.Error != "" {
			says = m.Error
		}
		if m.Done {
			return r, says, true
		}
	}
}

func judge(ctx context.Context, r Result, says string, done bool, exit int) (Result, error) {
	// The last pages come before those in the middle; drawing order is kept within a page.
	slices.SortStableFunc(r.Lines, func(a, b Line) int { return cmp.Compare(a.Page, b.Page) })
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Result{}, ctx.Err()
	case says == saysEncrypted:
		return Result{}, ErrEncrypted
	case says == saysNoText:
		return Result{}, ErrNoText
	case says == saysBroken:
		return Result{}, ErrBroken
	case done:
		return r, nil
	case len(r.Lines) > 0:
		r.Partial = true
		return r, nil
	case ctx.Err() != nil:
		return Result{}, ErrSlow
	case exit == exitMemory:
		return Result{}, ErrTooMuch
	}
	return Result{}, ErrBroken
}
