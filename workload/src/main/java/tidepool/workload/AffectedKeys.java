package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;

/**
 * Finds the keys whose records a session holds locked, and so also those that it has half written: it reads the session's
 * intents, and behind each of them the lock itself. It only looks, and takes some tens of microseconds: a process that was
 * killed executes nothing any more, and the kernel needs longer to call it dead. One thread uses it.
 */
final class AffectedKeys implements AutoCloseable {
    private final Session own;
    private final Catalog catalog;
    private final List<TableInfo> tables;
    private final Region[] logs;
    private final Region[] primaries;
    private final Round round;
    private final MemorySegment intents;
    private final MemorySegment header;
    private final long logSlotBytes;

    /** A record that is held. */
    record Key(TableInfo table, long key) {}

    AffectedKeys(Fabric fabric) {
        own = fabric.attach();
        catalog = Catalog.open(fabric, own, PoolOptions.defaults());
        Placement placement = catalog.placement();
        tables = catalog.tables();
        logSlotBytes = catalog.logSlotBytes();
        Lane lane = own.lane();
        round = lane.round(1);
        intents = lane.landing(LogLayout.INTENT_BYTES);
        header = lane.landing(ObjectLayout.HEADER.byteSize());
        logs = new Region[fabric.nodes()];
        primaries = new Region[placement.partitions()];
        for (int node = 0; node < fabric.nodes(); node++) {
            Link link = lane.connect(node);
            Id128[] regions = fabric.control(node).regions();
            logs[node] = link.open(regions[catalog.logRegion(node)]);
            for (int p = 0; p < primaries.length; p++)
                if (placement.primary(p) == node) primaries[p] = link.open(regions[catalog.partitionRegion(node, p)]);
        }
    }

    /** The keys that a session holds at this moment. An insert that has not yet written its record holds no key. */
    Set<Key> of(int session) {
        Set<Key> found = new LinkedHashSet<>();
        for (int c = 0; c < catalog.coordinators(); c++) {
            if (catalog.ownerOf(c) != session) continue;
            for (Region log : logs) {
                round.read(log, LogLayout.intents(c, logSlotBytes), LogLayout.INTENT_BYTES, intents, 0)
                        .post()
                        .await();
                for (int i = 0; i < LogLayout.INTENTS; i++) {
                    Key key = keyIfLocked(Words.plain(intents, i * (long) Words.BYTES), session);
                    if (key != null) found.add(key);
                }
            }
        }
        return found;
    }

    private Key keyIfLocked(long pointer, int session) {
        if (pointer == Pointer.NOWHERE || Pointer.partition(pointer) >= primaries.length) return null;
        Region region = primaries[Pointer.partition(pointer)];
        long offset = Pointer.offset(pointer);
        if (offset + ObjectLayout.HEADER.byteSize() > region.bytes()) return null;
        round.read(region, offset, ObjectLayout.HEADER.byteSize(), header, 0)
                .post()
                .await();
        if (TxnId.session(Words.plain(header, ObjectLayout.LOCK)) != session) return null;
        if (!ObjectLayout.isPresent(header, ObjectLayout.BODY)) return null;
        for (TableInfo table : tables)
            if (offset > table.base() && offset < table.base() + table.areaBytes())
                return table.isBucket(pointer)
                        ? null
                        : new Key(table, Words.plain(header, ObjectLayout.BODY + ObjectLayout.BODY_KEY));
        return null;
    }

    @Override
    public void close() {
        own.close();
    }
}
