package model

// countWAL takes a WAL position for what the server wrote while the run went on.
func (r *runState) countWAL(position Opt[uint64]) {
	now, known := position.Get()
	if from, both := r.walFrom.Get(); known && both && now >= from {
		r.run.ClusterWAL = Some(Bytes(now - from))
	}
}
