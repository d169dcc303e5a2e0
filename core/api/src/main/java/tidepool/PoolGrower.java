package tidepool;

import tidepool.base.Clock;
import tidepool.protocol.Recovery;
import tidepool.spi.GrowthListener;
import tidepool.store.PoolGrowth;

/**
 * The growth of a pool by this process, in a session of its own, which shuts out and recovers all other sessions.
 * {@code docs/decisions/0037-pool-growth.md} has the crash table. Tests that plant bugs override a step.
 */
class PoolGrower {
    private final SessionManager sessions;
    private final FencedWork alone;

    PoolGrower(SessionManager sessions) {
        this.sessions = sessions;
        this.alone = new FencedWork(sessions);
    }

    /**
     * Gives each copy of a partition a number of bytes, and waits for that. If the fabric fails, tries again with
     * another session: copies that are large enough are passed over.
     */
    void grow(long bytes, GrowthListener listener) {
        String what = "growing the pool to memory=" + bytes;
        alone.run(what, "the pool has grown", visit -> {
            // Made before the catalog is locked: some recoverers look up what they lock the catalog for.
            Recovery recovery = sessions.recovery(visit);
            try (PoolGrowth growth = visit.catalog().growth(bytes)) {
                if (!growth.prepare()) return false;
                listener.prepared(growth.preparedBytes());
                long begun = Clock.current().nowNanos();
                growth.announce();
                shutOut(visit, recovery, what);
                change(growth, listener);
                listener.grown(growth.before(), growth.after(), Clock.current().nowNanos() - begun);
                return true;
            }
        });
    }

    /** Carries the growth out, when no other session uses the pool. */
    void change(PoolGrowth growth, GrowthListener listener) {
        growth.copy(listener::copied);
        growth.switchOver();
        growth.raise();
    }

    /** Revokes and recovers all other sessions. */
    void shutOut(SessionManager.Visit visit, Recovery recovery, String what) {
        alone.shutOut(visit, recovery, what);
    }
}
