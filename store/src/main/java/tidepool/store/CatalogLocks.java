package tidepool.store;

import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.store.StoreException.Reason;

/** Words of a catalog that name the session which holds them; those of the dead are taken over. */
final class CatalogLocks {
    private static final long PAUSE_NANOS = 100_000;
    private static final int MOST_PAUSES = 100_000;

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

    void release(long lockAt) {
        words.swap(lockAt, me(), 0);
    }

    /** Takes the word of a holder that is dead, or cut off by its own process, which goes on under another number. */
    boolean tryTakeFrom(long lockAt, long holder) {
        // One that left released its locks; a loss of power may have brought them back.
        boolean left = !isKnown((int) holder);
        if (!left
                && !fabric.isDead((int) holder)
                && !fabric.control(Catalog.NODE).isRevoked((int) holder)) return false;
        // Nothing that the holder has sent may land behind what its successor does: it is revoked everywhere first.
        if (!left)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke((int) holder);
        return words.swap(lockAt, holder, me()) == holder;
    }

    private boolean isKnown(int holder) {
        for (int known : fabric.control(Catalog.NODE).sessions()) if (known == holder) return true;
        return false;
    }
}
