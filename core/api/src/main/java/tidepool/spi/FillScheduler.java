package tidepool.spi;

import java.util.function.BooleanSupplier;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * The part of a {@link Steward} that fills new copies, each time with a session of its own, and marks them as whole.
 */
final class FillScheduler {
    private static final System.Logger LOG = System.getLogger("tidepool");

    private final Membership membership;
    private final PoolOptions options;
    private final Protocol protocol;
    private final BooleanSupplier isClosed;
    private int failed; // a filling session that could not end cleanly; 0 if there is none
    private long failedIn; // its epoch

    /** @param isClosed returns whether filling is to stop */
    FillScheduler(Membership membership, PoolOptions options, Protocol protocol, BooleanSupplier isClosed) {
        this.membership = membership;
        this.options = options;
        this.protocol = protocol;
        this.isClosed = isClosed;
    }

    /** Fills all copies that a roster marks as filling. Waits until they are whole. */
    void fill(Roster roster, StewardListener listener) {
        try (Fabric fabric = membership.open(roster);
                Session session = fabric.attach()) {
            try {
                fill(roster, fabric, session, listener);
            } catch (FabricException e) {
                failed = session.number();
                failedIn = roster.epoch();
                revoke(fabric, failed); // before it leaves: a session that left is not recovered
                throw e;
            }
        }
    }

    private void fill(Roster roster, Fabric fabric, Session session, StewardListener listener) {
        Catalog catalog = Catalog.open(fabric, session, options, protocol.flush(), roster);
        if (catalog.flush().isDurable() && catalog.hasLostPower()) {
            protocol.recovery(session, catalog).afterPowerLoss(); // no other session may have a reason to
            return;
        }
        ReplicaFill fill = protocol.fill(session, catalog, new TxnCounter());
        try (fill) {
            for (int p = 0; p < roster.partitions().size(); p++) {
                if (roster.partitions().get(p).filling().isEmpty()) continue;
                fill.fill(p, new Filling(roster, p, fabric, session, catalog, listener));
                for (int member : roster.partitions().get(p).filling()) {
                    sayFilled(roster.epoch(), p, member);
                    membership.progress().filled(p, roster.members().get(member).identity(), 1, 1);
                }
                listener.filled(roster, p, fill.copied());
            }
        }
        if (fill.isBroken()) throw FabricException.unavailable("a filler could not clean up behind itself");
    }

    /**
     * Revokes a filling session whose links failed and which cannot free its locks. It is then over, and sessions that
     * work in the pool recover it. In another epoch it has been revoked already, like all sessions.
     */
    void giveUp(Roster roster) {
        if (failed != 0 && roster.epoch() == failedIn)
            try (Fabric fabric = membership.open(roster)) {
                revoke(fabric, failed);
            }
        failed = 0;
    }

    /** Revokes a session at all nodes that can be reached. A node that cannot be reached is about to be removed. */
    private static void revoke(Fabric fabric, int session) {
        for (int node = fabric.nodes() - 1; node >= 0; node--) {
            try {
                fabric.control(node).revoke(session);
            } catch (FabricException e) {
                LOG.log(System.Logger.Level.DEBUG, "not revoked where nobody answers: {0}", e.getMessage());
            }
        }
    }

    /** Checks between the pieces of a partition that is being filled, and while a lock blocks the filling. */
    private final class Filling implements ReplicaFill.Progress {
        private final Roster roster;
        private final int partition;
        private final Fabric fabric;
        private final Session session;
        private final Catalog catalog;
        private final StewardListener listener;

        Filling(
                Roster roster,
                int partition,
                Fabric fabric,
                Session session,
                Catalog catalog,
                StewardListener listener) {
            this.roster = roster;
            this.partition = partition;
            this.fabric = fabric;
            this.session = session;
            this.catalog = catalog;
            this.listener = listener;
        }

        @Override
        public void at(long bytes, long of) {
            requireNoNews();
            for (int member : roster.partitions().get(partition).filling())
                membership
                        .progress()
                        .filled(partition, roster.members().get(member).identity(), bytes, of);
            listener.filling(roster, partition, bytes, of);
        }

        /** Recovers dead sessions. The holder of the lock may be dead, and this session the only one in the pool. */
        @Override
        public void blocked() {
            requireNoNews();
            for (int number : fabric.control(0).sessions())
                if (number != session.number()
                        && (fabric.isDead(number) || fabric.control(0).isRevoked(number)))
                    protocol.recovery(session, catalog).recover(number);
        }

        /**
         * Stops the filling if a member is gone. The member is removed first, because freeing the lock that blocks the
         * filling may need that.
         */
        private void requireNoNews() {
            if (isClosed.getAsBoolean()) throw FabricException.unavailable("the pool was closed");
            if (membership.latest().epoch() != roster.epoch())
                throw FabricException.unavailable("the roster has changed");
            for (Roster.Member member : roster.members())
                if (membership.isMissing(member))
                    throw FabricException.unavailable(member.identity() + " is gone, and is taken out first");
        }
    }

    /** Returns the current roster of the epoch. It has unchanged members; flags may have changed. */
    private Roster roster(long epoch) {
        Roster now = membership.read();
        if (now.epoch() != epoch) throw FabricException.unavailable("the roster has changed");
        return now;
    }

    private void sayFilled(long epoch, int partition, int member) {
        while (true) {
            Roster now = roster(epoch);
            if (!now.partitions().get(partition).filling().contains(member)) return;
            if (membership.replace(now, RosterPlan.filled(now, partition, member))) return;
        }
    }
}
