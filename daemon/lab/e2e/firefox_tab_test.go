package e2e

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// firefoxTab is a tab of a Firefox.
type firefoxTab struct {
	browser *firefox
	context string
	size    [2]int // of the viewport, in CSS pixels, as View set it
}

// call sends a command about this tab.
func (p *firefoxTab) call(method string, params map[string]any, into any) error {
	params["context"] = p.context
	return p.browser.call(method, params, into)
}

func (p *firefoxTab) Front() error { return p.call("browsingContext.activate", map[string]any{}, nil) }

// Address does not leave the waiting to Firefox: of a page with a frame it sometimes misses the end of the load.
func (p *firefoxTab) Address(url string) error {
	if err := p.call("browsingContext.navigate", map[string]any{"url": url, "wait": "interactive"}, nil); err != nil {
		return err
	}
	return loaded(p)
}

func (p *firefoxTab) Back() error {
	return p.call("browsingContext.traverseHistory", map[string]any{"delta": -1}, nil)
}

func (p *firefoxTab) Move(at point) error {
	move := map[string]any{"type": "pointerMove", "x": math.Round(at.X), "y": math.Round(at.Y)}
	return p.perform("pointer", "mouse", []any{move})
}

func (p *firefoxTab) Click(at point, times int) error {
	actions := []any{map[string]any{"type": "pointerMove", "x": math.Round(at.X), "y": math.Round(at.Y)}}
	for range times {
		actions = append(actions, map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
	}
	return p.perform("pointer", "mouse", actions)
}

func (p *firefoxTab) Type(text string) error {
	var actions []any
	for _, r := range text {
		key := string(r)
		if r == '\n' {
			key = "\uE007" // WebDriver §17.4.2, Enter
		}
		actions = append(actions, map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "keyUp", "value": key})
	}
	return p.perform("key", "keyboard", actions)
}

func (p *firefoxTab) perform(kind, id string, actions []any) error {
	source := map[string]any{"type": kind, "id": id, "actions": actions}
	return p.call("input.performActions", map[string]any{"actions": []any{source}}, nil)
}

// remote is a value as BiDi shows it.
type remote struct {
	Type     string
	SharedID string
	Value    json.RawMessage
}

// answer is what BiDi answers to scripts.
type answer struct {
	Type             string
	Result           remote
	ExceptionDetails struct{ Text string }
}

// into takes the value of a script that gave a string of JSON.
func (a answer) into(v any) error {
	if a.Type == "exception" {
		return fmt.Errorf("%s", a.ExceptionDetails.Text)
	}
	if a.Result.Type != "string" {
		return fmt.Errorf("no value: %s", a.Result.Type)
	}
	var text string
	if err := json.Unmarshal(a.Result.Value, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), v)
}

func (p *firefoxTab) script(method string, params map[string]any) (a answer, err error) {
	params["target"] = map[string]any{"context": p.context}
	params["awaitPromise"] = false
	return a, p.browser.call(method, params, &a)
}

func (p *firefoxTab) Choose(selector, file string) error {
	field, err := p.script("script.evaluate", map[string]any{"expression": "document.querySelector(" + quote(selector) + ")"})
	if err != nil {
		return err
	}
	if field.Result.SharedID == "" {
		return errors.New("there is no " + selector)
	}
	return p.call("input.setFiles", map[string]any{"element": map[string]any{"sharedId": field.Result.SharedID}, "files": []string{file}}, nil)
}

func (p *firefoxTab) Eval(expression string, into any) error {
	// JSON carries the value through BiDi's own encoding.
	got, err := p.script("script.evaluate", map[string]any{"expression": "JSON.stringify(" + expression + ")"})
	if err != nil {
		return err
	}
	return got.into(into)
}

func (p *firefoxTab) EvalBar(function string, into any) error {
	got, err := p.script("script.evaluate", map[string]any{
		"expression":           `document.getElementById("nightjar-bar")`,
		"serializationOptions": map[string]any{"maxDomDepth": 1, "includeShadowTree": "all"},
	})
	if err != nil {
		return err
	}
	if got.Result.Type != "node" {
		return errNoBar
	}
	var host struct{ ShadowRoot remote }
	if err := json.Unmarshal(got.Result.Value, &host); err != nil {
		return err
	}
	if got, err = p.script("script.callFunction", map[string]any{
		"functionDeclaration": "(root) => JSON.stringify((" + function + ")(root))",
		"arguments":           []any{map[string]any{"sharedId": host.ShadowRoot.SharedID}},
	}); err != nil {
		return err
	}
	return got.into(into)
}

func (p *firefoxTab) Screenshot() ([]byte, error) {
	var got struct{ Data string }
	if err := p.call("browsingContext.captureScreenshot", map[string]any{}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}

// View leaves the colours as they are: BiDi has no word for them.
func (p *firefoxTab) View(width, height int, _ string) error {
	p.size = [2]int{width, height}
	return p.call("browsingContext.setViewport", map[string]any{"viewport": map[string]int{"width": width, "height": height}}, nil)
}

func (p *firefoxTab) Settled() error {
	var size [2]int
	if err := p.Eval("[innerWidth, innerHeight]", &size); err != nil {
		return err
	}
	if p.size != [2]int{} && size != p.size {
		return fmt.Errorf("the viewport is %v, not yet %v", size, p.size)
	}
	return nil
}
