package tidepool.store;

import java.util.List;
import tidepool.fabric.Fabric;

/**
 * Where the roster of a pool is kept, so that all processes agree on it: in ZooKeeper, or in the simulator. A pool whose
 * nodes are listed in its URL has none, and its nodes are what they are for ever.
 *
 * <p>Safe to be used by several threads or strands at a time. Losing the place where the roster is kept stops changes, and
 * nothing else: {@link #latest} goes on to tell what was last known.
 */
public interface Membership extends AutoCloseable {
    /** The newest roster that this process has heard of. Costs nothing. */
    Roster latest();

    /** Asks for the newest roster. Waits. Fails with {@link tidepool.fabric.FabricException} if nobody can tell. */
    Roster read();

    /**
     * Puts another roster in the place of the one that was read; false if that is no longer the newest. Waits.
     *
     * @param from as {@link #read} gave it
     */
    boolean replace(Roster from, Roster to);

    /** The fabric over the members of a roster, in their order. The caller closes it. */
    Fabric open(Roster roster);

    /**
     * Whether a member certainly serves nobody any more: its lease has run out, or no process is there. False is no proof
     * of life. May wait for a moment.
     */
    boolean isGone(Roster.Member member);

    /** Nodes that have a lease and are not members of the latest roster: new ones, and those that came back. */
    List<Roster.Member> strangers();

    @Override
    void close();
}
