package trouble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/daemon/store"
)

func TestOf(t *testing.T) {
	for want, errs := range map[Kind][]error{
		Full:     {syscall.ENOSPC, &fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, fmt.Errorf("store: %w", syscall.EFBIG)},
		ReadOnly: {syscall.EROFS, os.ErrPermission, errors.Join(errors.New("a"), syscall.EACCES)},
		Failing:  {syscall.EIO},
		"":       {nil, errors.New("database or disk is full"), fs.ErrNotExist, context.Canceled},
	} {
		for _, err := range errs {
			if got := Of(err); got != want {
				t.Errorf("%v is %q, want %q", err, got, want)
			}
		}
	}
}

// Each kind has words that name the folder and say how it goes on.
func TestWords(t *testing.T) {
	b := New("/home/x/data", time.Now, nil, nil)
	for _, kind := range []Kind{Full, ReadOnly, Locked, Failing, Damaged} {
		b.Add(kind)
	}
	for _, is := range b.Now() {
		if is.Title() == "" || !strings.Contains(is.Says(), "Browsers keep") && !strings.Contains(is.Says(), "browsers keep") || !strings.Contains(is.Fix(), "/home/x/data") {
			t.Errorf("%s: %q %q %q", is.Kind, is.Title(), is.Says(), is.Fix())
		}
	}
}

// A trouble is told once, stays while writes fail, ends when one succeeds, and may come back.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // of what follows
		var told []string
		b := New("", time.Now, func(now []Trouble) {
			kinds := ""
			for _, is := range now {
				kinds += string(is.Kind) + " "
			}
			mu.Lock()
			defer mu.Unlock()
			told = append(told, kinds)
		}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		tries := 0
		err := error(syscall.ENOSPC)
		ended := make(chan struct{})
		go func() {
			b.Watch(ctx, 5*time.Second, func(context.Context) error {
				mu.Lock()
				defer mu.Unlock()
				tries++
				return err
			})
			close(ended)
		}()
		fails := func(with error) {
			mu.Lock()
			defer mu.Unlock()
			err = with
		}
		sofar := func() int {
			mu.Lock()
			defer mu.Unlock()
			return tries
		}
		time.Sleep(time.Hour)
		if tries := sofar(); tries > 0 {
			t.Errorf("%d tries while nothing is wrong", tries)
		}
		b.Saw(nil)
		b.Saw(errors.New("another error"))
		b.Saw(fmt.Errorf("store events: %w", syscall.ENOSPC))
		b.Saw(syscall.ENOSPC)
		time.Sleep(31 * time.Second)
		if now, tries := b.Now(), sofar(); tries != 6 || len(now) != 1 || now[0].Kind != Full || time.Since(now[0].Since) != 31*time.Second {
			t.Errorf("after %d tries: %+v", tries, now)
		}
		fails(syscall.EROFS)
		time.Sleep(5 * time.Second)
		fails(nil)
		time.Sleep(5 * time.Second)
		b.Add(Damaged)
		b.Saw(syscall.ENOSPC)
		time.Sleep(time.Minute)
		if now := b.Now(); len(now) != 1 || now[0].Kind != Damaged {
			t.Errorf("a damaged database mends itself: %+v", now)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"full ", "full read-only ", "", "damaged ", "damaged full ", "damaged "}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		cancel()
		<-ended
	})
}

// TestSuspect: an error that says that the database is damaged is told to who can check that, and is no trouble yet.
func TestSuspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("a text ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), path)
	if Of(err) != Damaged {
		t.Fatal(err)
	}
	New("", time.Now, nil, nil).Saw(err) // nobody can check it
	var told []error
	b := New("", time.Now, nil, func(err error) { told = append(told, err) })
	b.Saw(err)
	b.Saw(syscall.ENOSPC)
	if now := b.Now(); len(told) != 1 || len(now) != 1 || now[0].Kind != Full {
		t.Errorf("told %v, %+v", told, now)
	}
	if is, ok := b.About(err); ok {
		t.Errorf("it is said before it is checked: %+v", is)
	}
}

// Nothing is wrong without a board, and an error still has its words.
func TestNoBoard(t *testing.T) {
	var b *Board
	b.Add(Full)
	b.Saw(syscall.ENOSPC)
	if len(b.Now()) > 0 {
		t.Error(b.Now())
	}
	if is, ok := b.About(syscall.ENOSPC); !ok || !strings.Contains(is.Fix(), "the data folder") {
		t.Errorf("%+v, %t", is, ok)
	}
	if _, ok := b.About(errors.New("x")); ok {
		t.Error("any error is a trouble")
	}
}
