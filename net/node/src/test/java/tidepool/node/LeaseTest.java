package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** Leases and suspicions of sessions, and the effects of a revocation. The tests wait for events, never for a time. */
class LeaseTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static MemoryServer server(Duration lease, Duration grace) {
        return MemoryServer.start(
                NodeOptions.onLoopback("memory-0", 0, 64 << 20).withLease(lease, grace));
    }

    /** Waits for the node's SUSPECTS frame with this session. */
    private static void suspected(RawClient control, long session) throws IOException {
        while (true) {
            for (RawClient.Answer push : control.pushed)
                for (int i = 0; i < push.count(); i++) if (push.status() == 0 && push.word(i) == session) return;
            RawClient.Answer next = control.read();
            assertEquals(Frame.SUSPECTS, next.kind());
            control.pushed.add(next);
        }
    }

    /** A killed process: its sockets close, and other clients are told after the grace time. */
    @Test
    void aSessionWhoseLastConnectionBreaksIsSuspectedAfterTheGrace() throws IOException {
        try (MemoryServer server = server(LONG, SHORT);
                RawClient control = RawClient.known(server, "bank")) {
            long session = control.nextSession();
            RawClient first = RawClient.attached(server, "bank", session);
            RawClient second = RawClient.attached(server, "bank", session);
            first.close();
            assertEquals(0, control.control(ControlCode.IS_DEAD, session).word(0));
            second.close();
            suspected(control, session);
            assertEquals(1, control.control(ControlCode.IS_DEAD, session).word(0));
            assertEquals(0, control.control(ControlCode.IS_REVOKED, session).word(0), "a suspect is not yet harmed");
            assertEquals(1, server.counters().value(NodeCounter.SUSPECTS));
            try (RawClient late = RawClient.known(server, "bank")) {
                assertEquals(session, late.read().word(0), "whoever comes later is told behind WELCOME");
            }
        }
    }

    /** A stopped process: its sockets stay open, and it sends nothing. */
    @Test
    void aSilentSessionIsSuspectedAfterTheLeaseAndForgivenWhenItSpeaks() throws IOException {
        try (MemoryServer server = server(SHORT, LONG);
                RawClient control = RawClient.known(server, "bank")) {
            long session = control.nextSession();
            try (RawClient client = RawClient.attached(server, "bank", session)) {
                suspected(control, session);
                client.send(RawClient.frame(Frame.BEAT, 0, 0, 9, new byte[0]));
                RawClient.Answer beat = client.read();
                assertEquals(Frame.BEAT, beat.kind());
                assertEquals(9, beat.sequence());
                control.pushed.clear();
                suspected(control, session); // silent again; the suspicion had ended in between
                assertTrue(server.counters().value(NodeCounter.SUSPECTS) >= 2);
            }
        }
    }

    /** The session has changed nothing, so it is not suspected. A client that asks finds it dead. */
    @Test
    void anUnattachedNumberIsOverAfterTheLease() throws IOException {
        try (MemoryServer server = server(SHORT, LONG);
                RawClient control = RawClient.known(server, "bank")) {
            long session = control.nextSession();
            while (control.control(ControlCode.IS_DEAD, session).word(0) == 0) Thread.onSpinWait();
            assertEquals(0, server.counters().value(NodeCounter.SUSPECTS));
        }
    }

    @Test
    void whoSaysGoodbyeIsNotMissedUntilTheLeaseEnds() throws IOException {
        try (MemoryServer server = server(LONG, Duration.ZERO);
                RawClient control = RawClient.known(server, "bank")) {
            long polite = control.nextSession();
            long rude = control.nextSession();
            try (RawClient client = RawClient.attached(server, "bank", polite)) {
                client.send(RawClient.frame(Frame.GOODBYE, 0, 0, 0, new byte[0]));
                client.send(RawClient.frame(Frame.BEAT, 0, 0, 0, new byte[0]));
                client.read();
            }
            RawClient.attached(server, "bank", rude).close();
            suspected(control, rude);
            assertEquals(0, control.control(ControlCode.IS_DEAD, polite).word(0));
        }
    }

    @Test
    void aSessionThatLeavesIsOver() throws IOException {
        try (MemoryServer server = server(LONG, LONG);
                RawClient control = RawClient.known(server, "bank")) {
            long session = control.nextSession();
            try (RawClient client = RawClient.attached(server, "bank", session)) {
                long handle = client.region(4096);
                assertEquals(
                        7, client.control(ControlCode.DETACH, session, 1, 1).status(), "another secret");
                assertEquals(
                        0, client.control(ControlCode.DETACH, session, 1, 2).status());
                assertEquals(4, client.round(new Verbs().write(handle, 0, 1)).status(), "EPOCH");
            }
            assertEquals(1, control.control(ControlCode.IS_DEAD, session).word(0));
            assertEquals(0, control.control(ControlCode.SESSIONS).count());
        }
    }

    /** The flying write: sent before the revocation, and in the node's buffer when the revocation comes. */
    @Test
    void whatARevokedSessionHadSentIsDropped() throws IOException {
        try (MemoryServer server = server(LONG, LONG);
                RawClient control = RawClient.known(server, "bank");
                RawClient reader = RawClient.attached(server, "bank", control.nextSession())) {
            long session = control.nextSession();
            RawClient.Answer region = control.control(ControlCode.CREATE_REGION, 64 << 20 >> 1);
            long own = reader.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            try (RawClient victim = RawClient.attached(server, "bank", session)) {
                long handle = victim.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                        .word(0);
                // A slow control call, and after it a write that has to wait for the call.
                victim.send(RawClient.frame(
                        Frame.CONTROL,
                        5,
                        0,
                        1,
                        RawClient.words(ControlCode.ALLOCATE, region.word(0), region.word(1), 32 << 20, session)));
                victim.send(RawClient.round(0, 2, new Verbs().write(handle, 0, 42)));
                assertEquals(0, control.control(ControlCode.REVOKE, session).status());
                long found = reader.round(new Verbs().read(own, 0, 8)).word(0);
                RawClient.Answer last = null;
                for (RawClient.Answer next = victim.readOrEnd(); next != null; next = victim.readOrEnd()) last = next;
                assertEquals(Frame.REFUSED, last.kind());
                assertEquals(RefusedCode.REVOKED, last.status());
                assertEquals(
                        found,
                        reader.round(new Verbs().read(own, 0, 8)).word(0),
                        "nothing of it is carried out after the answer to REVOKE");
            }
            assertEquals(1, server.counters().value(NodeCounter.REVOCATIONS));
        }
    }

    @Test
    void anExtentOfARevokedSessionIsNotHandedOut() throws IOException {
        try (MemoryServer server = server(LONG, LONG);
                RawClient control = RawClient.known(server, "bank")) {
            long session = control.nextSession();
            RawClient.Answer region = control.control(ControlCode.CREATE_REGION, 1 << 20);
            control.control(ControlCode.REVOKE, session);
            RawClient.Answer refused =
                    control.control(ControlCode.ALLOCATE, region.word(0), region.word(1), 4096, session);
            assertEquals(1, refused.status(), "KEY");
        }
    }
}
