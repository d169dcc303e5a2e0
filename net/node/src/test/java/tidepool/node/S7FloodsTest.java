package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/** S7: many connections and many requests use up only their own share. */
class S7FloodsTest {
    private static final NodeLimits NARROW =
            new NodeLimits(32, 16, 64, 1 << 20, 1 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30));

    private final List<RawClient> flood = new ArrayList<>();
    private Attacked node;

    @BeforeEach
    void start() throws IOException {
        node = new Attacked(
                NodeOptions.onLoopback("memory-0", 0, 64L << 20).withLimits(NARROW), RawHandshake.ANONYMOUS);
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient raw : flood) raw.close();
        node.close();
    }

    /** Of many silent connections some wait and the others are refused at once. Authenticated clients are served. */
    @Test
    void aFloodOfConnectionsIsTurnedAwayAtTheDoor() throws IOException {
        for (int i = 0; i < 200; i++) flood.add(new RawClient(node.server.address()));
        node.awaitCount(NodeCounter.CONNECTIONS_ACCEPTED, 202);
        node.awaitCount(NodeCounter.REFUSED_LIMIT, 200 - 8);

        assertEquals(
                200 - 8, node.count(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE), "a part of the places is for strangers");
        assertEquals(node.count(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE), node.count(NodeCounter.REFUSED_LIMIT));
        node.assertUnharmed();
    }

    /** After the flood, all places and all memory lent to connections are free again. */
    @Test
    void afterAFloodThereIsRoomAgain() throws IOException {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) flood.add(new RawClient(node.server.address()));
            for (RawClient raw : flood) raw.close();
            flood.clear();
        }
        node.awaitCount(NodeCounter.CONNECTIONS_ACCEPTED, 2 + 3 * 50); // some may not have been accepted yet
        awaitConnections(2);
        node.insider(RawHandshake.ANONYMOUS).close();
        awaitConnections(2);
        node.assertUnharmed();
    }

    private void awaitConnections(long expected) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (open() != expected && System.nanoTime() < deadline) Thread.onSpinWait();
        assertEquals(expected, open());
    }

    private long open() {
        return node.count(NodeCounter.CONNECTIONS_ACCEPTED)
                - node.count(NodeCounter.CONNECTIONS_CLOSED)
                - node.count(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE);
    }

    /** One client, or one address if clients have no names, cannot take all places. */
    @Test
    void oneClientHasItsShareOfConnections() throws IOException {
        for (int i = 2; i < 16; i++) flood.add(RawHandshake.ANONYMOUS.enter(node.server, Attacked.POOL));

        IOException refused =
                assertThrows(IOException.class, () -> RawHandshake.ANONYMOUS.enter(node.server, Attacked.POOL));

        assertTrue(refused.getMessage().contains("all its 16 connections"), refused.getMessage());
        assertEquals(1, node.count(NodeCounter.REFUSED_LIMIT));
        node.assertUnharmed();
    }

    /** Far more rounds than may be outstanding wait in their own socket. All are answered, in order. */
    @Test
    void aFloodOfRoundsIsAnsweredInOrder() throws IOException {
        try (RawClient raw = node.insider(RawHandshake.ANONYMOUS)) {
            long handle = raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow)
                    .word(0);
            int rounds = 5_000;
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 1; i <= rounds; i++)
                        raw.send(RawClient.round(0, i, new Verbs().read(handle, 8L * (i % 1024), 8)));
                } catch (IOException e) {
                    // The reader below notices.
                }
            });
            for (int i = 1; i <= rounds; i++) {
                if (i % 1000 == 0) node.assertUnharmed(); // the honest client is served meanwhile
                RawClient.Answer answer = raw.answer();
                assertEquals(Frame.ANSWER, answer.kind());
                assertEquals(i, answer.sequence());
                assertEquals(0xdead_beef_0000_0000L + i % 1024, answer.word(0));
            }
            sender.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Memory has a limit too. A request beyond it is refused with a message, and other requests are served. */
    @Test
    void aFloodOfRegionsEndsAtTheLimit() throws IOException {
        try (RawClient raw = node.insider(RawHandshake.ANONYMOUS)) {
            int made = 0;
            RawClient.Answer answer = raw.control(ControlCode.CREATE_REGION, 8 << 20);
            for (; answer.status() == 0 && made < 100; made++) answer = raw.control(ControlCode.CREATE_REGION, 8 << 20);

            assertTrue(made < 8, "64 megabytes hold less than 8 regions of 8 and what was there before");
            assertTrue(answer.text().length() > 10, answer.text());
            assertEquals(0, raw.round(new Verbs().flush()).status());
        }
    }
}
