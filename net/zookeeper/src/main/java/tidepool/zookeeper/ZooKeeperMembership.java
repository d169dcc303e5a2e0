package tidepool.zookeeper;

import java.time.Duration;
import java.util.List;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.FillProgressListener;
import tidepool.store.Membership;
import tidepool.store.Roster;
import tidepool.store.Roster.Member;
import tidepool.store.StoreException;
import tidepool.tcp.TcpRosterOpener;

/** The membership of a pool whose roster is in ZooKeeper; {@link PoolPaths} lists the entries. */
public final class ZooKeeperMembership implements Membership {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");

    /** How long a process that creates a pool waits for its nodes. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    /** How long a node may take to answer if the URL does not say; equal to the default of {@code tcp://} URLs. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private static final long LEAD_NANOS = 200_000_000;

    /** How long a process that has resigned leaves the lead to others, whose stewards check every half second. */
    private static final long RESIGNED_NANOS = 3_000_000_000L;

    /** A roster and the ZooKeeper transaction that wrote it. */
    private record Seen(Roster roster, long change) {}

    private final ZkUrl url;
    private final PoolPaths paths;
    private final ZooKeeperClient client;
    private final NodeRegistry registry;
    private final MemberLiveness liveness;
    private final ReachVotes votes;
    private final FillProgress progress;
    private final String agreed;
    private volatile Seen seen;
    private boolean leads;
    private long askedNanos;
    private long resignedNanos; // 0 if it never resigned

    private ZooKeeperMembership(ZkUrl url, ZooKeeperClient client) {
        this.url = url;
        this.client = client;
        this.paths = new PoolPaths(url.pool());
        this.registry = new NodeRegistry(client, paths);
        this.liveness = new MemberLiveness(registry, this::answers, url.whole().duration("connect", CONNECT));
        this.votes = new ReachVotes(client, paths);
        this.progress = new FillProgress(client, paths);
        if (url.nodes() > 0 && client.read(paths.roster()) == null)
            new RosterCreation(url, client).createOfAny(url.nodes(), CREATION);
        read();
        ZooKeeperClient.Found made = client.read(paths.options());
        this.agreed = made == null ? "" : made.text();
        client.follow(paths.roster(), this::told);
    }

    /**
     * Opens the pool. Creates it first if the URL has {@code nodes=}. Throws an exception with a sentence if there is
     * none.
     */
    public static ZooKeeperMembership open(ZkUrl url) {
        ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION);
        boolean opened = false;
        try {
            ZooKeeperMembership membership = new ZooKeeperMembership(url, client);
            opened = true;
            return membership;
        } finally {
            if (!opened) client.close();
        }
    }

    // ---- the roster

    @Override
    public Roster latest() {
        return seen.roster;
    }

    private void told(ZooKeeperClient.Found found) {
        try {
            saw(found);
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.WARNING, "{0} in {1} is left unread: {2}", paths.roster(), url, e.getMessage());
        }
    }

    private synchronized Roster saw(ZooKeeperClient.Found found) {
        Roster roster = Roster.parse(found.text());
        if (seen == null || seen.change < found.stat().getMzxid())
            seen = new Seen(roster, found.stat().getMzxid());
        return roster;
    }

    @Override
    public Roster read() {
        return saw(found());
    }

    private ZooKeeperClient.Found found() {
        client.sync(paths.roster());
        ZooKeeperClient.Found found = client.read(paths.roster());
        if (found == null)
            throw FabricException.unavailable("there is no pool " + url.pool() + " in " + url
                    + ": make it by ./tidepool pool create, or give nodes=N in the URL");
        return found;
    }

    @Override
    public boolean replace(Roster from, Roster to) {
        ZooKeeperClient.Found found = found();
        if (!saw(found).equals(from)) return false;
        if (!client.replace(paths.roster(), to.text(), found.stat().getVersion())) return false;
        read(); // so that latest() returns at least the roster that was just written
        return true;
    }

    /** Returns the roster that a watch keeps up to date. While ZooKeeper is away, no newer roster can be in force. */
    @Override
    public Roster news() {
        return latest();
    }

    @Override
    public FabricUrl complete(FabricUrl asked) {
        return RosterCreation.complete(asked, agreed);
    }

    // ---- the members

    @Override
    public Fabric open(Roster roster) {
        requireRegistered(roster);
        List<String> addresses = roster.members().stream().map(Member::address).toList();
        List<String> identities =
                roster.members().stream().map(Member::identity).toList();
        Fabric fabric = TcpRosterOpener.open(url.tcp(addresses), roster.epoch(), identities);
        liveness.opened(fabric, roster);
        return fabric;
    }

    /**
     * Requires that the address of each member equals the one that the node has registered. Otherwise a relay may be at
     * that address.
     */
    private void requireRegistered(Roster roster) {
        List<NodeEntry> nodes;
        try {
            nodes = registry.all();
        } catch (FabricException e) {
            return; // ZooKeeper is away, and this roster was read earlier
        }
        for (Member member : roster.members())
            for (NodeEntry node : nodes)
                if (node.identity().equals(member.identity()) && !node.address().equals(member.address()))
                    throw FabricException.unavailable("the roster of " + url + " has " + member.identity() + " at "
                            + member.address() + ", and the node is registered at " + node.address()
                            + ": who changed the roster may be reading along; see docs/operating/security.md");
    }

    private boolean answers(Member member, Duration patience) {
        return TcpRosterOpener.answers(
                url.tcp(List.of(member.address())), latest().epoch(), member.identity(), patience);
    }

    @Override
    public boolean isGone(Member member) {
        return liveness.isGone(member);
    }

    /**
     * Returns whether the member is missing, or most of the processes that have the pool open cannot reach it. This
     * process may still reach it.
     */
    @Override
    public boolean isMissing(Member member) {
        return liveness.isMissing(member) || votes.isLost(member.identity());
    }

    @Override
    public boolean answers(Member member) {
        return liveness.answers(member);
    }

    @Override
    public void report() {
        votes.say(liveness.unreachable(latest()));
    }

    /** Shows the member the new epoch. From then on it executes no verb of an older one. */
    @Override
    public boolean fence(Member member, long epoch) {
        if (!liveness.answers(member)) return false; // asking it again would only take time
        try (Fabric fabric =
                TcpRosterOpener.open(url.tcp(List.of(member.address())), epoch, List.of(member.identity()))) {
            return fabric.control(0).epoch() >= epoch;
        } catch (FabricException e) {
            return false;
        }
    }

    @Override
    public List<Member> strangers() {
        Roster roster = latest();
        return registry.all().stream()
                .filter(node -> roster.position(node.identity()) < 0)
                .map(NodeEntry::member)
                .filter(liveness::answers) // ZooKeeper may still list a dead node, or one that clients cannot reach
                .toList();
    }

    /** Returns all registered nodes, members or not. */
    public List<NodeEntry> nodes() {
        return registry.all();
    }

    // ---- filling

    /** Returns whether this process leads. It is called all the time, and asks ZooKeeper at most every 200 ms. */
    @Override
    public synchronized boolean lead() {
        if (resignedNanos != 0 && System.nanoTime() - resignedNanos < RESIGNED_NANOS) return false;
        if (askedNanos != 0 && System.nanoTime() - askedNanos < LEAD_NANOS) return leads;
        leads = isLeader();
        askedNanos = System.nanoTime();
        return leads;
    }

    @Override
    public synchronized void resign() {
        if (!leads) return;
        ZooKeeperClient.Found found = client.read(paths.steward());
        if (found != null && found.stat().getEphemeralOwner() == client.sessionId()) client.delete(paths.steward());
        leads = false;
        askedNanos = 0;
        resignedNanos = System.nanoTime();
    }

    private boolean isLeader() {
        ZooKeeperClient.Found found = client.read(paths.steward());
        if (found != null) return found.stat().getEphemeralOwner() == client.sessionId();
        return client.create(
                paths.steward(), "process " + ProcessHandle.current().pid(), true);
    }

    @Override
    public FillProgressListener progress() {
        return progress;
    }

    /** Returns the last reported progress of all fills of replicas. */
    public List<FillProgress.Entry> fillings() {
        return progress.all();
    }

    @Override
    public void close() {
        client.close();
    }
}
