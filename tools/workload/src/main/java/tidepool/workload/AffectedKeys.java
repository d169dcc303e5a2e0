package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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
import tidepool.store.Role;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;

/**
 * Finds the keys whose records a session holds locked, and so also those that it has half written. It reads the
 * session's intents, and then the lock to which each intent points. It changes nothing and takes two trips. A killed
 * process executes nothing any more, and its death becomes known only later than these two trips take. Used by one
 * thread.
 */
final class AffectedKeys implements AutoCloseable {
    private static final long HEADER_BYTES = ObjectLayout.HEADER.byteSize();
    private static final int MAX_PLACES = 16;
    private static final int AT_ONCE = 64;

    private final Session own;
    private final Catalog catalog;
    private final List<TableLayout> tables;
    private final Region[] logs;
    private final Region[] primaries;
    private final Round round;
    private final MemorySegment intents;
    private final MemorySegment headers;
    private final long logSlotBytes;

    /** A record that the session holds. */
    record Key(TableLayout table, long key) {}

    AffectedKeys(Fabric fabric) {
        own = fabric.attach();
        catalog = Catalog.open(fabric, own, PoolOptions.defaults());
        Placement placement = catalog.placement();
        tables = catalog.tables();
        logSlotBytes = catalog.logSlotBytes();
        Lane lane = own.lane();
        logs = new Region[fabric.nodes()];
        round = lane.round(Math.max(AT_ONCE, MAX_PLACES * logs.length));
        intents = lane.landing((long) MAX_PLACES * logs.length * LogLayout.INTENT_BYTES);
        headers = lane.landing(AT_ONCE * HEADER_BYTES);
        primaries = new Region[placement.partitions()];
        for (int node = 0; node < fabric.nodes(); node++) {
            Link link = lane.connect(node);
            Id128[] regions = fabric.control(node).regions();
            logs[node] = link.open(regions[catalog.logRegion(node)]);
            for (int p = 0; p < primaries.length; p++)
                if (placement.primary(p) == node) primaries[p] = link.open(regions[catalog.partitionRegion(node, p)]);
        }
    }

    /**
     * Returns the coordinators of a session. Called while the session lives, because this takes longer than two trips.
     */
    int[] placesOf(int session) {
        return IntStream.range(0, catalog.coordinators())
                .filter(c -> catalog.ownerOf(c) == session)
                .limit(MAX_PLACES)
                .toArray();
    }

    /**
     * Returns the keys that a session holds at this moment. An insert that has not yet written its record holds no key.
     */
    Set<Key> of(int session, int[] places) {
        if (places.length == 0) return Set.of();
        long at = 0;
        for (int place : places)
            for (Region log : logs) {
                round.read(log, LogLayout.intents(place, logSlotBytes), LogLayout.INTENT_BYTES, intents, at);
                at += LogLayout.INTENT_BYTES;
            }
        round.post().await();
        Set<Long> pointers = new LinkedHashSet<>();
        for (long i = 0; i < at; i += Words.BYTES) {
            long pointer = Words.plain(intents, i);
            if (isRecord(pointer)) pointers.add(pointer);
        }
        Set<Key> found = new LinkedHashSet<>();
        List<Long> left = new ArrayList<>(pointers);
        while (!left.isEmpty()) {
            List<Long> some = left.subList(0, Math.min(AT_ONCE, left.size()));
            addLocked(some, session, found);
            some.clear();
        }
        return found;
    }

    private boolean isRecord(long pointer) {
        return pointer != Pointer.NOWHERE
                && Pointer.partition(pointer) < primaries.length
                && Pointer.offset(pointer) + HEADER_BYTES <= primaries[Pointer.partition(pointer)].bytes();
    }

    private void addLocked(List<Long> pointers, int session, Set<Key> found) {
        for (int i = 0; i < pointers.size(); i++) {
            long pointer = pointers.get(i);
            Region region = primaries[Pointer.partition(pointer)];
            round.read(region, Pointer.offset(pointer), HEADER_BYTES, headers, i * HEADER_BYTES);
        }
        round.post().await();
        for (int i = 0; i < pointers.size(); i++) {
            Key key = keyIfLocked(pointers.get(i), i * HEADER_BYTES, session);
            if (key != null) found.add(key);
        }
    }

    private Key keyIfLocked(long pointer, long header, int session) {
        if (TxnId.session(Words.plain(headers, header + ObjectLayout.LOCK)) != session) return null;
        long body = header + ObjectLayout.BODY;
        if (!ObjectLayout.isPresent(headers, body)) return null;
        for (TableLayout table : tables)
            if (table.contains(pointer))
                return table.role(pointer) == Role.ROW
                        ? new Key(table, Words.plain(headers, body + ObjectLayout.BODY_KEY))
                        : null;
        return null;
    }

    @Override
    public void close() {
        own.close();
    }
}
