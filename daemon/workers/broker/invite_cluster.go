package broker

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// inviteTo makes a worker of a cluster known, which lets nobody in by itself, and returns what the person has to do there.
func (b *Broker) inviteTo(ctx context.Context, servers []string, name string) ([]byte, error) {
	if err := b.o.Roster.AddWorker(ctx, name, ""); err != nil {
		return nil, err
	}
	may := permissions(name)
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Nightjar knows the worker %s now. Its credentials come from your NATS cluster.\n", name)
	fmt.Fprintf(&text, "# 1. Make a user there, with these permissions and no others:\n")
	fmt.Fprintf(&text, "permissions: {\n  publish: { allow: [%s] }\n  subscribe: { allow: [%s] }\n}\n", quoted(may.Publish.Allow), quoted(may.Subscribe.Allow))
	fmt.Fprintf(&text, "# 2. Bring its credentials to the other machine, and start the worker:\n")
	fmt.Fprintf(&text, "nightjar worker --join %s --creds %s.creds --name %s\n", strings.Join(servers, ","), name, name)
	return text.Bytes(), nil
}

// quoted are subjects as the configuration of a NATS server has them.
func quoted(subjects []string) string {
	var all []string
	for _, s := range subjects {
		all = append(all, fmt.Sprintf("%q", s))
	}
	return strings.Join(all, ", ")
}
