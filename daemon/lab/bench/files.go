package bench

import (
	"encoding/json"
	"fmt"
	"os"

	"nightjar/model"
)

func writeModel(file string, b *model.Bundle) error {
	text, err := b.Encode()
	if err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return os.WriteFile(file, text, 0o600)
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, text, 0o600)
}
