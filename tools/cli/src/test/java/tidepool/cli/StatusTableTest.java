package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.tcp.probe.NodeSample;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;

/** The output of {@code status}, letter by letter, because people read it in emergencies. */
class StatusTableTest {
    private static final String STATUS = """
        name n1
        uptime-millis %d
        memory-used 12582912
        memory-limit 1073741824
        pool bank number 0 nodes 3 regions 2 bytes 11534336 epoch 1 sessions 2 suspects 1
        client teller address 127.0.0.1:1 pool bank session 7 rounds 1200 verbs 3600 bytes-in 99000 bytes-out 8\
         idle-millis 3
        client teller address 127.0.0.1:2 pool bank session 0 rounds 0 verbs 0 bytes-in 100 bytes-out 9 idle-millis 9
        client ops address 127.0.0.1:3 pool - session 0 rounds 0 verbs 0 bytes-in 0 bytes-out 0 idle-millis 0
        count connections-now 3
        count rounds %d
        count verbs-read %d
        count verbs-refused-key 5
        count bytes-in %d
        count bytes-out 0
        count refused-credentials 2
        count refused-limit 1
        count refused-revoked 40
        error 2026-11-15T14:02:11Z refused node=n1 from=127.0.0.1:9 client=mallory wrong name, token or certificate
        """;

    @Test
    void nodesPoolsClientsAndErrorsAreTables() {
        NodeSample away = new NodeSample(new HostPort("::1", 7402), null, "nobody listens there", 0);
        NodeSample before = sample(STATUS.formatted(60_000, 0, 0, 0), 0);
        NodeSample now = sample(STATUS.formatted(62_000, 24_690, 6000, 4096), 2_000_000_000L);
        List<String> lines = new ArrayList<>();
        new StatusTable(List.of(now, away), List.of(before, away)).print(lines::add);

        assertEquals("""
            NODE  ADDRESS         UP         MEMORY           CONNECTIONS  ROUNDS/S  VERBS/S  IN       OUT    REFUSED
            n1    127.0.0.1:7401  1 min 2 s  12 MiB of 1 GiB            3    12,345    3,000  2 KiB/s  0 B/s        3
            -     [::1]:7402      no answer: nobody listens there

            POOL  NODE  PLACE   MEMORY  REGIONS  SESSIONS  SUSPECTED  EPOCH
            bank  n1    0 of 3  11 MiB        2         2          1      1

            CLIENT  NODE  POOL  CONNECTIONS  SESSIONS  ROUNDS  VERBS  IN        OUT   IDLE
            teller  n1    bank            2         1    1200   3600  96.8 KiB  17 B  3 ms

            NODE  LAST ERRORS
            n1    2026-11-15T14:02:11Z refused node=n1 from=127.0.0.1:9 client=mallory wrong name, token or certificate
            """, String.join("\n", lines) + "\n");
    }

    /** Each supply of a pool that runs low has its own line, before anything is refused for it. */
    @Test
    void suppliesThatRunOutAreAlarms() {
        String status = STATUS.formatted(1000, 1, 1, 1)
                .replace("suspects 1", "suspects 1 numbers 8388000 slots 1000 entries 250");
        List<String> lines = new ArrayList<>();
        new StatusTable(List.of(sample(status, 1)), List.of(sample(status, 0))).print(lines::add);

        assertEquals(
                List.of(
                        "ALARM: n1 has used 8388000 of 8388605 session numbers of the pool bank",
                        "ALARM: n1 has used 1000 of 1024 session slots of the pool bank",
                        "ALARM: n1 has used 250 of 256 region entries of the pool bank"),
                lines.stream().filter(line -> line.startsWith("ALARM")).toList());
    }

    /** Without an earlier look there are no rates, and none are made up. */
    @Test
    void unknownRatesAreDashes() {
        NodeSample now = sample(STATUS.formatted(1000, 1, 1, 1), 1);
        List<String> lines = new ArrayList<>();
        new StatusTable(List.of(now), List.of(new NodeSample(now.node(), null, "away", 0))).print(lines::add);

        assertEquals(
                "n1    127.0.0.1:7401  1 s  12 MiB of 1 GiB            3  -         -        -   -          3",
                lines.get(1));
    }

    @Test
    void quantitiesAreShort() {
        assertEquals("0 B", Quantities.bytes(0));
        assertEquals("1023 B", Quantities.bytes(1023));
        assertEquals("1.5 KiB", Quantities.bytes(1536));
        assertEquals("4 GiB", Quantities.bytes(4L << 30));
        assertEquals("3 d 4 h", Quantities.time(Duration.ofHours(76)));
        assertEquals("2 h 5 min", Quantities.time(Duration.ofMinutes(125)));
        assertEquals("8 ms", Quantities.time(Duration.ofMillis(8)));
    }

    private static NodeSample sample(String status, long nanos) {
        return new NodeSample(new HostPort("127.0.0.1", 7401), NodeStatus.parse(status), null, nanos);
    }
}
