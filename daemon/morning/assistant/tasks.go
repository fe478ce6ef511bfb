package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/orders"
)

// tasksExtension is the extension by which a call of crawl_for returns a task instead of a result. The 2026-07-28 text is at
// https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md. A client says with each request
// whether it knows the extension; the others use the tool crawl_result.
const tasksExtension = "io.modelcontextprotocol/tasks"

// pollEvery is how often a client may ask how far a search is.
const pollEvery = 30 * time.Second

// task is a Task of the extension, with what its state adds.
type task struct {
	mcp.ResultBase
	ResultType string              `json:"resultType"` // task for a new one, complete for an answer to tasks/get
	TaskID     string              `json:"taskId"`
	Status     string              `json:"status"` // working, completed or cancelled
	Says       string              `json:"statusMessage"`
	CreatedAt  time.Time           `json:"createdAt"`
	UpdatedAt  time.Time           `json:"lastUpdatedAt"`
	TTL        int64               `json:"ttlMs"`
	Poll       int64               `json:"pollIntervalMs"`
	Result     *mcp.CallToolResult `json:"result,omitempty"` // once completed
}

// acknowledged is the empty answer to tasks/cancel and tasks/update.
type acknowledged struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// taskParams are the parameters of the methods of the extension.
type taskParams struct {
	mcp.ParamsBase
	TaskID string `json:"taskId"`
}

// taskOf is a search as the extension shows it. A search that did not run is completed, with a result that is an error: failed is for errors
// of the protocol.
func taskOf(t api.Task, kind string) (*task, error) {
	one := &task{ResultType: kind, TaskID: strconv.FormatInt(t.ID, 10), Status: "working", Says: t.Says, CreatedAt: t.AskedAt, UpdatedAt: t.ChangedAt,
		TTL: orders.Kept.Milliseconds(), Poll: pollEvery.Milliseconds()}
	switch {
	case t.Open():
		return one, nil
	case t.State == orders.Withdrawn:
		one.Status = "cancelled"
		return one, nil
	}
	one.Status = "completed"
	res, err := said(t)
	if err == nil {
		res.StructuredContent, res.IsError = t, t.Bad()
		if t.Bad() {
			res.Content = []mcp.Content{&mcp.TextContent{Text: t.Says}}
		}
		one.Result = res
	}
	return one, err
}

// knowsTasks reports whether the client says with a request that it knows the extension.
func knowsTasks(p mcp.Params) bool {
	text, err := json.Marshal(p.GetMeta()["io.modelcontextprotocol/clientCapabilities"])
	var client struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	if err != nil || json.Unmarshal(text, &client) != nil {
		return false
	}
	_, ok := client.Extensions[tasksExtension]
	return ok
}

// addTasks adds the extension to a server whose tools write.
func addTasks(s *mcp.Server, write Write) error {
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			call, ok := req.(*mcp.CallToolRequest)
			if !ok || err != nil || call.Params.Name != "crawl_for" || !knowsTasks(call.Params) {
				return res, err
			}
			made, ok := res.(*mcp.CallToolResult)
			if !ok || made.IsError {
				return res, nil
			}
			var t api.Task
			text, err := json.Marshal(made.StructuredContent)
			if err == nil {
				err = json.Unmarshal(text, &t)
			}
			if err != nil || !t.Open() {
				return res, err // it could not start
			}
			return taskOf(t, "task")
		}
	})
	return errors.Join(
		onTask(s, "tasks/get", func(ctx context.Context, id int64) (*task, error) {
			var t api.Task
			if err := write(ctx, taskInput{id}.ask(), &t); err != nil {
				return nil, err
			}
			return taskOf(t, "complete")
		}),
		onTask(s, "tasks/cancel", func(ctx context.Context, id int64) (*acknowledged, error) {
			return &acknowledged{ResultType: "complete"}, write(ctx, orders.Ask{Cancel: &orders.TaskID{Task: id}}, &api.Task{})
		}),
		onTask(s, "tasks/update", func(ctx context.Context, id int64) (*acknowledged, error) { // no search asks its client anything
			return &acknowledged{ResultType: "complete"}, write(ctx, taskInput{id}.ask(), &api.Task{})
		}),
	)
}

// onTask adds a method of the extension.
func onTask[R mcp.Result](s *mcp.Server, method string, do func(context.Context, int64) (R, error)) error {
	return mcp.AddReceivingCustomMethod(s, method, func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (none R, err error) {
		if p == nil || !knowsTasks(p) {
			need, err := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{tasksExtension: struct{}{}}}})
			if err != nil {
				return none, err
			}
			return none, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "missing required client capability", Data: need}
		}
		id, err := strconv.ParseInt(p.TaskID, 10, 64)
		if err != nil {
			return none, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: api.ErrNoTask.Error()}
		}
		res, err := do(ctx, id)
		if err != nil {
			return none, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		return res, nil
	})
}
