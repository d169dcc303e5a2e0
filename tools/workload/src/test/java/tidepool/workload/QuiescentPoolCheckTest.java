package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/** The check of all bytes of a pool reads the rows of every protocol, and finds what is damaged in one copy of one. */
class QuiescentPoolCheckTest {
    private static final int ROWS = 20;

    private static String url(String protocol) {
        return "mem:?nodes=2&replicas=2&partitions=1&memory=1m&protocol=" + protocol;
    }

    /** Every row has older versions, where the protocol keeps some. */
    private static TableLayout fill(Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class, 50);
        for (int turn = 0; turn < 3; turn++) {
            long cents = 100L + turn;
            pool.transact(tx -> {
                for (long id = 0; id < ROWS; id++) accounts.put(tx, new Account(id, cents));
            });
        }
        pool.transact(tx -> accounts.delete(tx, 7));
        return PoolAccess.layout(accounts.handle());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void wholePoolHolds(String protocol) {
        try (Tidepool pool = Tidepool.open(url(protocol))) {
            fill(pool);
            QuiescentPoolCheck check = QuiescentPoolCheck.of(pool);
            assertEquals(List.of(), check.problems());
            assertTrue(check.present() >= ROWS - 1, "present=" + check.present());
        }
    }

    /**
     * One word of a row is changed on the second node, which may have the primary or the backup: of its object, or of
     * what it keeps outside of it.
     */
    @ParameterizedTest
    @CsvSource({
        "ford, false, is torn",
        "ford-lv, false, is torn",
        "farm, false, is torn",
        "drtmh, false, is torn",
        "farmv2, false, is torn",
        "farmv2, true, has no whole version",
        "motor, false, is torn",
        "motor, true, has no whole value",
        "hdtx, false, is torn"
    })
    void damagedWordOfOneCopyIsFound(String protocol, boolean outside, String told) {
        try (Tidepool pool = Tidepool.open(url(protocol))) {
            TableLayout table = fill(pool);
            damage(PoolAccess.fabric(pool), PoolOptions.of(FabricUrl.parse(url(protocol))), table, outside);
            List<String> problems = QuiescentPoolCheck.of(pool).problems();
            assertTrue(
                    problems.stream().anyMatch(each -> each.matches(".* replica [01] " + told + ".*")),
                    problems.toString());
        }
    }

    private static void damage(Fabric fabric, PoolOptions options, TableLayout table, boolean outside) {
        try (Session session = fabric.attach();
                Lane lane = session.lane()) {
            int node = 1;
            int number = Catalog.open(fabric, session, options).partitionRegion(node, 0);
            Region region = lane.connect(node).open(fabric.control(node).regions()[number]);
            MemorySegment landing = lane.landing(table.slotBytes());
            Round round = lane.round(1);
            for (long bucket = 0; bucket < table.buckets(); bucket++)
                for (int slot = 0; slot < table.slots(); slot++) {
                    long at = table.base() + 64 + bucket * table.bucketBytes() + table.slotOffset(slot);
                    round.read(region, at, table.slotBytes(), landing, 0).post().await();
                    if (!ObjectLayout.isPresent(landing, ObjectLayout.BODY)) continue;
                    long place = outside ? Pointer.offset(table.side(Pointer.of(0, at))) : at + ObjectLayout.CONTENT;
                    round.read(region, place, Words.BYTES, landing, 0).post().await();
                    round.write(region, place, ~Words.plain(landing, 0)).post().await();
                    return;
                }
            throw new AssertionError("no row was found");
        }
    }
}
