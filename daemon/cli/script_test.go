package cli_test

import (
	"testing"

	"nightjar/daemon/lab/script"
)

func TestMain(m *testing.M) { script.Main(m) }

func TestScripts(t *testing.T) { script.Run(t, "../../model/wordnet/testdata/tiny") }
