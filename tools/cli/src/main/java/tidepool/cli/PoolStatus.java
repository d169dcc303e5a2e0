package tidepool.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tidepool.fabric.FabricUrl;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.tcp.ClientCredentials;
import tidepool.tcp.probe.NodeProbe;
import tidepool.tcp.probe.NodeSample;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;
import tidepool.zookeeper.FillProgress;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.ZkUrl;
import tidepool.zookeeper.ZooKeeperMembership;

/** The state of a pool in ZooKeeper at one moment, and its text for people. */
final class PoolStatus {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ZkUrl place;
    private final Roster roster;
    private final List<NodeEntry> nodes;
    private final List<FillProgress.Entry> fillings;
    private final int replicas;
    private final Set<String> gone; // members that are dead, even if ZooKeeper still lists them
    private final Set<String> unreachable; // registered members that do not answer here
    private final Map<String, NodeStatus> told = new HashMap<>(); // by identity, of nodes that answer

    PoolStatus(ZkUrl place, ZooKeeperMembership membership, FabricUrl url) {
        this.place = place;
        this.roster = membership.read();
        this.nodes = membership.nodes();
        this.fillings = membership.fillings();
        this.gone = nodes.stream()
                .filter(node -> membership.isGone(node.member()))
                .map(NodeEntry::identity)
                .collect(Collectors.toSet());
        this.unreachable = roster.members().stream()
                .filter(member -> entry(member.identity()) != null && !gone.contains(member.identity()))
                .filter(member -> !membership.answers(member))
                .map(Roster.Member::identity)
                .collect(Collectors.toSet());
        this.replicas = PoolOptions.of(membership.complete(url)).replicas();
        List<NodeEntry> there =
                nodes.stream().filter(node -> !gone.contains(node.identity())).toList();
        List<HostPort> addresses = there.stream()
                .map(node -> HostPort.parse("a node", node.address()))
                .toList();
        List<NodeSample> samples = NodeSample.of(addresses, NodeProbe.Asker.of(ClientCredentials.of(url)), PATIENCE);
        for (int i = 0; i < there.size(); i++)
            if (samples.get(i).isThere())
                told.put(there.get(i).identity(), samples.get(i).status());
    }

    /** Returns whether nothing has to be done. */
    boolean isWell() {
        return roster.steady()
                && missingMembers() == 0
                && unreachable.isEmpty()
                && missingCopies() == 0
                && told.values().stream().noneMatch(NodeStatus::isDoubted);
    }

    void print(Consumer<String> out, boolean partitions) {
        out.accept(
                "pool " + place.pool() + ": epoch " + roster.epoch() + ", " + (roster.steady() ? "steady" : "changing")
                        + ", " + roster.partitions().size() + " partitions, " + replicas
                        + (replicas == 1 ? " copy" : " copies") + " of each" + trouble());
        members().print(out);
        if (partitions) holders().print(out);
        for (FillProgress.Entry filling : fillings) out.accept(line(filling));
        for (NodeEntry node : nodes) {
            NodeStatus status = told.get(node.identity());
            if (status == null) continue;
            StatusTable.alarms(node.identity(), status, out);
            if (status.isDoubted()) out.accept(StatusTable.doubt(node.identity()));
            if (status.isDiskFull()) out.accept("ALARM: the disk of " + node.identity() + " is full");
        }
    }

    private String trouble() {
        StringJoiner words = new StringJoiner(", ", ", ", "").setEmptyValue("");
        if (missingMembers() > 0) words.add(missingMembers() + " members missing");
        if (!unreachable.isEmpty())
            words.add(unreachable.size() + (unreachable.size() == 1 ? " member does" : " members do")
                    + " not answer here");
        if (missingCopies() > 0) words.add(missingCopies() + " copies missing");
        return words.toString();
    }

    long missingMembers() {
        return roster.members().stream()
                .filter(member -> entry(member.identity()) == null || gone.contains(member.identity()))
                .count();
    }

    /** Counts the copies that are not whole. */
    long missingCopies() {
        return roster.partitions().stream()
                .mapToLong(copies -> Math.max(0, replicas - copies.whole().size()))
                .sum();
    }

    NodeEntry entry(String identity) {
        return nodes.stream()
                .filter(node -> node.identity().equals(identity))
                .findFirst()
                .orElse(null);
    }

    private TextTable members() {
        TextTable table = new TextTable("NODE", "ADDRESS", "PRIMARY OF", "BACKUP OF", "FILLING", "MEMORY", "STATE");
        for (int i = 0; i < roster.members().size(); i++) {
            Roster.Member member = roster.members().get(i);
            int me = i;
            NodeEntry entry = entry(member.identity());
            table.row(
                    member.identity(),
                    member.address(),
                    count(copies -> copies.whole().getFirst() == me),
                    count(copies -> copies.whole().indexOf(me) > 0),
                    count(copies -> copies.filling().contains(me)),
                    memory(member.identity()),
                    state(member.identity())
                            + (entry == null || !state(entry.identity()).equals("lives")
                                    ? ""
                                    : ", lease " + Quantities.time(entry.lease())));
        }
        for (NodeEntry node : nodes)
            if (roster.position(node.identity()) < 0)
                table.row(
                        node.identity(),
                        node.address(),
                        "-",
                        "-",
                        "-",
                        memory(node.identity()),
                        gone.contains(node.identity()) ? "gone" : "not a member");
        return table;
    }

    private String memory(String identity) {
        NodeStatus status = told.get(identity);
        return status == null
                ? "-"
                : Quantities.bytes(status.memoryUsed()) + " of " + Quantities.bytes(status.memoryLimit());
    }

    /**
     * Returns one word: lives, gone, missing, or unreachable for a registered node that does not answer this process.
     */
    String state(String identity) {
        if (entry(identity) == null) return "missing";
        if (gone.contains(identity)) return "gone";
        return unreachable.contains(identity) ? "unreachable" : "lives";
    }

    ZkUrl place() {
        return place;
    }

    Roster roster() {
        return roster;
    }

    List<NodeEntry> nodes() {
        return nodes;
    }

    List<FillProgress.Entry> fillings() {
        return fillings;
    }

    int replicas() {
        return replicas;
    }

    /** Returns the status that a node reports; null if it does not answer. */
    NodeStatus told(String identity) {
        return told.get(identity);
    }

    private long count(java.util.function.Predicate<Roster.Copies> which) {
        return roster.partitions().stream().filter(which).count();
    }

    private TextTable holders() {
        TextTable table = new TextTable("PARTITION", "PRIMARY", "OTHERS");
        for (int p = 0; p < roster.partitions().size(); p++) {
            Roster.Copies copies = roster.partitions().get(p);
            StringJoiner others = new StringJoiner(", ");
            for (int member : copies.whole().subList(1, copies.whole().size())) others.add(name(member));
            for (int member : copies.filling()) others.add(name(member) + " (filling)");
            table.row(p, name(copies.whole().getFirst()), others.toString());
        }
        return table;
    }

    private String name(int member) {
        return roster.members().get(member).identity();
    }

    private static String line(FillProgress.Entry filling) {
        Duration left = filling.left();
        return String.format(
                Locale.ROOT,
                "filling partition %d on %s: %.0f %%, %s of %s%s",
                filling.partition(),
                filling.identity(),
                100.0 * filling.done() / Math.max(1, filling.all()),
                Quantities.bytes(filling.done()),
                Quantities.bytes(filling.all()),
                left == null ? "" : ", " + Quantities.time(left) + " left");
    }
}
