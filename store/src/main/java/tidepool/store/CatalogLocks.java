package tidepool.store;

import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.store.StoreException.Reason;

/** Words of a catalog that name the session which holds them; those of the dead are taken over. */
final class CatalogLocks {
    private static final long PAUSE_NANOS = 100_000;
    private static final int MOST_PAUSES = 100_000;

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

    /** Waits until the lock is ours. */
    void take(long lockAt) {
        for (int i = 0; i < MOST_PAUSES; i++) {
            if (tryTake(lockAt)) return;
            Waiting.pause(PAUSE_NANOS);
        }
        throw new StoreException(Reason.BUSY, "session " + words.get(lockAt) + " holds the catalog's lock");
    }

    boolean tryTake(long lockAt) {
        long holder = words.swap(lockAt, 0, me());
        if (holder == 0) return true;
        return holder != me() && tryTakeFrom(lockAt, holder);
    }

    /**
     * The same for a lock that names besides its session how often power was lost when it was taken. A loss may bring back one
     * that was released, of a session that lives and knows nothing of it: that one is void.
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

    /** Takes the word of a holder that is dead, or cut off by its own process, which goes on under another number. */
    boolean tryTakeFrom(long lockAt, long holder) {
        if (!isOver((int) holder)) return false;
        revoke((int) holder);
        return words.swap(lockAt, holder, me()) == holder;
    }

    /** One that left released its locks; a loss of power may have brought them back. */
    private boolean isOver(int holder) {
        return !isKnown(holder)
                || fabric.isDead(holder)
                || fabric.control(Catalog.NODE).isRevoked(holder);
    }

    /** Nothing that the holder has sent may land behind what its successor does: it is revoked everywhere first. */
    private void revoke(int holder) {
        if (!isKnown(holder)) return;
        for (int node = 0; node < fabric.nodes(); node++) fabric.control(node).revoke(holder);
    }

    private boolean isKnown(int holder) {
        for (int known : fabric.control(Catalog.NODE).sessions()) if (known == holder) return true;
        return false;
    }
}
