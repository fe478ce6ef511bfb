package pdffile

import (
	"maps"
	"slices"
	"strconv"
)

// File is the objects of a PDF, decrypted.
type File struct {
	Damaged bool // no trailer names its pages, or a stream has another length than it says

	objects map[int]object
	order   []int // numbers, as they stand in the file first
	root    int
	unpack  int64 // bytes that may still be unpacked
}

// Read finds the objects of a file. The errors are ErrPassword and ErrBroken.
func Read(b []byte) (*File, error) {
	s := scan(b)
	f := &File{Damaged: s.damaged, objects: map[int]object{}, unpack: maxUnpack}
	var c *decrypter
	if e := s.trailer["Encrypt"]; e != nil {
		var err error
		if c, err = newDecrypter(s, e); err != nil {
			return nil, err
		}
	}
	for _, o := range s.objects {
		c.decrypt(&o)
		f.put(o)
		if d, ok := o.value.(dict); ok && o.stream && d["Type"] == name("ObjStm") {
			f.members(d, o)
		}
	}
	if !f.findRoot(s.trailer["Root"]) {
		return nil, ErrBroken
	}
	f.Damaged = f.Damaged || s.trailer["Root"] != ref{f.root}
	return f, nil
}

func (f *File) put(o object) {
	if _, known := f.objects[o.number]; !known {
		if len(f.order) >= maxObjects {
			return
		}
		f.order = append(f.order, o.number)
	}
	f.objects[o.number] = o
}

// members takes the objects out of an object stream.
func (f *File) members(head dict, o object) {
	data, ok := f.plain(head, o)
	first := f.integer(head["First"])
	if !ok || first < 0 || first > len(data) {
		return
	}
	index := parser{b: data[:first]}
	for range min(f.integer(head["N"]), maxObjects) {
		number, ok1 := index.value()
		offset, ok2 := index.value()
		if !ok1 || !ok2 {
			return
		}
		n, at := f.integer(number), first+f.integer(offset)
		if at < first || at > len(data) {
			continue
		}
		p := parser{b: data, at: at}
		if v, ok := p.value(); ok {
			f.put(object{number: n, value: v})
		}
	}
}

// follow returns what a reference refers to.
func (f *File) follow(v any) any {
	for range 10 {
		r, ok := v.(ref)
		if !ok {
			break
		}
		v = f.objects[r.number].value
	}
	return v
}

func (f *File) integer(v any) int {
	if r, ok := f.follow(v).(raw); ok {
		if n, err := strconv.Atoi(string(r)); err == nil {
			return n
		}
	}
	return 0
}

// findRoot finds the catalog: the one of the trailer, or the last one whose pages are there, or a new one for all pages that
// are there. It reports whether there are pages.
func (f *File) findRoot(of any) bool {
	var candidates []int
	if r, ok := of.(ref); ok {
		candidates = append(candidates, r.number)
	}
	var pages array
	for _, n := range f.order {
		switch d, _ := f.objects[n].value.(dict); d["Type"] {
		case name("Catalog"):
			candidates = append(candidates, n)
		case name("Page"):
			pages = append(pages, ref{n})
		}
	}
	if len(candidates) > 2 {
		slices.Reverse(candidates[1:])
	}
	for _, n := range candidates[:min(len(candidates), 5)] {
		catalog, _ := f.objects[n].value.(dict)
		if f.hasPages(catalog["Pages"], map[int]bool{}, maxDepth) {
			f.root = n
			return true
		}
	}
	if len(pages) == 0 {
		return false
	}
	next := slices.Max(slices.Collect(maps.Keys(f.objects))) + 1
	f.put(object{number: next, value: dict{"Type": name("Pages"), "Kids": pages, "Count": raw(strconv.Itoa(len(pages)))}})
	f.put(object{number: next + 1, value: dict{"Type": name("Catalog"), "Pages": ref{next}}})
	f.root = next + 1
	return true
}

// hasPages reports whether there is a page below a node of their tree, down to a limited depth.
func (f *File) hasPages(v any, seen map[int]bool, deeper int) bool {
	if r, ok := v.(ref); ok {
		if seen[r.number] {
			return false
		}
		seen[r.number] = true
	}
	node, ok := f.follow(v).(dict)
	if !ok || deeper == 0 {
		return false
	}
	kids, ok := f.follow(node["Kids"]).(array)
	if !ok {
		return node["Type"] == name("Page")
	}
	return slices.ContainsFunc(kids, func(kid any) bool { return f.hasPages(kid, seen, deeper-1) })
}
