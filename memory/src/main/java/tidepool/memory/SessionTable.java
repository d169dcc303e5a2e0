package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * Which sessions a node serves. One word per session says number and state, so that the check before a verb is one read,
 * and revoking is one swap.
 *
 * <p><b>Fencing.</b> A recoverer revokes at every node, also at those that the dead session never came to, and a session
 * that was only slow may knock later, even after it was forgotten. So a revocation also sets a bit that stays for ever:
 * numbers are never used twice. The one who revokes sets the bit and then looks at the slots; the one who attaches takes
 * a slot and then looks at the bit; whichever is later sees the other.
 */
public final class SessionTable {
    private final MemorySegment meta;

    SessionTable(MemorySegment meta) {
        this.meta = meta;
    }

    /** What the slot's state word is while this session may send verbs. */
    public static long attachedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_ATTACHED;
    }

    private static long revokedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_REVOKED;
    }

    /**
     * Lets a session in; returns its slot, the same one if it is in already. Refused for ever once it was revoked here.
     * Synchronized, because lanes of one session may come at the same time; all of them live in one process.
     */
    public int attach(int session, long pid, long epoch) {
        return attach(session, pid, epoch, 0);
    }

    /**
     * Lets a session in if more slots are free than it must leave to others.
     *
     * @param reserved slots that others need more
     */
    public synchronized int attach(int session, long pid, long epoch, int reserved) {
        known(session);
        refuseReader(session);
        refuseIfOver(session);
        int slot = find(session);
        if (slot >= 0) return slot;
        if (used() >= NodeLayout.SESSIONS - reserved) throw full(reserved);
        passed(session);
        slot = take(attachedWord(session));
        if (slot < 0) throw full(0);
        Words.release(meta, NodeLayout.session(slot) + NodeLayout.SESSION_PID, pid);
        Words.release(meta, NodeLayout.session(slot) + NodeLayout.SESSION_EPOCH, epoch);
        if (isOver(session)) change(session, attachedWord(session), revokedWord(session));
        refuseIfOver(session);
        return slot;
    }

    /**
     * The slot of a session that was let in before. Links are made by this and not by {@link #attach}: a session that was
     * revoked and forgotten, or that left, must not get in again because it tries once more, however late.
     */
    public int attached(int session) {
        int slot = find(session);
        if (slot >= 0 && state(slot) == attachedWord(session)) return slot;
        throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked or has left");
    }

    /** The word to compare with {@link #attachedWord}. */
    public long state(int slot) {
        return Words.volatileGet(meta, stateOffset(slot));
    }

    /** Where that word lies in the node's meta memory. */
    public static long stateOffset(int slot) {
        return NodeLayout.session(slot) + NodeLayout.SESSION_STATE;
    }

    /** The slot of a session, attached or revoked; -1 if it is not known here. */
    public int find(int session) {
        known(session);
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) >>> 8 == session) return slot;
        return -1;
    }

    /**
     * Marks a session revoked, whether it ever came here or not; whoever calls must then see to it that nothing of it is
     * still under way.
     */
    public void revoke(int session) {
        known(session);
        refuseReader(session);
        passed(session);
        setOver(session);
        change(session, attachedWord(session), revokedWord(session));
        // One that never came gets a slot too, so that it is listed until it is forgotten. If all slots are taken it is
        // not listed, and still refused.
        if (find(session) < 0) take(revokedWord(session));
    }

    /**
     * Numbers are given by the first node of a pool, and this one may be the first after it is lost: what was seen here is
     * not given again.
     */
    private void passed(int session) {
        while (true) {
            long next = Words.volatileGet(meta, NodeLayout.NEXT_SESSION);
            if (next > session || Words.compareAndSwap(meta, NodeLayout.NEXT_SESSION, next, session + 1L) == next)
                return;
        }
    }

    /** Whether it was revoked here and not yet forgotten. */
    public boolean isRevoked(int session) {
        int slot = find(session);
        return slot >= 0 && state(slot) == revokedWord(session);
    }

    /** Whether it was ever revoked here; stays true when it is forgotten. */
    public boolean isOver(int session) {
        known(session);
        return (Words.volatileGet(meta, NodeLayout.over(session)) & overBit(session)) != 0;
    }

    /** The process of a session, for people; 0 if it is not known here. */
    public long pid(int session) {
        int slot = find(session);
        return slot < 0 ? 0 : Words.acquire(meta, NodeLayout.session(slot) + NodeLayout.SESSION_PID);
    }

    /** A session leaves by itself. */
    public void detach(int session) {
        known(session);
        change(session, attachedWord(session), 0);
    }

    /** Takes a revoked session off the list, once everything it left is repaired. It stays refused. */
    public void forget(int session) {
        known(session);
        change(session, revokedWord(session), 0);
    }

    /** Every session attached or revoked and not forgotten, in the order of the slots. */
    public int[] all() {
        // Asked often where few are: counted first, so that little is allocated. Who comes meanwhile is found next
        // time.
        int used = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) >>> 8 != 0) used++;
        int[] found = new int[used];
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS && count < used; slot++) {
            int session = (int) (state(slot) >>> 8);
            if (session != 0 && !contains(found, count, session)) found[count++] = session;
        }
        return count == used ? found : Arrays.copyOf(found, count);
    }

    /** How many slots are taken, by sessions attached or revoked and not forgotten. */
    public int used() {
        int used = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) != 0) used++;
        return used;
    }

    int attached() {
        return countState(NodeLayout.SESSION_ATTACHED);
    }

    int revoked() {
        return countState(NodeLayout.SESSION_REVOKED);
    }

    /** Two who revoke the same stranger at once may each take a slot for it. */
    private static boolean contains(int[] sessions, int count, int session) {
        for (int i = 0; i < count; i++) if (sessions[i] == session) return true;
        return false;
    }

    private int countState(long wanted) {
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if ((state(slot) & 0xff) == wanted) count++;
        return count;
    }

    private int take(long word) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++)
            if (state(slot) == 0 && Words.compareAndSwap(meta, stateOffset(slot), 0, word) == 0) return slot;
        return -1;
    }

    /** In every slot, not only the first: a session must not live on in a second one. */
    private void change(int session, long from, long to) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++)
            if (state(slot) >>> 8 == session) Words.compareAndSwap(meta, stateOffset(slot), from, to);
    }

    private void setOver(int session) {
        long bit = overBit(session);
        Atomics.maskedCompareAndSwap(meta, NodeLayout.over(session), 0, bit, bit, bit);
    }

    private static long overBit(int session) {
        return 1L << (session % Long.SIZE);
    }

    private void refuseIfOver(int session) {
        if (isOver(session)) throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked");
    }

    private static MemoryNodeException full(int reserved) {
        String which = reserved == 0
                ? "all " + NodeLayout.SESSIONS + " session slots are taken"
                : "all session slots are taken but " + reserved + ", which are for administrators";
        return new MemoryNodeException(Reason.FULL, which + "; recover or forget dead sessions");
    }

    private static void refuseReader(int session) {
        if (session == NodeLayout.READER_SESSION)
            throw new MemoryNodeException(
                    Reason.ARGUMENT, "session " + session + " is that of all readers, and has no slot");
    }

    /** 0 would be found in every free slot, and a longer number in another one's bits. */
    private static void known(int session) {
        if (session <= 0 || session >= NodeLayout.SESSION_NUMBERS)
            throw new MemoryNodeException(Reason.ARGUMENT, "a session is 1 to 2^23 - 1: session=" + session);
    }
}
