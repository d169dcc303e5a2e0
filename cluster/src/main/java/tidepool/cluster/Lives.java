package tidepool.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Roster;
import tidepool.store.Roster.Member;
import tidepool.tcp.TcpMembers;
import tidepool.tcp.ops.HostPort;

/**
 * Which members live, as far as this process can tell, and at a price at which it may be asked all the time: whoever is
 * connected to one knows that it lives; others are looked at now and then.
 */
final class Lives {
    /** A process that is there refuses nothing; one that does not answer may just be slow. */
    private static final int PROBE_MILLIS = 300;

    private static final long LOOK_AGAIN_NANOS = 50_000_000;

    /** What was found out of a member that is not connected, and when. */
    private record Look(boolean gone, boolean missing, long nanos) {}

    /** A fabric over the members of a roster. */
    private record Opened(Fabric fabric, Roster roster) {}

    private final NodeRegistry registry;
    private final List<Opened> opened = new ArrayList<>();
    private final Map<String, Look> looks = new HashMap<>();

    Lives(NodeRegistry registry) {
        this.registry = registry;
    }

    synchronized void opened(Fabric fabric, Roster roster) {
        opened.add(new Opened(fabric, roster));
    }

    /** No process is there, or another one. */
    boolean isGone(Member member) {
        return !isConnected(member) && look(member).gone;
    }

    /** Or it is not registered any more, and does not answer us either. */
    boolean isMissing(Member member) {
        if (isConnected(member)) return false;
        Look look = look(member);
        return look.gone || look.missing;
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
        boolean missing = false;
        try {
            List<NodeEntry> nodes = registry.all();
            missing = nodes.stream().noneMatch(node -> node.identity().equals(member.identity()));
            gone |= isReplaced(member, nodes);
        } catch (FabricException e) {
            // Who is registered cannot be told now.
        }
        Look look = new Look(gone, missing, System.nanoTime());
        looks.put(member.identity(), look);
        return look;
    }

    /** That an address refuses connections proves that no process serves there: a node closes its port last of all. */
    private static boolean refuses(String address) {
        HostPort at = HostPort.parse("a member", address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(at.host(), at.port()), PROBE_MILLIS);
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
