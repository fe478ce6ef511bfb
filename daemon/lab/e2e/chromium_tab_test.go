package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"
)

// chromiumTab is a tab of a Chromium.
type chromiumTab struct {
	browser     *chromium
	session, id string
}

func (p *chromiumTab) call(method string, params, into any) error {
	return p.browser.call(p.session, method, params, into)
}

func (p *chromiumTab) Front() error {
	return p.browser.call("", "Target.activateTarget", map[string]any{"targetId": p.id}, nil)
}

func (p *chromiumTab) Address(url string) error {
	var got struct{ ErrorText string }
	if err := p.call("Page.navigate", map[string]any{"url": url, "transitionType": "typed"}, &got); err != nil {
		return err
	}
	if got.ErrorText != "" {
		return errors.New(got.ErrorText)
	}
	return loaded(p)
}

func (p *chromiumTab) Back() error {
	var h struct {
		CurrentIndex int
		Entries      []struct{ ID int }
	}
	if err := p.call("Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	if h.CurrentIndex == 0 {
		return errors.New("nothing to go back to")
	}
	return p.call("Page.navigateToHistoryEntry", map[string]any{"entryId": h.Entries[h.CurrentIndex-1].ID}, nil)
}

func (p *chromiumTab) Move(at point) error {
	return p.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at.X, "y": at.Y}, nil)
}

func (p *chromiumTab) Click(at point, times int) error {
	if err := p.Move(at); err != nil {
		return err
	}
	for n := 1; n <= times; n++ {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			press := map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": n}
			if err := p.call("Input.dispatchMouseEvent", press, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *chromiumTab) Choose(selector, file string) error {
	var field struct{ Result struct{ ObjectID string } }
	if err := p.call("Runtime.evaluate", map[string]any{"expression": "document.querySelector(" + quote(selector) + ")"}, &field); err != nil {
		return err
	}
	if field.Result.ObjectID == "" {
		return errors.New("there is no " + selector)
	}
	return p.call("DOM.setFileInputFiles", map[string]any{"objectId": field.Result.ObjectID, "files": []string{file}}, nil)
}

func (p *chromiumTab) Type(text string) error {
	for _, r := range text {
		for _, kind := range []string{"keyDown", "keyUp"} {
			key := maps.Clone(chromiumKey(r))
			key["type"] = kind
			if kind == "keyUp" {
				delete(key, "text")
			}
			if err := p.call("Input.dispatchKeyEvent", key, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// evaluation is what the DevTools protocol answers to scripts.
type evaluation struct {
	Result           struct{ Value json.RawMessage }
	ExceptionDetails *struct {
		Text      string
		Exception struct{ Description string }
	}
}

func (e evaluation) into(v any) error {
	if e.ExceptionDetails != nil {
		return fmt.Errorf("%s %s", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
	}
	if len(e.Result.Value) == 0 {
		return errors.New("no value")
	}
	return json.Unmarshal(e.Result.Value, v)
}

func (p *chromiumTab) Eval(expression string, into any) error {
	var got evaluation
	err := p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &got)
	if err != nil {
		return err
	}
	return got.into(into)
}

// Run runs a script, waits for its promise and reads its value. The page's content security policy does not bind it.
func (p *chromiumTab) Run(script string, into any) error {
	var got evaluation
	params := map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}
	if err := p.call("Runtime.evaluate", params, &got); err != nil {
		return err
	}
	return got.into(into)
}

// chromiumNode is a DOM node as the DevTools show it, closed shadow roots included.
type chromiumNode struct {
	BackendNodeID int
	Attributes    []string
	Children      []chromiumNode
	ShadowRoots   []chromiumNode
}

func (p *chromiumTab) EvalBar(function string, into any) error {
	return p.evalIn("nightjar-bar", function, into)
}

// evalIn calls a function with the closed shadow root of an element that the extension added to the root element.
func (p *chromiumTab) evalIn(id, function string, into any) error {
	var doc struct{ Root chromiumNode }
	if err := p.call("DOM.getDocument", map[string]any{"depth": 3, "pierce": true}, &doc); err != nil {
		return err
	}
	for _, html := range doc.Root.Children {
		for _, n := range html.Children {
			if len(n.ShadowRoots) > 0 && len(n.Attributes) > 1 && n.Attributes[0] == "id" && n.Attributes[1] == id {
				return p.evalOn(n.ShadowRoots[0].BackendNodeID, function, into)
			}
		}
	}
	return errNoBar
}

// evalOn calls a function with a DOM node.
func (p *chromiumTab) evalOn(backendNode int, function string, into any) error {
	var node struct{ Object struct{ ObjectID string } }
	if err := p.call("DOM.resolveNode", map[string]any{"backendNodeId": backendNode}, &node); err != nil {
		return err
	}
	var got evaluation
	err := p.call("Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": function, "objectId": node.Object.ObjectID, "returnByValue": true,
		"arguments": []any{map[string]any{"objectId": node.Object.ObjectID}},
	}, &got)
	if err != nil {
		return err
	}
	return got.into(into)
}

func (p *chromiumTab) Screenshot() ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // it never ends when the page is replaced meanwhile
	defer cancel()
	var got struct{ Data string }
	err := p.browser.wire.call(ctx, p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}

func (p *chromiumTab) View(width, height int, colours string) error {
	if err := p.size(width, height, 1); err != nil {
		return err
	}
	return p.media("", map[string]string{"prefers-color-scheme": colours, "prefers-reduced-motion": "reduce"})
}

// size sets the size of the viewport. What is drawn of it is scale times as large, which changes no place of the page.
func (p *chromiumTab) size(width, height int, scale float64) error {
	size := map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false, "scale": scale}
	return p.call("Emulation.setDeviceMetricsOverride", size, nil)
}

// Settled is never an error: Chromium answers View when the page has the size.
func (p *chromiumTab) Settled() error { return nil }

// media sets the medium, such as "print", and what style sheets may ask of it.
func (p *chromiumTab) media(medium string, asked map[string]string) error {
	var features []any
	for name, value := range asked {
		features = append(features, map[string]string{"name": name, "value": value})
	}
	return p.call("Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": features}, nil)
}

// Touch has fingers on the screen that move step by step along their ways, and leave it at the end of them.
func (p *chromiumTab) Touch(ways ...[]point) error {
	if err := p.call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 5}, nil); err != nil {
		return err
	}
	for step := range ways[0] {
		kind := "touchMove"
		if step == 0 {
			kind = "touchStart"
		}
		var fingers []map[string]any
		for id, way := range ways {
			fingers = append(fingers, map[string]any{"x": way[step].X, "y": way[step].Y, "id": id})
		}
		if err := p.call("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": fingers}, nil); err != nil {
			return err
		}
	}
	return p.call("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}}, nil)
}
