package tidepool.contracts.broken;

import static tidepool.contracts.broken.Defect.onMem;

import java.util.List;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/** Verbs that pass each other where they must not. */
final class OrderDefects {
    private OrderDefects() {}

    static void order(List<Defect> all) {
        all.add(onMem(
                "fences ignored",
                "a fenced verb overtakes the READs and atomics before it",
                f -> new Reordering(
                        f, (before, after) -> after.fenced() && !OrderTable.RDMA.keeps(before.kind(), after.kind())),
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic"));
        all.add(onMem(
                "orders overclaimed",
                "says that it keeps every order, and keeps those of RDMA",
                f -> new Reordering(
                        f, (before, after) -> !after.fenced() && !OrderTable.RDMA.keeps(before.kind(), after.kind())),
                "fencedWriteFollowsAtomic",
                "fencedAtomicFollowsAtomic"));
        all.add(onMem(
                "WRITEs swapped",
                "two WRITEs of a round arrive in the opposite order",
                f -> new Reordering(
                        f, (before, after) -> before.kind() == VerbKind.WRITE && after.kind() == VerbKind.WRITE),
                "writeFollowsWrite",
                "blockFollowsWord"));
        all.add(onMem(
                "READs swapped",
                "two READs of a round are carried out in the opposite order",
                f -> new Reordering(
                        f, (before, after) -> before.kind() == VerbKind.READ && after.kind() == VerbKind.READ),
                "readFollowsRead"));
        all.add(onMem(
                "READ overtakes WRITE",
                "a READ looks before the WRITE in front of it has arrived",
                f -> new Reordering(
                        f, (before, after) -> before.kind() == VerbKind.WRITE && after.kind() == VerbKind.READ),
                "readSeesTheWriteBeforeIt",
                "readFollowsWrite"));
        all.add(onMem(
                "READ overtakes CAS",
                "a READ looks before the atomic in front of it has happened",
                f -> new Reordering(
                        f,
                        (before, after) -> FilterFabric.Verbs.isAtomic(before.kind()) && after.kind() == VerbKind.READ),
                "readAfterCompareAndSwapSeesItsEffect",
                "readFollowsAtomic"));
        all.add(onMem(
                "atomic overtakes WRITE",
                "the lock is taken before the log in front of it is written",
                f -> new Reordering(
                        f,
                        (before, after) ->
                                before.kind() == VerbKind.WRITE && FilterFabric.Verbs.isAtomic(after.kind())),
                "atomicFollowsWrite"));
    }

    /** Whether the second of two neighbours on one link is carried out first. */
    private interface Overtaking {
        boolean overtakes(Verb before, Verb after);
    }

    /** Swaps neighbours of one link, and takes its time between them. */
    private static final class Reordering extends StepFabric {
        private final Overtaking rule;

        Reordering(Fabric inner, Overtaking rule) {
            super(inner);
            this.rule = rule;
        }

        @Override
        protected FilterLane newLane(FilterSession session, Lane lane) {
            return new StepLane(session, lane) {
                private boolean swapped;

                @Override
                protected int[] order(Round round) {
                    int[] order = new int[round.count()];
                    for (int i = 0; i < order.length; i++) order[i] = i;
                    swapped = false;
                    for (int i = 1; i < order.length; i++) {
                        Verb before = round.verb(order[i - 1]);
                        Verb after = round.verb(order[i]);
                        if (before.link() != after.link() || !rule.overtakes(before, after)) continue;
                        int moved = order[i];
                        order[i] = order[i - 1];
                        order[i - 1] = moved;
                        swapped = true;
                    }
                    return order;
                }

                @Override
                protected void step(Round round, Verb verb) {
                    super.step(round, verb);
                    if (swapped) Thread.yield();
                }
            };
        }
    }
}
