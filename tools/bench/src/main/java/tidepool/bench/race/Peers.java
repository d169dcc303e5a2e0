package tidepool.bench.race;

import java.util.List;
import tidepool.bench.smallbank.HandwrittenBank;
import tidepool.bench.smallbank.MapBank;
import tidepool.bench.ycsb.MapStore;
import tidepool.workload.measured.MeasuredWorkload;

/** The peers with which Tidepool can be compared, by name. */
public final class Peers {
    private static final String FOREIGN = "tidepool.peers.";
    private static final String POSTGRES = "/usr/lib/postgresql";
    private static final String REDIS_SERVER = "redis-server";
    private static final String REDIS_UNDER_WAY = "redis-[1-9][0-9]{0,3}";

    private static final List<Peer> ALL = List.of(
            foreign("infinispan", "Infinispan", Peer.Keeps.ON_THE_HEAP),
            ordered("rocksdb", "Rocks"),
            synced("rocksdb-sync", "Rocks"),
            new Peer(
                    "postgres",
                    FOREIGN + "PostgresBank",
                    FOREIGN + "PostgresKeyStore",
                    true,
                    "",
                    POSTGRES,
                    Peer.Keeps.ELSEWHERE),
            ordered("lmdb", "Lmdb"),
            foreign("mvstore", "Mv", Peer.Keeps.ON_THE_HEAP),
            foreign("mvstore-file", "Mv", Peer.Keeps.IN_FILES),
            redis("redis"),
            redis("redis-16"),
            new Peer("chm", MapBank.class.getName(), MapStore.class.getName(), false, "", "", Peer.Keeps.ON_THE_HEAP),
            new Peer("hand", HandwrittenBank.class.getName(), "", false, "", "", Peer.Keeps.IN_FILES),
            Peer.STRAW);

    private Peers() {}

    private static Peer foreign(String name, String family, Peer.Keeps keeps) {
        return new Peer(name, FOREIGN + family + "Bank", FOREIGN + family + "KeyStore", false, "", "", keeps);
    }

    /** Returns a peer in files whose keys are in order, so that it runs workloads with scans. */
    private static Peer ordered(String name, String family) {
        return new Peer(
                name,
                FOREIGN + family + "Bank",
                FOREIGN + family + "KeyStore",
                true,
                FOREIGN + family + "OrderedStore",
                "",
                Peer.Keeps.IN_FILES);
    }

    /** Returns a peer that waits for the disk at every commit, with group commit. It runs SmallBank only. */
    private static Peer synced(String name, String family) {
        return new Peer(name, FOREIGN + family + "Bank", "", false, "", "", Peer.Keeps.ELSEWHERE);
    }

    /** Returns whether a transaction blocks its thread until a disk has written, so that each needs its own thread. */
    static boolean isSynced(String name) {
        return name.equals("rocksdb-sync") || name.equals("postgres");
    }

    /** Returns a Redis peer. The number in its name is the number of transactions that a driver has under way. */
    private static Peer redis(String name) {
        Peer like = foreign(name, "Redis", Peer.Keeps.ELSEWHERE);
        return new Peer(name, like.bank(), like.keyStore(), false, "", REDIS_SERVER, like.keeps());
    }

    /** Returns all names. In addition, any number of transactions under way can replace that in {@code redis-16}. */
    public static List<String> names() {
        return ALL.stream().map(Peer::name).toList();
    }

    /** Returns whether there is such a peer. */
    public static boolean isKnown(String name) {
        return names().contains(name) || name.matches(REDIS_UNDER_WAY);
    }

    /**
     * Returns the peer with this number of transactions under way per thread, if it supports several and its name has
     * no number.
     */
    public static String withUnderWay(String name, int coordinators) {
        return name.equals("redis") && coordinators > 1 ? name + "-" + coordinators : name;
    }

    /** Returns whether one driver has all transactions of a thread under way, so that a thread needs no others. */
    static boolean isPipelined(String name) {
        return name.matches(REDIS_UNDER_WAY);
    }

    /** Returns whether it is a foreign store, whose libraries are not on our own class path. */
    public static boolean isForeign(String name) {
        return named(name).isForeign();
    }

    /** Returns a sentence if a peer is not installed on this machine; null if it can take part. */
    public static String missing(String name) {
        return named(name).missing(System.getenv().getOrDefault("PATH", ""));
    }

    /** Refuses a peer that cannot run this workload, with the names of those that can. */
    public static void requireCanRun(String name, MeasuredWorkload workload) {
        Peer asked = named(name);
        if (asked.runs(workload)) {
            asked.requireOptions(workload);
            return;
        }
        List<String> others =
                ALL.stream().filter(peer -> peer.runs(workload)).map(Peer::name).toList();
        throw new IllegalArgumentException(name + " does not run " + workload.name() + "; "
                + (others.isEmpty() ? "no peer does" : "of the peers " + String.join(", ", others) + " do"));
    }

    static Peer named(String name) {
        for (Peer peer : ALL) if (peer.name().equals(name)) return peer;
        if (name.matches(REDIS_UNDER_WAY)) return redis(name);
        throw new IllegalArgumentException("unknown peer '" + name + "'; known: " + String.join(", ", names()));
    }
}
