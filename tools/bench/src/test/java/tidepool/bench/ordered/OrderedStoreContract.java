package tidepool.bench.ordered;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The contract of every ordered store: TPC-C by indexes leaves all in order. */
public abstract class OrderedStoreContract {
    private static final String SMALL = "tpcc?warehouses=1&customers=30&items=200&orders=5k";

    @TempDir
    protected Path folder;

    /** Makes an empty store. */
    protected abstract OrderedStore open(OrderedStoreOptions options);

    final OrderedStore store() {
        return open(new OrderedStoreOptions(folder, 32 << 20, 2));
    }

    /** Scans go both ways, have limits, and see what the transaction has written. */
    @Test
    void scansAreInTheOrderOfKeys() {
        try (OrderedStore store = store()) {
            OrderedSession session = store.session();
            session.begin(false);
            for (int i = 9; i > 0; i--) put(session, i);
            assertEquals(List.of(3, 4, 5), scan(session, 3, 6, false, 10));
            session.commit();
            session.begin(true);
            assertEquals(List.of(3, 4, 5), scan(session, 3, 6, false, 10));
            assertEquals(List.of(5, 4), scan(session, 3, 6, true, 2));
            assertEquals(List.of(9, 8), scan(session, 8, 200, true, 10));
            assertEquals(List.of(), scan(session, 10, 200, false, 10));
            session.commit();
            session.begin(false);
            session.delete(new byte[] {4});
            session.rollback();
            session.begin(false);
            session.delete(new byte[] {5});
            session.commit();
            session.begin(true);
            assertEquals(List.of(6, 4, 3), scan(session, 3, 7, true, 10));
            ByteBuffer into = ByteBuffer.allocate(8);
            assertTrue(session.get(new byte[] {4}, false, into, 2));
            assertArrayEquals(new byte[] {0, 0, 4, 5, 0, 0, 0, 0}, into.array());
            assertFalse(session.get(new byte[] {5}, false, into, 0));
            session.rollback();
        }
    }

    private static void put(OrderedSession session, int key) {
        assertFalse(session.get(new byte[] {(byte) key}, true, ByteBuffer.allocate(8), 0));
        session.put(new byte[] {(byte) key}, ByteBuffer.wrap(new byte[] {9, (byte) key, (byte) (key + 1)}), 1, 2);
    }

    private static List<Integer> scan(OrderedSession session, int low, int high, boolean isReversed, int limit) {
        List<Integer> found = new ArrayList<>();
        session.scan(new byte[] {(byte) low}, new byte[] {(byte) high}, isReversed, limit, (key, value) -> {
            assertEquals(key[0] + 1, value.get(value.position() + 1));
            found.add((int) key[0]);
        });
        return found;
    }

    @Test
    void tpccLeavesAllInOrder() {
        try (Contender contender = new OrderedContender(store(), Workloads.named(SMALL, Scale.SPEC))) {
            assertEquals(List.of(), contender.check());
            assertTrue(Trial.run(contender, 2, 3, 300) > 0);
            assertEquals(List.of(), contender.check());
        }
    }
}
