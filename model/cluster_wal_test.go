package model

import "testing"

// What the server wrote from the reading before a run to the one after it is the whole
// server's.
func TestWALWhileARunWentOn(t *testing.T) {
	at := func(seq uint64, ms int, position uint64, processes ...Process) Sample {
		s := beat(seq, ms, processes...)
		s.Poll.WALPosition = Some(position)
		return s
	}
	stream := []Sample{at(1, -5, 1000), at(2, 1000, 1500, vacuumer(scanning(1, 10))), at(3, 2000, 2500, vacuumer(scanning(2, 10))), at(4, 3000, 2700)}
	snaps := fold(stream)
	if got := onlyRun(t, snaps[2]).ClusterWAL; got != Some[Bytes](1500) {
		t.Errorf("while it goes on: %v", got)
	}
	if got := last(snaps).Ended[0].ClusterWAL; got != Some[Bytes](1700) {
		t.Errorf("after it: %v", got)
	}
	if got := last(fold(stream[1:])).Ended[0].ClusterWAL; got != Some[Bytes](1200) {
		t.Errorf("seen from the middle: %v", got)
	}
	for i := range stream {
		stream[i].Poll.WALPosition = None[uint64]()
	}
	if got := last(fold(stream)).Ended[0].ClusterWAL; got.Known() {
		t.Errorf("on a standby: %v", got)
	}
}
