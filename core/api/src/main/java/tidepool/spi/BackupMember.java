package tidepool.spi;

import java.util.Set;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.FabricException;
import tidepool.store.Membership;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/**
 * A temporary member of a pool that receives a copy of every partition. It joins, is filled while transactions run, and
 * is split off at one moment. After any failure the pool is left without it, and steady.
 */
@SuppressWarnings("exports") // its callers require the modules below
public final class BackupMember {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long PAUSE_NANOS = 10_000_000;

    /** How long removal of the member is retried after a failure. */
    private static final long TAKE_OUT_NANOS = 60_000_000_000L;

    private final Membership membership;
    private final Steward steward;
    private final Roster.Member member;

    /** @param member a node that runs and is in no roster */
    public BackupMember(Membership membership, Steward steward, Roster.Member member) {
        this.membership = membership;
        this.steward = steward;
        this.member = member;
    }

    /**
     * Has the member filled and splits it off. Waits until that is done. Returns the highest number of a session that
     * can have written something.
     */
    public int splitOff() {
        try {
            join();
            return steward.splitOff(member);
        } catch (RuntimeException e) {
            takeOut();
            throw e;
        }
    }

    private void join() {
        while (true) {
            Roster roster = membership.read();
            if (roster.position(member.identity()) >= 0) return;
            if (roster.steady()) {
                Roster with = RosterPlan.with(roster, member);
                steward.change(roster, RosterPlan.copiedTo(with, with.position(member.identity())));
            } else if (!steward.tend()) Waiting.pause(PAUSE_NANOS);
        }
    }

    /** Removes the member. Retries, because the member may be in a roster that is changing. */
    private void takeOut() {
        long deadline = Clock.current().nowNanos() + TAKE_OUT_NANOS;
        String trouble = "it takes too long";
        while (Clock.current().nowNanos() < deadline) {
            try {
                Roster roster = membership.read();
                int position = roster.position(member.identity());
                if (position < 0 && roster.steady()) return;
                if (position >= 0) steward.change(roster, RosterPlan.without(roster, Set.of(position)));
                else if (!steward.tend()) Waiting.pause(PAUSE_NANOS);
            } catch (StoreException e) {
                trouble = e.getMessage();
                break; // it has the last whole copy of a partition: leaving it in loses nothing
            } catch (FabricException e) {
                trouble = e.getMessage();
                Waiting.pause(PAUSE_NANOS);
            }
        }
        LOG.log(System.Logger.Level.WARNING, "{0} is still a member: {1}", member.identity(), trouble);
    }
}
