package cli

import (
	"strings"
	"testing"

	"nightjar/model"
)

// TestTellUnmeasured: of a model whose report was wrong, the command says in words that it could not be measured.
func TestTellUnmeasured(t *testing.T) {
	var out strings.Builder
	if err := tellReport(&out, model.Unmeasured("the results contradict each other")); err != nil {
		t.Fatal(err)
	}
	if want := "  how sure it is: This could not be measured: the results contradict each other. The model works without it,"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("%q", out.String())
	}
}
