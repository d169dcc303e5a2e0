package tidepool.store;

import tidepool.fabric.Fabric;
import tidepool.fabric.Session;

/** The locks of a catalog: words that name the session which holds them. Locks of dead sessions are taken over. */
final class CatalogLocks {
    private static final int LOSSES_SHIFT = 24;
    private static final long SESSION_MASK = (1L << LOSSES_SHIFT) - 1;

    private final Fabric fabric;
    private final Session session;
    private final CatalogWords words;

    CatalogLocks(Fabric fabric, Session session, CatalogWords words) {
        this.fabric = fabric;
        this.session = session;
        this.words = words;
    }

    int me() {
        return session.number();
    }

    boolean tryTake(long lockAt) {
        long holder = words.swap(lockAt, 0, me());
        if (holder == 0) return true;
        return holder != me() && tryTakeFrom(lockAt, holder);
    }

    /**
     * Tries to take a lock that names its session and how often power was lost when it was taken. A loss of power may
     * bring back a lock that its session has released. The session may live and not know about it, so such a lock is
     * void.
     */
    boolean tryTake(long lockAt, long losses) {
        long mine = losses << LOSSES_SHIFT | me();
        long holder = words.swap(lockAt, 0, mine);
        if (holder == 0) return true;
        int session = (int) (holder & SESSION_MASK);
        boolean isVoid = holder >>> LOSSES_SHIFT != losses;
        if (isVoid && session == me()) return words.swap(lockAt, holder, mine) == holder;
        if (session == me() || !isVoid && !isOver(session)) return false;
        revoke(session);
        return words.swap(lockAt, holder, mine) == holder;
    }

    void release(long lockAt, long losses) {
        words.swap(lockAt, losses << LOSSES_SHIFT | me(), 0);
    }

    void release(long lockAt) {
        words.swap(lockAt, me(), 0);
    }

    /**
     * Takes the word of a holder that is dead, or that was revoked by its own process, which continues under another
     * number.
     */
    boolean tryTakeFrom(long lockAt, long holder) {
        if (!isOver((int) holder)) return false;
        revoke((int) holder);
        return words.swap(lockAt, holder, me()) == holder;
    }

    /**
     * Returns whether a session is over. A session that left has released its locks, but a loss of power may have
     * brought them back.
     */
    private boolean isOver(int holder) {
        return !isKnown(holder)
                || fabric.isDead(holder)
                || fabric.control(Catalog.NODE).isRevoked(holder);
    }

    /** Revokes the holder at all nodes. Otherwise one of its verbs could land after those of its successor. */
    private void revoke(int holder) {
        if (!isKnown(holder)) return;
        for (int node = 0; node < fabric.nodes(); node++) fabric.control(node).revoke(holder);
    }

    private boolean isKnown(int holder) {
        for (int known : fabric.control(Catalog.NODE).sessions()) if (known == holder) return true;
        return false;
    }
}
