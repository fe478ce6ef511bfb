package rescue

import (
	"os"
	"testing"

	"nightjar/daemon/store/storetest"
)

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	return storetest.Must(os.ReadFile(path))(tb)
}
