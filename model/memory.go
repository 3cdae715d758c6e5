package model

import "math"

// minScanned is the part of the scan from which the memory's fill is projected.
const minScanned = 0.1

// memoryOf reads the dead-item memory of a vacuum. scanFrom is the block at which
// the current scan began, absent outside the heap scan.
func memoryOf(p *Progress, scanFrom Opt[Blocks]) Memory {
	var m Memory
	switch {
	case p.MaxDeadTupleBytes.Known():
		m = Memory{Bytes: true, Used: int64(p.DeadTupleBytes.Or(0)), Max: int64(p.MaxDeadTupleBytes.Or(0)), Items: p.NumDeadItemIDs}
	case p.MaxDeadTuples.Known():
		m = Memory{Used: p.NumDeadTuples.Or(0), Max: p.MaxDeadTuples.Or(0), Items: p.NumDeadTuples}
	}
	if !m.Known() {
		return m
	}
	m.project(p, scanFrom)
	return m
}

// project extends the fill to the end of the scan, and counts the index passes
// that follow from it or from the passes made so far.
func (m *Memory) project(p *Progress, scanFrom Opt[Blocks]) {
	total, done := float64(p.HeapBlksTotal.Or(0)), p.IndexVacuumCount.Or(0)
	if from, scanning := scanFrom.Get(); scanning {
		seen, all := float64(p.HeapBlksScanned.Or(0)-from), total-float64(from)
		if all > 0 && seen/all >= minScanned && m.Used > 0 && m.Items.Or(1) > 0 {
			projected := float64(m.Fill()) * all / seen
			m.Projected = Some(Ratio(projected))
			m.Passes = Some(int(done) + max(1, int(math.Ceil(projected))))
			if projected > 1 {
				m.Needed = Some(m.bytes(float64(m.Used) * all / seen))
			}
		}
	}
	if !m.Passes.Known() {
		m.Passes = passesSoFar(p)
	}
	if n := m.Passes.Or(1); n > 1 && !m.Needed.Known() {
		m.Needed = Some(m.bytes(float64(m.Max) * float64(n)))
	}
}

// bytes is how much memory so many bytes, or row pointers, take.
func (m *Memory) bytes(n float64) Bytes {
	if !m.Bytes {
		n *= rowPointer
	}
	return Bytes(n)
}

// rowPointer is the size in bytes of a pointer to a dead row, up to 16.
const rowPointer = 6

// passesSoFar extends the passes made over the blocks they covered to the whole
// heap; absent before the first index pass.
func passesSoFar(p *Progress) Opt[int] {
	passes, covered := p.IndexVacuumCount.Or(0), p.HeapBlksScanned.Or(0)
	switch p.Phase.Or("") {
	case phaseScanningHeap:
		covered = p.HeapBlksVacuumed.Or(0)
	case phaseVacuumingIndexes:
		passes++ // the one that is being made is for all that has been scanned
	}
	if passes == 0 || covered == 0 {
		return None[int]()
	}
	whole := float64(p.HeapBlksTotal.Or(0)) * float64(passes) / float64(covered)
	return Some(max(int(passes), int(math.Ceil(whole))))
}
