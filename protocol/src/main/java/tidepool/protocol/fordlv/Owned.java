package tidepool.protocol.fordlv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import tidepool.memory.VersionTable;
import tidepool.store.CatalogLayout;
import tidepool.store.TableInfo;

/**
 * What one session owns: which partitions of which tables it alone may write, and the Vcache with their versions. All
 * coordinators of the session share it; it ends with the session, however that ends, and so does what it knows.
 */
final class Owned {
    private final int session;
    private final int partitions;
    private final AtomicIntegerArray owned;
    private final MemorySegment memory;
    private final List<TableInfo> tables = new ArrayList<>();
    private int coordinators;
    private boolean anyBroken;
    private boolean over;

    Owned(int session, int partitions, long bytes) {
        this.session = session;
        this.partitions = partitions;
        this.owned = new AtomicIntegerArray((CatalogLayout.TABLES + 1) * partitions);
        this.memory = Arena.ofAuto().allocate(bytes, VersionTable.SET_BYTES);
    }

    int session() {
        return session;
    }

    int partitions() {
        return partitions;
    }

    /** A coordinator's own view of the shared table. */
    VersionTable view() {
        return new VersionTable(memory);
    }

    boolean isOwned(TableInfo table, int partition) {
        return owned.get(table.id() * partitions + partition) != 0;
    }

    /** The owner's word names this session. */
    void own(TableInfo table, int partition) {
        synchronized (tables) {
            if (!tables.contains(table)) tables.add(table);
        }
        owned.set(table.id() * partitions + partition, 1);
    }

    void disown(TableInfo table, int partition) {
        owned.set(table.id() * partitions + partition, 0);
    }

    List<TableInfo> tables() {
        synchronized (tables) {
            return List.copyOf(tables);
        }
    }

    /** One more coordinator. Returns false if the last one has left: what was cached then may be old by now. */
    boolean join() {
        synchronized (tables) {
            if (over) return false;
            coordinators++;
            return true;
        }
    }

    /** Whether the last coordinator has left. */
    boolean isOver() {
        synchronized (tables) {
            return over;
        }
    }

    /**
     * True for the last coordinator: it gives back what is owned. Not if one of them broke: then the session is revoked
     * first, and whoever recovers it gives it back.
     */
    boolean leave(boolean broken) {
        synchronized (tables) {
            anyBroken |= broken;
            over = --coordinators == 0;
            return over && !anyBroken;
        }
    }
}
