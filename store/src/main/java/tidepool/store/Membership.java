package tidepool.store;

import java.util.List;
import java.util.ServiceLoader;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;

/**
 * Where the roster of a pool is kept, so that all processes agree on it: in ZooKeeper, or in the simulator. A pool whose
 * nodes are listed in its URL has none, and its nodes are what they are for ever.
 *
 * <p>Safe to be used by several threads or strands at a time. Losing the place where the roster is kept stops changes, and
 * nothing else: {@link #latest} goes on to tell what was last known.
 */
public interface Membership extends AutoCloseable {
    /** Opens the place that a URL names, such as {@code zk://HOST:PORT,…/POOL}; null if no roster is kept by such URLs. */
    static Membership open(FabricUrl url) {
        for (MembershipProvider provider :
                ServiceLoader.load(MembershipProvider.class, Membership.class.getClassLoader()))
            if (provider.scheme().equals(url.scheme())) return provider.open(url);
        if (url.scheme().equals("zk"))
            throw new IllegalArgumentException(
                    "pools in ZooKeeper need the library tidepool-cluster, which is not here: " + url.text());
        return null;
    }

    /** The same URL with what was agreed on when the pool was made, where it says nothing else. */
    default FabricUrl complete(FabricUrl url) {
        return url;
    }

    /** The newest roster that this process has heard of. Costs nothing. */
    Roster latest();

    /** Asks for the newest roster. Waits. Fails with {@link tidepool.fabric.FabricException} if nobody can tell. */
    Roster read();

    /**
     * The newest roster that is known, for those who look again and again: asked for only where nobody tells it. May wait.
     */
    default Roster news() {
        return read();
    }

    /**
     * Puts another roster in the place of the one that was read; false if that is no longer the newest. Waits.
     *
     * @param from as {@link #read} gave it
     */
    boolean replace(Roster from, Roster to);

    /** The fabric over the members of a roster, in their order. The caller closes it. */
    Fabric open(Roster roster);

    /**
     * Whether a member certainly serves nobody any more: no process is there, or another one. False is no proof of life.
     * May wait for a moment.
     */
    boolean isGone(Roster.Member member);

    /**
     * Whether a member has not been heard for so long that it is to be removed, though it may still serve somebody: its
     * lease has run out. A steward that removes it without knowing that it {@link #isGone} waits until no session believes it
     * any more.
     */
    default boolean isMissing(Roster.Member member) {
        return isGone(member);
    }

    /** Whether a member, or a node that may become one, answers this process now. May wait for a moment. */
    default boolean answers(Roster.Member member) {
        return !isMissing(member);
    }

    /**
     * Tells the others which members this process cannot reach, so that they agree on whom to remove; said by every process
     * that has the pool open, again and again. May wait for a moment.
     */
    default void report() {}

    /**
     * Has a member that lives refuse whoever knows an older roster, from here on; true if it does. For those that are taken out
     * as planned: then nobody has to wait. May wait for a moment.
     */
    default boolean fence(Roster.Member member, long epoch) {
        return false;
    }

    /**
     * Makes this process the one that changes the roster, unless another one is that lives; true if it is. Nobody has to be
     * the only one for changes to be right, but several would hold each other up. Waits.
     */
    default boolean lead() {
        return true;
    }

    /** Lets another process lead. This one leads again later if no other does. May wait for a moment. */
    default void resign() {}

    /** Where the progress of filling is told. */
    default Progress progress() {
        return Progress.NONE;
    }

    /** Nodes that have a lease and are not members of the latest roster: new ones, and those that came back. */
    List<Roster.Member> strangers();

    @Override
    void close();
}
