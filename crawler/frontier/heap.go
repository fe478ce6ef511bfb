package frontier

// heap is a binary heap that tells each element its place, so that any element can be moved or removed.
type heap[T any] struct {
	items  []T
	before func(a, b T) bool // strict order; the first element is at the top
	moved  func(item T, place int)
}

// top returns the first element; the heap must not be empty.
func (h *heap[T]) top() T { return h.items[0] }

func (h *heap[T]) len() int { return len(h.items) }

func (h *heap[T]) push(item T) {
	h.items = append(h.items, item)
	h.moved(item, len(h.items)-1)
	h.up(len(h.items) - 1)
}

// remove removes the element at place.
func (h *heap[T]) remove(place int) {
	last := len(h.items) - 1
	h.swap(place, last)
	h.moved(h.items[last], -1)
	var none T
	h.items[last] = none
	h.items = h.items[:last]
	if place < last {
		h.fix(place)
	}
}

// fix restores the order after the element at place changed.
func (h *heap[T]) fix(place int) {
	if !h.down(place) {
		h.up(place)
	}
}

// heapify restores the order after any elements changed.
func (h *heap[T]) heapify() {
	for i := len(h.items)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *heap[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(h.items[i], h.items[parent]) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

// down reports whether the element moved.
func (h *heap[T]) down(i int) bool {
	began := i
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			break
		}
		if right := child + 1; right < len(h.items) && h.before(h.items[right], h.items[child]) {
			child = right
		}
		if !h.before(h.items[child], h.items[i]) {
			break
		}
		h.swap(i, child)
		i = child
	}
	return i != began
}

func (h *heap[T]) swap(i, j int) {
	if i == j {
		return
	}
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.moved(h.items[i], i)
	h.moved(h.items[j], j)
}
