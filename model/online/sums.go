package online

// sum sets the log odds of each example at w: bias, signals and tokens, added in this order. The sums of four examples are
// added up at once, since each addition waits for the one before it in its sum.
func (p *problem) sum(w []float64) {
	const lanes = 4
	signals, tokens := w[1:1+p.signals], w[1+p.signals:]
	n, begin := len(p.examples), 0
	i := 0
	for ; i+lanes <= n; i += lanes {
		a, b, c, d := w[0], w[0], w[0], w[0]
		rows := p.rows[i*p.signals : (i+lanes)*p.signals]
		inA, inB := rows[:len(signals)], rows[len(signals):][:len(signals)]
		inC, inD := rows[2*len(signals):][:len(signals)], rows[3*len(signals):][:len(signals)]
		for k, s := range signals {
			a, b, c, d = a+s*inA[k], b+s*inB[k], c+s*inC[k], d+s*inD[k]
		}
		end := p.end[i : i+lanes : i+lanes]
		ofA, ofB := p.numbers[begin:end[0]], p.numbers[end[0]:end[1]]
		ofC, ofD := p.numbers[end[1]:end[2]], p.numbers[end[2]:end[3]]
		begin = end[3]
		least := min(len(ofA), len(ofB), len(ofC), len(ofD))
		all := ofA[:least]
		allB, allC, allD := ofB[:len(all)], ofC[:len(all)], ofD[:len(all)]
		for k, t := range all {
			a, b, c, d = a+tokens[t], b+tokens[allB[k]], c+tokens[allC[k]], d+tokens[allD[k]]
		}
		p.sums[i], p.sums[i+1] = added(a, tokens, ofA[least:]), added(b, tokens, ofB[least:])
		p.sums[i+2], p.sums[i+3] = added(c, tokens, ofC[least:]), added(d, tokens, ofD[least:])
	}
	for ; i < n; i++ {
		x := w[0]
		for k, v := range p.rows[i*p.signals : (i+1)*p.signals] {
			x += signals[k] * v
		}
		p.sums[i] = added(x, tokens, p.numbers[begin:p.end[i]])
		begin = p.end[i]
	}
}

// added is x plus the weights of tokens, one after the other.
func added(x float64, weights []float64, tokens []int32) float64 {
	for _, t := range tokens {
		x += weights[t]
	}
	return x
}
