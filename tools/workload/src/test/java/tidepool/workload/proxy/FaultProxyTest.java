package tidepool.workload.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.VerbKind;
import tidepool.wire.Frame;

/** Each fault does to the two ends what it says, and nothing else: campaigns rely on it. */
class FaultProxyTest {
    private EchoPeer node;
    private FaultProxy proxy;
    private Socket client;

    @BeforeEach
    void connect() throws IOException {
        node = new EchoPeer();
        proxy = new FaultProxy(node.address());
        client = open();
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
        proxy.close();
        node.close();
    }

    private Socket open() throws IOException {
        Socket socket = new Socket();
        socket.connect(proxy.address());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void send(Socket on, int link, int sequence) throws IOException {
        on.getOutputStream().write(EchoPeer.frame(Frame.ROUND, link, sequence, word(VerbKind.FLUSH), 0));
    }

    private static void sendWrite(Socket on, int link, int sequence) throws IOException {
        on.getOutputStream()
                .write(EchoPeer.frame(
                        Frame.ROUND, link, sequence, word(VerbKind.WRITE), 64, 12, 0x1111111111111111L, 0x22222222L));
    }

    private static long word(VerbKind kind) {
        return kind.ordinal() + 1;
    }

    private static ProxiedFrame receive(Socket on) throws IOException {
        return ProxiedFrame.read(Direction.TO_CLIENT, on.getInputStream());
    }

    /** Otherwise everything else would be a fault of the proxy. */
    @Test
    void framesPassBothWaysInTheirOrder() throws Exception {
        for (int i = 0; i < 100; i++) send(client, 3, i);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, node.next());
            assertEquals(i, receive(client).sequence());
        }
        assertEquals(100, proxy.passed(Direction.TO_NODE));
        assertEquals(100, proxy.passed(Direction.TO_CLIENT));
    }

    /** A frame to hold is chosen by its verbs. */
    @Test
    void verbsOfARoundAreKnown() throws Exception {
        HeldFrame held = proxy.hold(ProxiedFrame::changesMemory);
        send(client, 1, 1);
        sendWrite(client, 1, 2);

        assertEquals(EnumSet.of(VerbKind.WRITE), held.awaitCaught().verbs());
        assertEquals(1, node.next());
        assertFalse(node.hasMore());
    }

    /** The essence of the flying write: it arrives later than frames that were sent after it elsewhere. */
    @Test
    void aHeldFrameArrivesAfterLaterFramesOfOtherConnections() throws Exception {
        HeldFrame held = proxy.hold(frame -> frame.sequence() == 7);
        send(client, 1, 6);
        send(client, 1, 7);
        send(client, 1, 8);
        assertEquals(7, held.awaitCaught().sequence());
        assertEquals(6, node.next());
        try (Socket other = open()) {
            send(other, 1, 100);
            assertEquals(100, node.next());
        }
        assertEquals(EchoPeer.END, node.next());

        assertEquals(HeldFrame.Fate.SENT, held.release());

        assertTrue(held.isAnswered());
        assertEquals(7, node.next());
        assertEquals(8, node.next());
    }

    /** The death of a client does not take back its frames. */
    @Test
    void aHeldFrameOutlivesItsClient() throws Exception {
        HeldFrame held = proxy.hold(frame -> true);
        send(client, 1, 1);
        held.awaitCaught();
        client.setSoLinger(true, 0);
        client.close();
        assertFalse(node.hasMore());

        assertEquals(HeldFrame.Fate.SENT, held.release());

        assertTrue(held.isAnswered());
        assertEquals(1, node.next());
    }

    /** A node that has cut the connection does not get it, and the test is told. */
    @Test
    void aHeldFrameDoesNotArriveWhereTheConnectionWasCut() throws Exception {
        HeldFrame held = proxy.hold(frame -> frame.sequence() == 2);
        send(client, 1, 1);
        send(client, 1, 2);
        held.awaitCaught();
        assertEquals(1, receive(client).sequence());
        node.closeAll();
        assertNull(receive(client));

        held.release();

        assertFalse(held.isAnswered());
        assertEquals(1, node.next());
        assertEquals(EchoPeer.RESET, node.next()); // of its own close
        assertFalse(node.hasMore());
    }

    @Test
    void aCutIsAResetForBothAndNewConnectionsAreWelcome() throws Exception {
        send(client, 1, 1);
        assertEquals(1, receive(client).sequence());
        proxy.cut();

        assertThrows(IOException.class, () -> receive(client));
        assertEquals(1, node.next());
        assertEquals(EchoPeer.RESET, node.next());
        try (Socket again = open()) {
            send(again, 1, 2);
            assertEquals(2, receive(again).sequence());
        }
    }

    @Test
    void whoIsCutOffComesBackOnlyAfterHealing() throws Exception {
        send(client, 1, 1);
        assertEquals(1, receive(client).sequence());
        proxy.cutOff();
        try (Socket again = open()) {
            assertThrows(IOException.class, () -> {
                send(again, 1, 2);
                if (receive(again) == null) throw new IOException("closed");
            });
        }
        proxy.heal();
        try (Socket again = open()) {
            send(again, 1, 3);
            assertEquals(3, receive(again).sequence());
        }
    }

    /** The node hears the end of a client that still listens. */
    @Test
    void halfClosedTowardsTheNodeTheClientStillHears() throws Exception {
        node.stayAfterEnd();
        HeldFrame answer = proxy.hold(frame -> frame.direction() == Direction.TO_CLIENT);
        send(client, 1, 1);
        answer.awaitCaught();
        proxy.halfClose(Direction.TO_NODE);
        assertEquals(1, node.next());
        assertEquals(EchoPeer.END, node.next());
        send(client, 1, 2);

        answer.let();

        assertEquals(1, receive(client).sequence());
        assertFalse(node.hasMore());
    }

    /** The client hears the end of a node that still listens. */
    @Test
    void halfClosedTowardsTheClientTheNodeStillHears() throws Exception {
        send(client, 1, 1);
        assertEquals(1, receive(client).sequence());
        proxy.halfClose(Direction.TO_CLIENT);

        assertNull(receive(client));
        send(client, 1, 2);

        assertEquals(1, node.next());
        assertEquals(2, node.next());
    }

    /** No end sees an error: the connection looks well from both ends. */
    @Test
    void aBlackHoleSwallowsOneDirection() throws Exception {
        send(client, 1, 1);
        assertEquals(1, receive(client).sequence());
        proxy.blackHole(Direction.TO_CLIENT);
        send(client, 1, 2);
        assertEquals(1, node.next());
        assertEquals(2, node.next());
        while (proxy.passed(Direction.TO_NODE) < 2) Thread.onSpinWait();
        client.setSoTimeout(50);
        assertThrows(java.net.SocketTimeoutException.class, () -> receive(client));

        proxy.heal();

        client.setSoTimeout(30_000);
        assertThrows(IOException.class, () -> receive(client), "what has lost bytes cannot go on");
        try (Socket again = open()) {
            send(again, 1, 3);
            assertEquals(3, receive(again).sequence());
        }
    }

    /** A connection from which both ends have gone is none. */
    @Test
    void nothingIsLeftOfConnectionsThatEnded() throws Exception {
        send(client, 1, 1);
        assertEquals(1, receive(client).sequence());
        assertEquals(1, proxy.connections());
        client.close();
        while (proxy.connections() > 0) Thread.onSpinWait();
        assertEquals(1, node.next());
        assertEquals(EchoPeer.END, node.next());
    }

    /** Slower, and still complete and in order. */
    @Test
    void delayedFramesArrive() throws Exception {
        proxy.delay(Direction.TO_NODE, Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) send(client, 1, i);
        for (int i = 0; i < 20; i++) assertEquals(i, receive(client).sequence());
    }

    /** Bytes that are no frame get no further than the proxy. */
    @Test
    void nonsenseIsCut() throws Exception {
        client.getOutputStream().write(new byte[Frame.HEADER]);
        assertEquals(EchoPeer.RESET, node.next());
    }
}
