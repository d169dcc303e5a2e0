package tidepool.zookeeper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.Roster.Member;
import tidepool.tcp.TcpRosterOpener;
import tidepool.wire.HostPort;

/**
 * The liveness of members as this process sees it, cheap enough to be asked all the time. A member to which an open
 * fabric is connected is alive. Any other member is asked at most every 50 ms, over a connection of its own.
 */
final class MemberLiveness {
    /** How long to wait for a node that did not answer the last time. */
    private static final Duration SILENT_PATIENCE = Duration.ofMillis(500);

    private static final long LOOK_AGAIN_NANOS = 50_000_000;

    /**
     * A member that has not answered for this long counts as unreachable for this process; equal to the usual lease.
     */
    private static final long UNREACHABLE_NANOS = 2_000_000_000L;

    /** The result of asking a member that is not connected, and its time. */
    private record Look(boolean answers, boolean gone, boolean registered, long nanos) {}

    /** Asks whether a node answers as this member of the pool. */
    interface Asked {
        boolean answers(Member member, Duration patience);
    }

    /** A fabric over the members of a roster. */
    private record Opened(Fabric fabric, Roster roster) {}

    private final NodeRegistry registry;
    private final Asked asked;
    private final Duration patience;
    private final List<Opened> opened = new ArrayList<>();
    private final Map<String, Look> looks = new HashMap<>();
    private final Map<String, Long> silentSince = new HashMap<>(); // by identity

    /** @param patience how long a node may take to answer before it counts as silent */
    MemberLiveness(NodeRegistry registry, Asked asked, Duration patience) {
        this.registry = registry;
        this.asked = asked;
        this.patience = patience;
    }

    synchronized void opened(Fabric fabric, Roster roster) {
        opened.add(new Opened(fabric, roster));
    }

    /** Returns whether the member answers this process. */
    boolean answers(Member member) {
        return isConnected(member) || look(member).answers;
    }

    /** Returns whether no process serves at the member's address, or another one does. */
    boolean isGone(Member member) {
        return !isConnected(member) && look(member).gone;
    }

    /** Returns whether the member is gone, or is no longer registered and does not answer this process either. */
    boolean isMissing(Member member) {
        if (isConnected(member)) return false;
        Look look = look(member);
        return look.gone || !look.registered && !look.answers;
    }

    /**
     * Returns the identities of members that have not answered this process for too long. Returns none if this process
     * reaches fewer than half of the members: its own network is then the likelier fault.
     */
    synchronized Set<String> unreachable(Roster roster) {
        Set<String> unreachable = new TreeSet<>();
        int reached = 0;
        long now = System.nanoTime();
        for (Member member : roster.members()) {
            if (answers(member)) {
                silentSince.remove(member.identity());
                reached++;
            } else if (now - silentSince.computeIfAbsent(member.identity(), _ -> now) > UNREACHABLE_NANOS)
                unreachable.add(member.identity());
        }
        silentSince.keySet().removeIf(identity -> roster.position(identity) < 0);
        return 2 * reached >= roster.members().size() ? unreachable : Set.of();
    }

    private synchronized boolean isConnected(Member member) {
        for (Iterator<Opened> all = opened.iterator(); all.hasNext(); ) {
            Opened one = all.next();
            if (TcpRosterOpener.isClosed(one.fabric)) {
                all.remove();
                continue;
            }
            int position = one.roster.position(member.identity());
            if (position >= 0 && TcpRosterOpener.isConnected(one.fabric, position)) return true;
        }
        return false;
    }

    private synchronized Look look(Member member) {
        Look known = looks.get(member.identity());
        if (known != null && System.nanoTime() - known.nanos < LOOK_AGAIN_NANOS) return known;
        boolean gone = refuses(member.address());
        boolean answers = !gone && asked.answers(member, known == null || known.answers ? patience : SILENT_PATIENCE);
        boolean registered = true; // unless ZooKeeper says otherwise
        try {
            List<NodeEntry> nodes = registry.all();
            registered = nodes.stream().anyMatch(node -> node.identity().equals(member.identity()));
            gone |= !answers && isReplaced(member, nodes);
        } catch (FabricException e) {
            // It is unknown which nodes are registered now.
        }
        Look look = new Look(answers, gone, registered, System.nanoTime());
        looks.put(member.identity(), look);
        return look;
    }

    /**
     * Returns whether an address refuses connections. That proves that no process serves there, because a node closes
     * its port last of all.
     */
    private static boolean refuses(String address) {
        HostPort at = HostPort.parse("a member", address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(at.host(), at.port()), (int) SILENT_PATIENCE.toMillis());
            return false;
        } catch (ConnectException e) {
            return e.getMessage() != null && e.getMessage().contains("refused");
        } catch (IOException e) {
            return false; // a time-out or a missing route proves nothing
        }
    }

    /**
     * Returns whether another node has registered at the member's address since. Two processes cannot serve at one
     * address.
     */
    private static boolean isReplaced(Member member, List<NodeEntry> nodes) {
        long mine = nodes.stream()
                .filter(node -> node.identity().equals(member.identity()))
                .mapToLong(NodeEntry::created)
                .findFirst()
                .orElse(0);
        return nodes.stream().anyMatch(node -> node.address().equals(member.address()) && node.created() > mine);
    }
}
