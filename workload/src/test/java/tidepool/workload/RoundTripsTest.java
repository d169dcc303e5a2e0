package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * FORD's row of the table of round trips, and every verb and byte behind it, by hand: an account's body is 40 bytes (key,
 * flags, writer, cents, checksum), a log with one of them 40 + 16 + 48, with two objects of 40 bytes 40 + 32 + 96.
 */
class RoundTripsTest {
    private static final List<String> EXPECTED = List.of(
            // body, lock, version
            "read-only-1 trips=1 [3 READ] read=56 written=0 behind [none] read=0 written=0",
            // three of those, then lock and version of each again
            "read-only-n trips=2 [15 READ] read=216 written=0 behind [none] read=0 written=0",
            // intent, CAS, READ; then a log, a mark and a body on two replicas
            "read-write trips=2 [1 READ, 7 WRITE, 1 CAS] read=56 written=320 behind [2 WRITE, 1 CAS] read=8 written=24",
            // and one record read and validated
            "read-write-ro trips=3 [6 READ, 7 WRITE, 1 CAS] read=128 written=320 behind [2 WRITE, 1 CAS] read=8 written=24",
            // look the bucket up, lock its head and the slot, look again; both are logged, marked and written
            "insert trips=3 [7 READ, 12 WRITE, 2 CAS] read=1160 written=560 behind [4 WRITE, 2 CAS] read=16 written=48");

    @ParameterizedTest
    @ValueSource(strings = {"mem", "shm", "sim"})
    void everyCellIsAsPromised(String fabric) {
        Stream<String> measured = RoundTrips.measure("ford", fabric).stream().map(RoundTripsTest::text);

        assertEquals(String.join("\n", EXPECTED), String.join("\n", measured.toList()));
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
        assertEquals(row.paper(), row.roundTrips(), row.shape());
        return row.shape() + " trips=" + row.roundTrips() + " [" + row.verbs() + "] read="
                + row.traffic().bytesRead() + " written=" + row.traffic().bytesWritten() + " behind ["
                + row.backgroundVerbs() + "] read=" + row.traffic().backgroundBytesRead() + " written="
                + row.traffic().backgroundBytesWritten();
    }
}
