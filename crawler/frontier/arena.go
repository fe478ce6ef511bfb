package frontier

// arena stores byte strings in blocks that are addressed by number. Without pointers to them, a million strings cost
// the garbage collector nothing. Freed blocks are reused for strings of the same size.
type arena struct {
	chunks [][]byte
	used   int                 // bytes used of the last chunk
	free   map[uint32][]uint32 // by size in units
}

const (
	unit      = 16      // bytes; blocks begin at multiples
	chunkSize = 1 << 20 // bytes
	perChunk  = chunkSize / unit
	maxBlock  = chunkSize / 4
)

// units returns how many units a string of n bytes takes.
func units(n int) uint32 { return uint32((n + unit - 1) / unit) }

// alloc returns a block of n bytes, at most maxBlock, with undefined content.
func (a *arena) alloc(n int) uint32 {
	if n == 0 {
		return 0
	}
	size := units(n)
	if list := a.free[size]; len(list) > 0 {
		a.free[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	if len(a.chunks) == 0 || a.used+int(size)*unit > chunkSize {
		if rest := (chunkSize - a.used) / unit; len(a.chunks) > 0 && rest > 0 {
			a.put(a.next(), uint32(rest))
		}
		a.chunks, a.used = append(a.chunks, make([]byte, chunkSize)), 0
	}
	block := a.next()
	a.used += int(size) * unit
	return block
}

// next is the first block of the last chunk's unused part.
func (a *arena) next() uint32 { return uint32(len(a.chunks)-1)*perChunk + uint32(a.used/unit) }

// release frees a block of n bytes.
func (a *arena) release(block uint32, n int) {
	if n > 0 {
		a.put(block, units(n))
	}
}

func (a *arena) put(block, size uint32) {
	if a.free == nil {
		a.free = map[uint32][]uint32{}
	}
	a.free[size] = append(a.free[size], block)
}

// bytes returns the content of a block of n bytes. It is valid until the block is freed.
func (a *arena) bytes(block uint32, n int) []byte {
	if n == 0 {
		return nil
	}
	from := int(block%perChunk) * unit
	return a.chunks[block/perChunk][from : from+n : from+n]
}
