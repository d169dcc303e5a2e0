package tidepool.store;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;

/**
 * The place where the roster of a pool is kept, so that all processes agree on it: ZooKeeper, or the simulator. A pool
 * whose nodes are listed in its URL has none, and its nodes never change.
 *
 * <p>Safe for use by several threads or strands at a time. If the place is lost, changes stop, and nothing else:
 * {@link #latest} still returns the last known roster.
 */
public interface Membership extends AutoCloseable {
    /**
     * Opens the place that a URL names, such as {@code zk://HOST:PORT,…/POOL}. Returns null if URLs of this scheme keep
     * no roster.
     */
    static Membership open(FabricUrl url) {
        for (MembershipProvider provider :
                ServiceLoader.load(MembershipProvider.class, Membership.class.getClassLoader()))
            if (provider.scheme().equals(url.scheme())) return provider.open(url);
        if (url.scheme().equals("zk"))
            throw new IllegalArgumentException(
                    "pools in ZooKeeper need the library tidepool-zookeeper, which is not here: " + url.text());
        return null;
    }

    /** Returns the prefixes of the URLs that {@link #open} understands, such as {@code zk:}. */
    static List<String> schemes() {
        List<String> all = new ArrayList<>();
        for (MembershipProvider provider :
                ServiceLoader.load(MembershipProvider.class, Membership.class.getClassLoader()))
            all.add(provider.scheme() + ":");
        return all;
    }

    /** Returns the URL, completed by the parameters with which the pool was made, where the URL does not give them. */
    default FabricUrl complete(FabricUrl url) {
        return url;
    }

    /** Returns the newest roster that this process has received. Costs nothing. */
    Roster latest();

    /**
     * Asks for the newest roster and waits for the answer. Fails with {@link tidepool.fabric.FabricException} if there
     * is none.
     */
    Roster read();

    /**
     * Returns the newest known roster, for callers that poll. Asks for it only where no notification delivers it, and
     * may wait for the answer.
     */
    default Roster news() {
        return read();
    }

    /**
     * Replaces the roster that was read by another one, and waits for the result. Returns false if the roster that was
     * read is no longer the newest.
     *
     * @param from as {@link #read} returned it
     */
    boolean replace(Roster from, Roster to);

    /** Opens the fabric over the members of a roster, in their order. The caller closes it. */
    Fabric open(Roster roster);

    /**
     * Returns whether a member certainly serves no session any more: its process is gone, or was replaced by another.
     * False does not prove that the member lives. May wait for a moment.
     */
    boolean isGone(Roster.Member member);

    /**
     * Returns whether the lease of a member has run out, so that the member is to be removed though it may still serve
     * sessions. A steward that removes it without knowing that it {@link #isGone} waits until no session trusts its
     * answers any more.
     */
    default boolean isMissing(Roster.Member member) {
        return isGone(member);
    }

    /** Returns whether a member, or a node that may become one, answers this process now. May wait for a moment. */
    default boolean answers(Roster.Member member) {
        return !isMissing(member);
    }

    /**
     * Reports which members this process cannot reach, so that all processes agree on which to remove. Every process
     * that has the pool open calls it repeatedly. May wait for a moment.
     */
    default void report() {}

    /**
     * Makes a live member refuse sessions that know an older roster, from here on. Returns true if it does. For planned
     * removals: the change then need not wait until no session trusts the member any more. May wait for a moment.
     */
    default boolean fence(Roster.Member member, long epoch) {
        return false;
    }

    /**
     * Makes this process the leader that changes the roster, unless another live process leads. Returns true if this
     * process leads. Changes are correct without a single leader, but several leaders would delay each other. Waits for
     * the answer.
     */
    default boolean lead() {
        return true;
    }

    /** Lets another process lead. This process leads again later if no other does. May wait for a moment. */
    default void resign() {}

    /** Returns the listener for the progress of filling. */
    default FillProgressListener progress() {
        return FillProgressListener.NONE;
    }

    /**
     * Returns the nodes that have a lease and are not members of the latest roster: new ones, and those that came back.
     */
    List<Roster.Member> strangers();

    @Override
    void close();
}
