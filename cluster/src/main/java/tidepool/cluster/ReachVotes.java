package tidepool.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.fabric.FabricException;

/**
 * Which members the processes that have a pool open cannot reach, in ZooKeeper: each process has an entry, and one more for
 * each member that it cannot reach; both are gone with its session. A member that most processes cannot reach is lost to the
 * pool, whatever ZooKeeper hears of it. {@code docs/decisions/0015-unreachable-members.md} says why so.
 */
final class ReachVotes {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");
    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final ZooKeeperClient client;
    private final PoolPaths paths;
    private final Set<String> said = new HashSet<>(); // identities of members, in the session below
    private long session; // in which this process has its entry; 0 if it has none
    private int clients;
    private List<String> votes = List.of();
    private long lookedNanos;

    ReachVotes(ZooKeeperClient client, PoolPaths paths) {
        this.client = client;
        this.paths = paths;
    }

    /** Whether so many processes of all that have the pool open are enough: most of them, and two unless there is only one. */
    static boolean isEnough(int against, int clients) {
        return clients <= 1 ? against == 1 : against >= 2 && 2 * against > clients;
    }

    /** Says which members this process cannot reach, and that it has the pool open. That ZooKeeper is away changes nothing. */
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
            session = 0; // said again from the start
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    private static String name(long session) {
        return Long.toHexString(session);
    }

    /** Whether enough processes that live cannot reach a member. */
    synchronized boolean isLost(String identity) {
        if (lookedNanos == 0 || System.nanoTime() - lookedNanos > LOOK_AGAIN_NANOS) look();
        return isEnough(against(identity), clients);
    }

    /** How many processes that live cannot reach a member, as of the last look. */
    private int against(String identity) {
        return (int)
                votes.stream().filter(vote -> vote.startsWith(identity + "@")).count();
    }

    private void look() {
        try {
            votes = client.children(paths.votes());
            // A process whose session has just ended may be in one list and not in the other: never fewer than voters.
            clients = Math.max(client.children(paths.clients()).size(), most());
            lookedNanos = System.nanoTime();
        } catch (FabricException e) {
            votes = List.of(); // nothing is decided while ZooKeeper does not answer
            clients = 0;
        }
    }

    private int most() {
        return (int) votes.stream()
                .map(vote -> vote.substring(vote.indexOf('@') + 1))
                .distinct()
                .count();
    }
}
