package tidepool.cluster;

import java.time.Duration;
import java.util.List;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.Membership;
import tidepool.store.Progress;
import tidepool.store.Roster;
import tidepool.store.Roster.Member;
import tidepool.store.StoreException;
import tidepool.tcp.TcpMembers;

/** The roster of a pool in ZooKeeper; {@link PoolPaths} says where what lies. */
public final class ZooKeeperMembership implements Membership {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");

    /** How long whoever opens a pool waits for the nodes that it is to be made of. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    /** How long a node may take to answer, if the URL does not say; as in {@code tcp://} URLs. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private static final long LEAD_NANOS = 200_000_000;

    /** How long a process that has resigned leaves the lead to others, whose stewards look every half second. */
    private static final long RESIGNED_NANOS = 3_000_000_000L;

    /** A roster, and how new it is. */
    private record Seen(Roster roster, long change) {}

    private final ZkUrl url;
    private final PoolPaths paths;
    private final ZooKeeperClient client;
    private final NodeRegistry registry;
    private final Lives lives;
    private final ReachVotes votes;
    private final FillProgress progress;
    private final String agreed;
    private volatile Seen seen;
    private boolean leads;
    private long askedNanos;
    private long resignedNanos; // 0 if it never did

    private ZooKeeperMembership(ZkUrl url, ZooKeeperClient client) {
        this.url = url;
        this.client = client;
        this.paths = new PoolPaths(url.pool());
        this.registry = new NodeRegistry(client, paths);
        this.lives = new Lives(registry, this::answers, url.whole().duration("connect", CONNECT));
        this.votes = new ReachVotes(client, paths);
        this.progress = new FillProgress(client, paths);
        if (url.nodes() > 0 && client.read(paths.roster()) == null)
            new PoolCreation(url, client).createOfAny(url.nodes(), CREATION);
        read();
        ZooKeeperClient.Found made = client.read(paths.options());
        this.agreed = made == null ? "" : made.text();
        client.follow(paths.roster(), this::told);
    }

    /** Opens the pool; makes it if the URL says of how many nodes. Fails with a sentence if there is none. */
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
        read(); // so that whoever asks for the latest finds at least what it has just written
        return true;
    }

    /** A watch tells it; while ZooKeeper is away there is nothing newer that could count. */
    @Override
    public Roster news() {
        return latest();
    }

    @Override
    public FabricUrl complete(FabricUrl asked) {
        return PoolCreation.complete(asked, agreed);
    }

    // ---- the members

    @Override
    public Fabric open(Roster roster) {
        requireRegistered(roster);
        List<String> addresses = roster.members().stream().map(Member::address).toList();
        List<String> identities =
                roster.members().stream().map(Member::identity).toList();
        Fabric fabric = TcpMembers.open(url.tcp(addresses), roster.epoch(), identities);
        lives.opened(fabric, roster);
        return fabric;
    }

    /** The address of a node in a roster must be what the node has registered: otherwise a relay may be there. */
    private void requireRegistered(Roster roster) {
        List<NodeEntry> nodes;
        try {
            nodes = registry.all();
        } catch (FabricException e) {
            return; // ZooKeeper is away, and the roster is one that was read before
        }
        for (Member member : roster.members())
            for (NodeEntry node : nodes)
                if (node.identity().equals(member.identity()) && !node.address().equals(member.address()))
                    throw FabricException.unavailable("the roster of " + url + " has " + member.identity() + " at "
                            + member.address() + ", and the node is registered at " + node.address()
                            + ": who changed the roster may be reading along; see docs/security.md");
    }

    private boolean answers(Member member, Duration patience) {
        return TcpMembers.answers(url.tcp(List.of(member.address())), latest().epoch(), member.identity(), patience);
    }

    @Override
    public boolean isGone(Member member) {
        return lives.isGone(member);
    }

    /** Or most of the processes that have the pool open cannot reach it, whether this one can or not. */
    @Override
    public boolean isMissing(Member member) {
        return lives.isMissing(member) || votes.isLost(member.identity());
    }

    @Override
    public boolean answers(Member member) {
        return lives.answers(member);
    }

    @Override
    public void report() {
        votes.say(lives.unreachable(latest()));
    }

    /** It is shown the new epoch: from then on it carries out no verb of an older one. */
    @Override
    public boolean fence(Member member, long epoch) {
        if (!lives.answers(member)) return false; // to ask it again would only take time
        try (Fabric fabric = TcpMembers.open(url.tcp(List.of(member.address())), epoch, List.of(member.identity()))) {
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
                .filter(lives::answers) // ZooKeeper may not have noticed yet, or clients cannot reach it
                .toList();
    }

    /** All nodes that are registered, members or not. */
    public List<NodeEntry> nodes() {
        return registry.all();
    }

    // ---- filling

    /** Asked all the time, and looked up now and then. */
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
    public Progress progress() {
        return progress;
    }

    /** What those who fill copies have said last. */
    public List<FillProgress.Entry> fillings() {
        return progress.all();
    }

    @Override
    public void close() {
        client.close();
    }
}
