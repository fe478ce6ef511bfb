package frontier

import container "container/heap"

// heap is a binary heap that tells each element its place, so that any element can be moved or removed.
type heap[T any] struct {
	items  []T
	before func(a, b T) bool // strict order; the first element is at the top
	moved  func(item T, place int)
}

// top returns the first element; the heap must not be empty.
func (h *heap[T]) top() T { return h.items[0] }

func (h *heap[T]) len() int { return len(h.items) }

func (h *heap[T]) push(item T) { container.Push((*ordered[T])(h), item) }

// remove removes the element at place.
func (h *heap[T]) remove(place int) { container.Remove((*ordered[T])(h), place) }

func (h *heap[T]) fix(place int) { container.Fix((*ordered[T])(h), place) }

// heapify restores the order after any elements changed.
func (h *heap[T]) heapify() { container.Init((*ordered[T])(h)) }

// ordered is a heap as package container/heap uses it.
type ordered[T any] heap[T]

func (h *ordered[T]) Len() int           { return len(h.items) }
func (h *ordered[T]) Less(i, j int) bool { return h.before(h.items[i], h.items[j]) }

func (h *ordered[T]) Swap(i, j int) {
	if i != j {
		h.items[i], h.items[j] = h.items[j], h.items[i]
		h.moved(h.items[i], i)
		h.moved(h.items[j], j)
	}
}

func (h *ordered[T]) Push(x any) {
	h.items = append(h.items, x.(T))
	h.moved(x.(T), len(h.items)-1)
}

func (h *ordered[T]) Pop() any {
	last := len(h.items) - 1
	item := h.items[last]
	h.moved(item, -1)
	var none T
	h.items[last] = none
	h.items = h.items[:last]
	return item
}
