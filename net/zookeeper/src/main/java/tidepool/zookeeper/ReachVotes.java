package tidepool.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.fabric.FabricException;

/**
 * The votes of processes about unreachable members, in ZooKeeper. Each process that has the pool open has an entry, and
 * one more for each member that it cannot reach; both disappear with its session. A member that most processes cannot
 * reach is lost to the pool, even if it still reaches ZooKeeper. {@code docs/decisions/0015-unreachable-members.md}
 * gives the reasons.
 */
final class ReachVotes {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");
    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final ZooKeeperClient client;
    private final PoolPaths paths;
    // identities of members that were voted against in the session below
    private final Set<String> said = new HashSet<>();
    private long session; // the ZooKeeper session of this process's entry; 0 if it has none
    private int clients;
    private List<String> votes = List.of();
    private long lookedNanos;

    ReachVotes(ZooKeeperClient client, PoolPaths paths) {
        this.client = client;
        this.paths = paths;
    }

    /**
     * Returns whether {@code against} votes of {@code clients} processes that have the pool open are enough: most of
     * them, and at least two unless there is only one process.
     */
    static boolean isEnough(int against, int clients) {
        return clients <= 1 ? against == 1 : against >= 2 && 2 * against > clients;
    }

    /**
     * Writes that this process has the pool open, and which members it cannot reach. If ZooKeeper is away, the next
     * call writes everything again.
     */
    synchronized void say(Set<String> unreachable) {
        try {
            long now = client.sessionId();
            if (now != session) {
                said.clear();
                client.create(paths.client(name(now)), "", true);
                session = now;
            }
            for (String identity : unreachable)
                if (said.add(identity)) client.create(paths.vote(identity, name(now)), "", true);
            for (String identity : List.copyOf(said))
                if (!unreachable.contains(identity)) {
                    client.delete(paths.vote(identity, name(now)));
                    said.remove(identity);
                }
        } catch (FabricException e) {
            session = 0; // the next call writes everything again
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    private static String name(long session) {
        return Long.toHexString(session);
    }

    /** Returns whether enough live processes cannot reach a member. */
    synchronized boolean isLost(String identity) {
        if (lookedNanos == 0 || System.nanoTime() - lookedNanos > LOOK_AGAIN_NANOS) look();
        return isEnough(against(identity), clients);
    }

    /** Returns how many live processes cannot reach a member, as of the last read. */
    private int against(String identity) {
        return (int)
                votes.stream().filter(vote -> vote.startsWith(identity + "@")).count();
    }

    private void look() {
        try {
            votes = client.children(paths.votes());
            // A process whose session has just ended may be in one list and not in the other. The number of clients is
            // never less than that of voters.
            clients = Math.max(client.children(paths.clients()).size(), voters());
            lookedNanos = System.nanoTime();
        } catch (FabricException e) {
            votes = List.of(); // no member is lost while ZooKeeper does not answer
            clients = 0;
        }
    }

    private int voters() {
        return (int) votes.stream()
                .map(vote -> vote.substring(vote.indexOf('@') + 1))
                .distinct()
                .count();
    }
}
