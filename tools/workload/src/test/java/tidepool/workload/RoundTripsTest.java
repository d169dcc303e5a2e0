package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of round trips, with every verb and byte computed by hand: an account's body is 40 bytes (key, flags,
 * writer, cents, checksum), a log with one of them 40 + 16 + 48, with two objects of 40 bytes 40 + 32 + 96. HDTX's
 * descriptor of an object is 16 + 3 * 32, of two 16 + 6 * 32; its slots are 8 bytes longer.
 */
class RoundTripsTest {
    // body, lock, version
    private static final String READ_ONLY_1 =
            "read-only-1 trips=1 [3 READ] read=56 written=0 behind [none] read=0 written=0";

    // three of those, then lock and version of each again
    private static final String READ_ONLY_N =
            "read-only-n trips=2 [15 READ] read=216 written=0 behind [none] read=0 written=0";

    private static final List<String> FORD = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // intent, CAS, READ; then a log, a mark and a body on two replicas
            "read-write trips=2 [1 READ, 7 WRITE, 1 CAS] read=56 written=320 behind [2 WRITE, 1 CAS] read=8 written=24",
            // and one record read and validated
            "read-write-ro trips=3 [6 READ, 7 WRITE, 1 CAS] read=128 written=320"
                    + " behind [2 WRITE, 1 CAS] read=8 written=24",
            // look the bucket up, lock its head and the slot, look again; both are logged, marked and written
            "insert trips=3 [7 READ, 12 WRITE, 2 CAS] read=1160 written=560"
                    + " behind [4 WRITE, 2 CAS] read=16 written=48");

    private static final List<String> FARM = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // read; intent, CAS; lock and version; a log on two nodes; a mark and a body on two replicas
            "read-write trips=5 [5 READ, 7 WRITE, 1 CAS] read=80 written=320 behind [2 WRITE, 1 CAS] read=8 written=24",
            // and one record read and validated
            "read-write-ro trips=5 [10 READ, 7 WRITE, 1 CAS] read=152 written=320"
                    + " behind [2 WRITE, 1 CAS] read=8 written=24",
            // look the bucket up, lock and read its head and the slot; validate, log, mark and write both
            "insert trips=5 [10 READ, 12 WRITE, 2 CAS] read=680 written=560"
                    + " behind [4 WRITE, 2 CAS] read=16 written=48");

    private static final List<String> FARM_V2 = List.of(
            // a stamp, a link and the stamp of the version before, in addition to the value
            "read-only-1 trips=1 [3 READ] read=80 written=0 behind [none] read=0 written=0",
            // three of those and the counter; nothing is validated
            "read-only-n trips=1 [10 READ] read=248 written=0 behind [none] read=0 written=0",
            // read; intent, CAS, version; the counter; a log on two nodes; the old version, a mark and a body on two
            "read-write trips=4 [4 READ, 9 WRITE, 1 CAS, 1 FAA] read=104 written=520"
                    + " behind [2 WRITE, 1 CAS] read=8 written=24",
            // and one record read and validated
            "read-write-ro trips=5 [9 READ, 9 WRITE, 1 CAS, 1 FAA] read=200 written=520"
                    + " behind [2 WRITE, 1 CAS] read=8 written=24",
            // look the bucket up, lock and read its head and the slot; log, mark and write both, and the bucket's stamp
            "insert trips=4 [6 READ, 14 WRITE, 2 CAS, 1 FAA] read=872 written=680"
                    + " behind [4 WRITE, 2 CAS] read=16 written=48");

    private static final List<String> MOTOR = List.of(
            // the tuple, lock, version; the package
            "read-only-1 trips=2 [4 READ] read=200 written=0 behind [none] read=0 written=0",
            // the counter, aside; lock, tuple and bound of three; three packages
            "read-only-n trips=2 [10 READ] read=656 written=0 behind [none] read=0 written=0",
            // bound, intent, CAS, tuple; package, counter; a log, a delta, a package and a tuple on two replicas
            "read-write trips=3 [2 READ, 10 WRITE, 1 CAS, 1 FAA] read=208 written=936"
                    + " behind [1 WRITE] read=0 written=8",
            // and one row read and validated
            "read-write-ro trips=4 [8 READ, 10 WRITE, 1 CAS, 1 FAA] read=424 written=936"
                    + " behind [1 WRITE] read=0 written=8",
            // look the bucket up, lock its head and the slot, look again; the counter, aside; both and the bucket's
            // stamp
            "insert trips=3 [7 READ, 15 WRITE, 2 CAS, 1 FAA] read=1928 written=1128"
                    + " behind [3 WRITE, 1 CAS] read=8 written=32");

    private static final List<String> MOTOR_SNAPSHOT = List.of(
            MOTOR.get(0),
            MOTOR.get(1),
            MOTOR.get(2),
            // the counter, aside; the row that is read with its lock and bound; nothing is validated
            "read-write-ro trips=3 [6 READ, 10 WRITE, 1 CAS, 1 FAA] read=432 written=936"
                    + " behind [1 WRITE] read=0 written=8",
            MOTOR.get(4));

    private static final List<String> DRTMH = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // read; intent, CAS, version; a log on two nodes. In the background: a mark and a body on two replicas,
            // then the release
            "read-write trips=3 [4 READ, 3 WRITE, 1 CAS] read=72 written=224"
                    + " behind [6 WRITE, 1 CAS] read=8 written=120",
            // and one record read and validated
            "read-write-ro trips=4 [9 READ, 3 WRITE, 1 CAS] read=144 written=224"
                    + " behind [6 WRITE, 1 CAS] read=8 written=120",
            // look the bucket up, lock and read its head and the slot; log both
            "insert trips=3 [6 READ, 4 WRITE, 2 CAS] read=648 written=368"
                    + " behind [12 WRITE, 2 CAS] read=16 written=240");

    private static final List<String> DRTMH_AS_PUBLISHED = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // the marks and bodies are awaited
            "read-write trips=4 [4 READ, 7 WRITE, 1 CAS] read=72 written=320 behind [2 WRITE, 1 CAS] read=8 written=24",
            "read-write-ro trips=5 [9 READ, 7 WRITE, 1 CAS] read=144 written=320"
                    + " behind [2 WRITE, 1 CAS] read=8 written=24",
            "insert trips=4 [6 READ, 12 WRITE, 2 CAS] read=648 written=560 behind [4 WRITE, 2 CAS] read=16 written=48");

    private static final List<String> HDTX = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // intent, CAS, READ; then a log with a descriptor of three steps, and a mark, on two nodes. In the
            // background: two chains, then the unlocking
            "read-write trips=2 [1 READ, 5 WRITE, 1 CAS] read=56 written=464"
                    + " behind [1 MASKED_CAS, 2 CHAIN] read=8 written=8",
            // one record read, and validated in the round of the log; then a mark and a status on two nodes
            "read-write-ro trips=3 [6 READ, 7 WRITE, 1 CAS] read=128 written=480"
                    + " behind [1 MASKED_CAS, 2 CHAIN] read=8 written=8",
            // look the bucket up, lock its head and the slot, look again; both are logged and marked
            "insert trips=3 [7 READ, 8 WRITE, 2 CAS] read=1288 written=816"
                    + " behind [2 MASKED_CAS, 2 CHAIN] read=16 written=16");

    private static final List<String> HDTX_LOCKED = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            HDTX.get(2),
            // records that are only read are locked as well, and named in the logs
            "read-write-ro trips=2 [2 READ, 6 WRITE, 2 CAS] read=112 written=512"
                    + " behind [2 MASKED_CAS, 2 CHAIN] read=16 written=16",
            HDTX.get(4));

    private static final List<String> HDTX_CLIENT = List.of(
            READ_ONLY_1,
            READ_ONLY_N,
            // no descriptor; in the background, a body and a version on two replicas
            "read-write trips=2 [1 READ, 5 WRITE, 1 CAS] read=56 written=240"
                    + " behind [4 WRITE, 1 MASKED_CAS] read=8 written=104",
            "read-write-ro trips=3 [6 READ, 7 WRITE, 1 CAS] read=128 written=256"
                    + " behind [4 WRITE, 1 MASKED_CAS] read=8 written=104",
            "insert trips=3 [7 READ, 8 WRITE, 2 CAS] read=1288 written=400"
                    + " behind [8 WRITE, 2 MASKED_CAS] read=16 written=208");

    @ParameterizedTest
    @ValueSource(strings = {"mem", "shm", "sim"})
    void everyCellIsAsPromised(String fabric) {
        assertCells(FORD, "ford", fabric);
        assertCells(FARM, "farm", fabric);
        assertCells(FARM_V2, "farmv2", fabric);
        assertCells(MOTOR, "motor", fabric);
        assertCells(MOTOR_SNAPSHOT, "motor?isolation=snapshot", fabric);
        assertCells(DRTMH, "drtmh", fabric);
        assertCells(DRTMH_AS_PUBLISHED, "drtmh?report=commit", fabric);
        assertCells(HDTX, "hdtx", fabric);
        assertCells(HDTX_LOCKED, "hdtx?reads=locked", fabric);
        assertCells(HDTX_CLIENT, "hdtx?release=client", fabric);
    }

    private static void assertCells(List<String> expected, String protocol, String fabric) {
        Stream<String> measured = RoundTrips.measure(protocol, fabric).stream()
                .limit(expected.size())
                .map(RoundTripsTest::text);

        assertEquals(String.join("\n", expected), String.join("\n", measured.toList()), protocol);
    }

    /** One FLUSH after log, mark and body on the backup, and no trip for a log alone. */
    @Test
    void whereNodesKeepJournalsDurabilityCostsNoTrip() {
        assertEquals(
                List.of(
                        "1 3 READ",
                        "2 15 READ",
                        "2 1 READ, 7 WRITE, 1 CAS, 1 FLUSH",
                        "3 6 READ, 7 WRITE, 1 CAS, 1 FLUSH",
                        "3 7 READ, 12 WRITE, 2 CAS, 1 FLUSH"),
                RoundTrips.measure("ford?flush=selective", "sim-journals").stream()
                        .limit(5)
                        .map(row -> row.roundTrips() + " " + row.verbs())
                        .toList());
        for (RoundTrips.Row row : RoundTrips.measure("ford?flush=full", "sim-journals"))
            assertEquals(row.paper(), row.roundTrips(), row.shape());
    }

    /** The switches change trips as their names say, on every fabric alike. */
    @Test
    void everySwitchKeepsItsPromise() {
        for (String protocol : RoundTrips.protocols())
            for (String fabric : List.of("mem", "shm", "sim"))
                for (RoundTrips.Row row : RoundTrips.measure(protocol, fabric))
                    assertEquals(row.paper(), row.roundTrips(), protocol + " " + fabric + " " + row.shape());
    }

    private static String text(RoundTrips.Row row) {
        assertEquals(row.paper(), row.roundTrips(), row.protocol() + " " + row.shape());
        return row.shape() + " trips=" + row.roundTrips() + " [" + row.verbs() + "] read="
                + row.traffic().bytesRead() + " written=" + row.traffic().bytesWritten() + " behind ["
                + row.backgroundVerbs() + "] read=" + row.traffic().backgroundBytesRead() + " written="
                + row.traffic().backgroundBytesWritten();
    }
}
