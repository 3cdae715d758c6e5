package model

import (
	"strings"
	"testing"
	"time"
)

func TestVerdict(t *testing.T) {
	span := func(phase Text, processTime, slept time.Duration, class Class, weight time.Duration) Span {
		return Span{Phase: phase, Pass: 1, Passes: 1, Wall: processTime, ProcessTime: processTime, Delay: Delay{Sampled: Some(slept)},
			Waits: []WaitTime{{Class: class, Weight: weight}, {Class: ClassOther, Weight: processTime - weight}}}
	}
	left := Left{Range: Some(Range{451 * time.Second, 520 * time.Second})}
	base := Run{State: StateRunning, Command: "VACUUM", Schema: Some[Text]("public"), Table: Some[Text]("large_tbl"), FromStart: true, Left: left}
	with := func(change func(*Run)) *Run { r := base; change(&r); return &r }
	for name, c := range map[string]struct {
		run  *Run
		want string
	}{
		"asleep, estimated": {with(func(r *Run) {
			r.Phases = []Span{span("vacuuming indexes", 100*time.Second, 75*time.Second, ClassDelay, 75*time.Second)}
		}), "public.large_tbl is asleep ≈75 % of its time while vacuuming indexes (pass 1). ≈7:31–8:40 left in this phase. Ten times vacuum_cost_limit would let the same work take ≈32 % of the time."},
		"asleep, reported": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", 100*time.Second, 70*time.Second, ClassDelay, 70*time.Second)}
			r.Phases[0].Delay.Reported = Some(90 * time.Second)
		}), "public.large_tbl is asleep 90 % of its time while scanning heap. ≈7:31–8:40 left in this phase. Ten times vacuum_cost_limit would let the same work take ≈19 % of the time."},
		"reading": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", 100*time.Second, 0, ClassIO, 60*time.Second)}
			r.Left = Left{WhyNot: "too early"}
		}), "public.large_tbl reads and writes data ≈60 % of its time while scanning heap. Faster storage would save at most ≈60 % of the time. Time left in this phase is not known (too early)."},
		"too early": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", time.Second, 0, ClassIO, time.Second)}
			r.Phases[0].Wall = 2 * time.Second
		}), "public.large_tbl is scanning heap; seen too briefly to say where its time goes. ≈7:31–8:40 left in this phase."},
		"too early in the phase, not in the run": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", 100*time.Second, 98*time.Second, ClassDelay, 98*time.Second), span("vacuuming indexes", time.Second, 0, ClassIO, time.Second)}
			r.ProcessTime, r.Delay = 101*time.Second, Delay{Reported: Some(98 * time.Second)}
		}), "public.large_tbl is vacuuming indexes (pass 1). ≈7:31–8:40 left in this phase. It was asleep 97 % of all its time. Ten times vacuum_cost_limit would let the same work take ≈13 % of the time."},
		"a rewrite": {with(func(r *Run) {
			r.Command = "VACUUM FULL"
			r.Phases = []Span{span("seq scanning heap", 100*time.Second, 0, ClassCPU, 90*time.Second)}
		}), "VACUUM FULL of public.large_tbl runs on a CPU ≈90 % of its time while seq scanning heap. ≈7:31–8:40 left in this phase. It holds AccessExclusiveLock: nobody else reads or writes the table."},
		"until the memory is full": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", 100*time.Second, 75*time.Second, ClassDelay, 75*time.Second)}
			r.Left.UntilFull = true
		}), "public.large_tbl is asleep ≈75 % of its time while scanning heap. ≈7:31–8:40 until the memory for dead rows is full and an index pass begins. Ten times vacuum_cost_limit would let the same work take ≈32 % of the time."},
		"waiting": {with(func(r *Run) {
			r.State, r.BlockedBy, r.WaitedForLock = StateWaiting, []int32{42, 0}, Some(12400*time.Millisecond)
		}), "public.large_tbl has not begun: it has waited for its table lock for at least 12.4 s, blocked by pid 42, a prepared transaction."},
		"memory and workers and middle": {with(func(r *Run) {
			r.Phases = []Span{span("scanning heap", 100*time.Second, 0, ClassCPU, 90*time.Second)}
			r.Parallel = Parallel{Asked: Some(8), Planned: Some(8), Launched: Some(6), Reason: "max_worker_processes is 8"}
			r.Memory = Memory{Bytes: true, Used: 60, Max: 100, Projected: Some(Ratio(2.1)), Passes: Some(3), Needed: Some(Bytes(210 << 20))}
			r.FromStart, r.FirstSeen, r.LastSeen = false, at(0), at(240000)
			r.Key.StatementStart = at(-86400000 / 2)
		}), "public.large_tbl runs on a CPU ≈90 % of its time while scanning heap. ≈7:31–8:40 left in this phase. " +
			"Its maintenance_work_mem will not hold the dead rows: ≈3 index passes. ≈210 MiB would spare ≈2 passes, in its next run. " +
			"8 workers asked, ≈8 planned, 6 launched: max_worker_processes is 8. Seen for 4:00 of 12:04:00."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Verdict(&Snapshot{}, c.run), " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWaitClasses(t *testing.T) {
	for wait, want := range map[Wait]Class{
		{"Timeout", "VacuumDelay"}: ClassDelay, {"Lock", "relation"}: ClassLock, {"BufferPin", "BufferPin"}: ClassLock,
		{"Buffer", "BufferCleanup"}: ClassLock, {"Timeout", "VacuumTruncate"}: ClassLock,
		{"IO", "WALWrite"}: ClassWAL, {"IO", "WalWrite"}: ClassWAL, {"LWLock", "WALInsert"}: ClassWAL,
		{"IO", "DataFileRead"}: ClassIO, {"IO", "AioIoCompletion"}: ClassIO, {"IPC", "BufferIo"}: ClassIO, {"LWLock", "BufferIO"}: ClassIO,
		{"LWLock", "LockManager"}: ClassLWLock, {"Buffer", "BufferExclusive"}: ClassLWLock,
		{"IPC", "ParallelFinish"}: ClassLeader, {"Timeout", "CheckpointWriteDelay"}: ClassOther, {"Extension", "Extension"}: ClassOther,
	} {
		if got := wait.Class(); got != want {
			t.Errorf("%s/%s is %s, want %s", wait.Type, wait.Event, got, want)
		}
	}
}
