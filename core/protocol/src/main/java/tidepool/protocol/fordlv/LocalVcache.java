package tidepool.protocol.fordlv;

import tidepool.fabric.Round;
import tidepool.memory.VersionTable;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Pointer;

/** The Vcache of this process, for the partitions that it owns. */
final class LocalVcache implements Vcache {
    private static final long CALLER = 1;

    private final OwnedPartitions owned;
    private final VersionTable table;
    private final VcacheCounts counts = new VcacheCounts();
    private boolean refused;

    LocalVcache(OwnedPartitions owned) {
        this.owned = owned;
        this.table = owned.view();
    }

    @Override
    public boolean covers(Access a) {
        return owned.isOwned(a.table, Pointer.partition(a.witness));
    }

    @Override
    public void announce(WriteTarget t, long txn) {
        refused |= !table.announce(t.pointer, txn, CALLER);
        counts.evictions = table.evictions();
    }

    @Override
    public void ask(Access a, long txn) {}

    @Override
    public boolean exchange() {
        boolean said = !refused;
        refused = false;
        return said;
    }

    @Override
    public Answer look(Access a, long txn) {
        return switch (table.look(a.witness, a.versionSeen, txn, CALLER)) {
            case VersionTable.SAME -> {
                counts.hits++;
                yield Answer.SAME;
            }
            case VersionTable.CHANGED -> {
                counts.changed++;
                yield Answer.CHANGED;
            }
            case VersionTable.ABSENT -> {
                counts.misses++;
                yield Answer.ABSENT;
            }
            default -> {
                counts.busy++;
                yield Answer.BUSY;
            }
        };
    }

    @Override
    public void fill(Access a, long txn) {
        if (table.fill(a.witness, a.versionSeen, txn, CALLER)) counts.fills++;
        else counts.lateFills++;
    }

    @Override
    public void filled() {}

    @Override
    public void postAfter(Round release) {
        release.postInBackground();
    }

    @Override
    public void settle(WriteTarget t, long version) {
        table.settle(t.pointer, version, CALLER);
        counts.evictions = table.evictions();
    }

    @Override
    public int holdingSession() {
        return 0; // a thread of this process
    }

    @Override
    public VcacheCounts counts() {
        return counts;
    }
}
