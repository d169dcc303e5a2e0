package tidepool.cluster;

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
import tidepool.tcp.TcpMembers;
import tidepool.tcp.ops.HostPort;

/**
 * Which members live, as far as this process can tell, and at a price at which it may be asked all the time: a member that an
 * open fabric is connected to lives; any other member is asked now and then, by a connection of its own.
 */
final class Lives {
    /** How long to wait for a node that did not answer when it was last asked. */
    private static final Duration SILENT_PATIENCE = Duration.ofMillis(500);

    private static final long LOOK_AGAIN_NANOS = 50_000_000;

    /** A member that has not answered for so long counts as one that this process cannot reach: as long as leases are. */
    private static final long UNREACHABLE_NANOS = 2_000_000_000L;

    /** What was found out of a member that is not connected, and when. */
    private record Look(boolean answers, boolean gone, boolean registered, long nanos) {}

    /** Whether a node answers as this member of the pool. */
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
    Lives(NodeRegistry registry, Asked asked, Duration patience) {
        this.registry = registry;
        this.asked = asked;
        this.patience = patience;
    }

    synchronized void opened(Fabric fabric, Roster roster) {
        opened.add(new Opened(fabric, roster));
    }

    /** Whether it answers this process. */
    boolean answers(Member member) {
        return isConnected(member) || look(member).answers;
    }

    /** No process is there, or another one. */
    boolean isGone(Member member) {
        return !isConnected(member) && look(member).gone;
    }

    /** No process is there; or it is not registered any more, and does not answer this process either. */
    boolean isMissing(Member member) {
        if (isConnected(member)) return false;
        Look look = look(member);
        return look.gone || !look.registered && !look.answers;
    }

    /**
     * The identities of members that have not answered this process for too long. None of them if it reaches fewer than half of
     * the members: then its own network is the likelier fault.
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
            if (TcpMembers.isClosed(one.fabric)) {
                all.remove();
                continue;
            }
            int position = one.roster.position(member.identity());
            if (position >= 0 && TcpMembers.isConnected(one.fabric, position)) return true;
        }
        return false;
    }

    private synchronized Look look(Member member) {
        Look known = looks.get(member.identity());
        if (known != null && System.nanoTime() - known.nanos < LOOK_AGAIN_NANOS) return known;
        boolean gone = refuses(member.address());
        boolean answers = !gone && asked.answers(member, known == null || known.answers ? patience : SILENT_PATIENCE);
        boolean registered = true; // as long as ZooKeeper does not say otherwise
        try {
            List<NodeEntry> nodes = registry.all();
            registered = nodes.stream().anyMatch(node -> node.identity().equals(member.identity()));
            gone |= !answers && isReplaced(member, nodes);
        } catch (FabricException e) {
            // Which nodes are registered cannot be told now.
        }
        Look look = new Look(answers, gone, registered, System.nanoTime());
        looks.put(member.identity(), look);
        return look;
    }

    /** That an address refuses connections proves that no process serves there: a node closes its port last of all. */
    private static boolean refuses(String address) {
        HostPort at = HostPort.parse("a member", address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(at.host(), at.port()), (int) SILENT_PATIENCE.toMillis());
            return false;
        } catch (ConnectException e) {
            return e.getMessage() != null && e.getMessage().contains("refused");
        } catch (IOException e) {
            return false; // too slow, or no way there: that proves nothing
        }
    }

    /** Whether another node has registered at its address since: two processes cannot serve at one address. */
    private static boolean isReplaced(Member member, List<NodeEntry> nodes) {
        long mine = nodes.stream()
                .filter(node -> node.identity().equals(member.identity()))
                .mapToLong(NodeEntry::created)
                .findFirst()
                .orElse(0);
        return nodes.stream().anyMatch(node -> node.address().equals(member.address()) && node.created() > mine);
    }
}
