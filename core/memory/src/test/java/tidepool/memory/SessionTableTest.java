package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

class SessionTableTest {
    private final MemorySegment meta = ArenaStore.formatted(0).meta();
    private final SessionTable table = new SessionTable(meta);

    private void assertRefused(Reason reason, Runnable call) {
        assertEquals(reason, assertThrows(MemoryNodeException.class, call::run).reason());
    }

    private boolean maySendVerbs(int session) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++)
            if (Words.acquire(meta, SessionTable.stateOffset(slot)) == SessionTable.attachedWord(session)) return true;
        return false;
    }

    @Test
    void attachedSessionIsServedAndListed() {
        int slot = table.attach(5, 4711, 2);

        assertEquals(SessionTable.attachedWord(5), table.state(slot));
        assertEquals(slot, table.find(5));
        assertEquals(4711, table.pid(5));
        assertEquals(2, Words.plain(meta, NodeLayout.session(slot) + NodeLayout.SESSION_EPOCH));
        assertArrayEquals(new int[] {5}, table.all());
        assertEquals(slot, table.attach(5, 4711, 2), "a second lane comes to the same slot");
        assertEquals(1, table.attached());
    }

    @Test
    void sessionThatLeftMayComeBack() {
        table.attach(5, 1, 1);
        table.detach(5);

        assertFalse(maySendVerbs(5));
        assertEquals(0, table.all().length);
        table.attach(5, 1, 1);
        assertTrue(maySendVerbs(5));
    }

    /** A session that was only slow tries to attach after its records were repaired: it must be refused for ever. */
    @Test
    void revokedSessionStaysOutAlsoWhenForgotten() {
        table.attach(5, 1, 1);
        table.revoke(5);

        assertFalse(maySendVerbs(5));
        assertTrue(table.isRevoked(5));
        assertRefused(Reason.KEY, () -> table.attach(5, 1, 1));
        table.detach(5);
        assertTrue(table.isRevoked(5), "it cannot clear its own revocation");

        table.forget(5);
        assertFalse(table.isRevoked(5));
        assertTrue(table.isOver(5));
        assertEquals(0, table.all().length);
        assertRefused(Reason.KEY, () -> table.attach(5, 1, 1));
        assertFalse(maySendVerbs(5));
    }

    /** Recovery revokes at every node, also at nodes to which the slow session has not connected yet. */
    @Test
    void sessionRevokedBeforeItCameStaysOut() {
        table.revoke(5);
        table.revoke(5);

        assertTrue(table.isRevoked(5));
        assertArrayEquals(new int[] {5}, table.all());
        assertEquals(1, table.revoked());
        assertRefused(Reason.KEY, () -> table.attach(5, 1, 1));
    }

    @Test
    void revokingOneLeavesTheOthers() {
        for (int session : new int[] {1, 63, 64, 65, 4096, NodeLayout.CONTROL_SESSION}) table.attach(session, 1, 1);
        table.revoke(64);

        assertFalse(maySendVerbs(64));
        for (int session : new int[] {1, 63, 65, 4096, NodeLayout.CONTROL_SESSION}) {
            assertTrue(maySendVerbs(session), "session=" + session);
            assertFalse(table.isOver(session), "session=" + session);
        }
    }

    @Test
    void forgettingAnAttachedSessionDoesNothing() {
        table.attach(5, 1, 1);
        table.forget(5);

        assertTrue(maySendVerbs(5));
    }

    @Test
    void fullTableRefusesNewcomersAndStillFences() {
        for (int session = 1; session <= NodeLayout.SESSIONS; session++) table.attach(session, 1, 1);

        MemoryNodeException e = assertThrows(MemoryNodeException.class, () -> table.attach(5000, 1, 1));
        assertEquals(Reason.FULL, e.reason());
        assertEquals("all 1024 session slots are taken; recover or forget dead sessions", e.getMessage());
        assertEquals(NodeLayout.SESSIONS, table.all().length);

        table.revoke(6000); // there is no slot to list it in
        table.detach(17);
        assertRefused(Reason.KEY, () -> table.attach(6000, 1, 1));
        table.attach(5000, 1, 1);
        assertTrue(maySendVerbs(5000));
    }

    /** Session 0 would match every free slot. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, NodeLayout.SESSION_NUMBERS, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void numbersThatNoSessionHasAreRefused(int session) {
        for (Runnable call : List.<Runnable>of(
                () -> table.attach(session, 1, 1),
                () -> table.revoke(session),
                () -> table.find(session),
                () -> table.isOver(session),
                () -> table.isRevoked(session),
                () -> table.detach(session),
                () -> table.forget(session))) assertRefused(Reason.ARGUMENT, call);
        assertEquals(0, table.all().length);
    }

    /** Each of the 2^23 sessions has a bit of its own. */
    @Test
    void lastNumberHasItsBitInsideTheNode() {
        assertTrue(NodeLayout.over(NodeLayout.SESSION_NUMBERS - 1) + 8 <= NodeLayout.BYTES);
        assertTrue(NodeLayout.over(1) >= NodeLayout.session(NodeLayout.SESSIONS - 1) + 64);
        table.revoke(NodeLayout.SESSION_NUMBERS - 1);
        assertTrue(table.isOver(NodeLayout.SESSION_NUMBERS - 1));
        assertFalse(table.isOver(NodeLayout.SESSION_NUMBERS - 2));
    }

    /** In either order, when attach and revoke have finished, the revoked session is not served. */
    @Test
    void attachingWhileBeingRevokedEndsRevoked() {
        StartLine line = new StartLine(2);
        Together.run(2, t -> {
            for (int session = 1; session <= 500; session++) {
                line.await();
                if (t == 0) table.revoke(session);
                else attachOrBeRefused(session);
                line.await();
                if (t == 0) continue;
                assertFalse(maySendVerbs(session), "session=" + session);
                assertTrue(table.isRevoked(session), "session=" + session);
                table.forget(session);
                assertEquals(0, table.all().length, "session=" + session);
            }
        });
    }

    private void attachOrBeRefused(int session) {
        try {
            table.attach(session, 1, 1);
        } catch (MemoryNodeException e) {
            assertEquals(Reason.KEY, e.reason());
        }
    }

    /** Lanes of one session connect at the same time: one slot serves them all. */
    @Test
    void lanesThatComeTogetherShareASlot() {
        StartLine line = new StartLine(2);
        AtomicIntegerArray slots = new AtomicIntegerArray(2 * 1000);
        Together.run(2, t -> {
            for (int i = 0; i < 1000; i++) {
                line.await();
                slots.set(2 * i + t, table.attach(1 + i, 1, 1));
            }
        });

        assertEquals(1000, table.attached());
        for (int i = 0; i < slots.length(); i++) assertEquals(slots.get(i / 2 * 2), slots.get(i));
    }

    /** A session that must leave slots to others is refused earlier, and the others get in. */
    @Test
    void someSlotsAreKeptForThoseWhoNeedThemMore() {
        int reserved = NodeLayout.RESERVED_SLOTS;
        for (int i = 1; i <= NodeLayout.SESSIONS - reserved; i++) table.attach(i, 1, 1, reserved);
        MemoryNodeException refused = assertThrows(MemoryNodeException.class, () -> table.attach(5000, 1, 1, reserved));
        assertEquals(
                "all session slots are taken but 16, which are for administrators; recover or forget dead sessions",
                refused.getMessage());
        assertEquals(NodeLayout.SESSIONS - reserved, table.used());
        for (int i = 1; i <= reserved; i++) table.attach(6000 + i, 1, 1, 0);
        assertThrows(MemoryNodeException.class, () -> table.attach(7000, 1, 1, 0));
        table.detach(1);
        assertThrows(MemoryNodeException.class, () -> table.attach(5000, 1, 1, reserved));
        table.attach(7000, 1, 1, 0);
    }

    /** All readers share this number, so no session may be revoked or attached under it. */
    @Test
    void theNumberOfReadersHasNoSlot() {
        int readers = NodeLayout.READER_SESSION;
        assertThrows(MemoryNodeException.class, () -> table.attach(readers, 1, 1));
        assertThrows(MemoryNodeException.class, () -> table.revoke(readers));
        assertEquals(0, table.used());
        assertFalse(table.isOver(readers));
    }
}
