package tidepool.protocol.fordlv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import tidepool.memory.VersionTable;
import tidepool.store.CatalogLayout;
import tidepool.store.TableLayout;

/**
 * The partitions that one session owns: only this session may write them. With them the Vcache of their versions. All
 * coordinators of the session share this object. It ends with the session, however that ends, and with it the cached
 * versions.
 */
public final class OwnedPartitions {
    private final int session;
    private final int partitions;
    private final AtomicIntegerArray owned;
    private final MemorySegment memory;
    private final List<TableLayout> tables = new ArrayList<>();
    private int coordinators;
    private boolean anyBroken;
    private boolean over;

    public OwnedPartitions(int session, int partitions, long bytes) {
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

    /** Returns a coordinator's own view of the shared table. */
    VersionTable view() {
        return new VersionTable(memory);
    }

    boolean isOwned(TableLayout table, int partition) {
        return owned.get(table.id() * partitions + partition) != 0;
    }

    /** Called when the ownership word names this session. */
    void own(TableLayout table, int partition) {
        synchronized (tables) {
            if (!tables.contains(table)) tables.add(table);
        }
        owned.set(table.id() * partitions + partition, 1);
    }

    void disown(TableLayout table, int partition) {
        owned.set(table.id() * partitions + partition, 0);
    }

    List<TableLayout> tables() {
        synchronized (tables) {
            return List.copyOf(tables);
        }
    }

    /**
     * Adds a coordinator. Returns false if the last one has left, because the cached versions may be out of date by
     * now.
     */
    public boolean join() {
        synchronized (tables) {
            if (over) return false;
            coordinators++;
            return true;
        }
    }

    /**
     * Removes a coordinator. Returns true for the last one, which then gives back what is owned. Returns false if any
     * coordinator of the session broke: then the session is revoked first, and its recoverer gives it back.
     */
    boolean leave(boolean broken) {
        synchronized (tables) {
            anyBroken |= broken;
            over = --coordinators == 0;
            return over && !anyBroken;
        }
    }
}
