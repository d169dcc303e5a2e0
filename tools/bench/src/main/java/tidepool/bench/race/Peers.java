package tidepool.bench.race;

import java.util.List;
import tidepool.bench.smallbank.HandwrittenBank;
import tidepool.bench.smallbank.MapBank;
import tidepool.bench.ycsb.MapStore;
import tidepool.workload.measured.MeasuredWorkload;

/** The peers with which Tidepool can be compared, by name. */
public final class Peers {
    private static final String REDIS_SERVER = "redis-server";
    private static final String REDIS_UNDER_WAY = "redis-[1-9][0-9]{0,3}";

    private static final List<Peer> ALL = List.of(
            foreign("infinispan", "Infinispan", Peer.Keeps.ON_THE_HEAP),
            foreign("rocksdb", "Rocks", Peer.Keeps.IN_FILES),
            synced("rocksdb-sync", "Rocks"),
            synced("postgres", "Postgres"),
            foreign("lmdb", "Lmdb", Peer.Keeps.IN_FILES),
            foreign("mvstore", "Mv", Peer.Keeps.ON_THE_HEAP),
            foreign("mvstore-file", "Mv", Peer.Keeps.IN_FILES),
            redis("redis"),
            redis("redis-16"),
            new Peer("chm", MapBank.class.getName(), MapStore.class.getName(), "", Peer.Keeps.ON_THE_HEAP),
            new Peer("hand", HandwrittenBank.class.getName(), "", "", Peer.Keeps.IN_FILES),
            Peer.STRAW);

    private Peers() {}

    private static Peer foreign(String name, String family, Peer.Keeps keeps) {
        String prefix = "tidepool.peers." + family;
        return new Peer(name, prefix + "Bank", prefix + "KeyStore", "", keeps);
    }

    /** Returns a peer that waits for the disk at every commit, with group commit. It runs SmallBank only. */
    private static Peer synced(String name, String family) {
        return new Peer(name, "tidepool.peers." + family + "Bank", "", "", Peer.Keeps.ELSEWHERE);
    }

    /** Returns whether a transaction blocks its thread until a disk has written, so that each needs its own thread. */
    static boolean isSynced(String name) {
        return name.equals("rocksdb-sync") || name.equals("postgres");
    }

    /** Returns a Redis peer. The number in its name is the number of transactions that a driver has under way. */
    private static Peer redis(String name) {
        Peer like = foreign(name, "Redis", Peer.Keeps.ELSEWHERE);
        return new Peer(name, like.bank(), like.keyStore(), REDIS_SERVER, like.keeps());
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

    /** Refuses a peer that cannot run this workload, with the names of those that can. */
    public static void requireCanRun(String name, MeasuredWorkload workload) {
        Peer asked = named(name);
        asked.requireProgram(System.getenv().getOrDefault("PATH", ""));
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
