package main

import (
	"errors"
	"os"
	"runtime/pprof"
)

// profile starts to write profiles to path.cpu.pprof and path.allocs.pprof, unless path is empty; end finishes them.
func profile(path string) (end func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	cpu, err := os.Create(path + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(err, cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), allocations(path+".allocs.pprof"))
	}, nil
}

func allocations(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
