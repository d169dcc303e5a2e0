package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** Each planted bug of a change of tables is caught by a check that passes without it. */
class TableBugsTest {
    /** The bugs. */
    enum Bug {
        NONE,
        /** Other sessions are not shut out. */
        DROP_WITHOUT_FENCE,
        /** The entry of a dropped table becomes free before its memory is zero. */
        AREA_NOT_ZEROED,
        /** A table gets the number of the dropped table that had its entry. */
        ENTRY_REUSED_WITH_SAME_ID
    }

    public record Row(@Key long id, long value) {}

    /** A row with other offsets. */
    public record Other(@Key long id, long first, long second) {}

    @ParameterizedTest
    @EnumSource(Bug.class)
    void plantedBugIsCaught(Bug bug) {
        if (bug == Bug.NONE) play(bug);
        else assertThrows(AssertionError.class, () -> play(bug));
    }

    /** Two openings of one pool. The one drops a table and makes it anew, the other one still has a handle. */
    private static void play(Bug bug) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            PoolOptions options = new PoolOptions("ford", 2, 2, 1 << 20, 8, 16 * 1024);
            Tidepool other = PoolAccess.open(fabric, options);
            Tidepool pool = PoolAccess.open(fabric, options);
            pool.changes(planted(bug, pool, fabric));
            Table<Row> old = pool.table("table", Row.class);
            Table<Row> stale = other.table("table", Row.class);
            pool.transact(tx -> {
                for (long key = 0; key < 100; key++) old.put(tx, new Row(key, 7));
            });
            assertEquals(7, other.read(tx -> stale.get(tx, 1)).value());

            pool.drop("table");
            Table<Row> again = pool.table("table", Row.class);
            for (long key = 0; key < 100; key++) {
                long id = key;
                assertNull(pool.read(tx -> again.get(tx, id)), "a row of the dropped table");
            }
            for (Table<Row> handle : List.of(old, stale)) {
                Tidepool its = handle == old ? pool : other;
                try {
                    its.transact(tx -> handle.put(tx, new Row(1, 9)));
                    throw new AssertionError("a handle of the dropped table was not refused");
                } catch (StoreException e) {
                    assertEquals(StoreException.Reason.UNKNOWN_TABLE, e.reason());
                }
            }
            assertEquals(0, pool.size("table").rows());
            Table<Row> same = other.table("table", Row.class);
            other.transact(tx -> same.put(tx, new Row(2, 5)));
            assertEquals(5, pool.read(tx -> again.get(tx, 2)).value());
            assertTrue(other.table("more", Other.class).stream().findAny().isEmpty());
            other.close();
            pool.close();
        }
    }

    private static TableChanges planted(Bug bug, Tidepool pool, Fabric fabric) {
        return new TableChanges(pool.sessions()) {
            @Override
            void shutOut(SessionManager.Visit visit, Recovery recovery, String what) {
                if (bug != Bug.DROP_WITHOUT_FENCE) super.shutOut(visit, recovery, what);
            }

            @Override
            void clean(Catalog catalog) {
                if (bug == Bug.AREA_NOT_ZEROED) write(fabric, CatalogLayout.table(0), 0);
                else super.clean(catalog);
                if (bug == Bug.ENTRY_REUSED_WITH_SAME_ID) write(fabric, CatalogLayout.table(0) - CHANGE_BEFORE, 0);
            }
        };
    }

    /** The bytes from the change word to the tables. */
    private static final long CHANGE_BEFORE = 64 + 2304 + 4096;

    private static void write(Fabric fabric, long at, long word) {
        try (Session session = fabric.attach();
                Lane lane = session.lane()) {
            Round round = lane.round(1);
            MemorySegment landing = lane.landing(Words.BYTES);
            for (int node = 0; node < fabric.nodes(); node++) {
                Region catalog = lane.connect(node).open(fabric.control(node).regions()[0]);
                round.read(catalog, at, Words.BYTES, landing, 0).post().await();
                assertTrue(Words.plain(landing, 0) != word, "the word is the one that was meant");
                round.write(catalog, at, word).post().await();
            }
        }
    }
}
