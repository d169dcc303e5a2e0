package tidepool.bench.race;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.smallbank.SmallBank;

/** Whom we can be compared with, by name. */
public final class Peers {
    private static final List<Peer> ALL = List.of(
            new Peer("infinispan", "tidepool.peers.InfinispanBank", true, Peer.Keeps.ON_THE_HEAP),
            new Peer("rocksdb", "tidepool.peers.RocksBank", true, Peer.Keeps.IN_FILES),
            new Peer("lmdb", "tidepool.peers.LmdbBank", true, Peer.Keeps.IN_FILES),
            new Peer("mvstore", "tidepool.peers.MvBank", true, Peer.Keeps.ON_THE_HEAP),
            new Peer("chm", "tidepool.bench.smallbank.MapBank", false, Peer.Keeps.ON_THE_HEAP),
            new Peer("hand", "tidepool.bench.smallbank.HandBank", false, Peer.Keeps.IN_FILES));

    private Peers() {}

    /** All names. */
    public static List<String> names() {
        return ALL.stream().map(Peer::name).toList();
    }

    /** Whether it is somebody else's store, whose libraries are not on our own class path. */
    public static boolean isForeign(String name) {
        return named(name).isForeign();
    }

    /** Refuses one that cannot run this workload, with those that can. */
    public static void requireCanRun(String name, MeasuredWorkload workload) {
        if (named(name).runs(workload)) return;
        if (workload instanceof SmallBank bank && bank.names())
            throw new IllegalArgumentException(name + " keeps no names of customers; add --set names=off");
        List<String> others =
                ALL.stream().filter(peer -> peer.runs(workload)).map(Peer::name).toList();
        throw new IllegalArgumentException(name + " does not run " + workload.name() + "; "
                + (others.isEmpty() ? "no peer does" : "of the peers " + String.join(", ", others) + " do"));
    }

    static Peer named(String name) {
        for (Peer peer : ALL) if (peer.name().equals(name)) return peer;
        throw new IllegalArgumentException("unknown peer '" + name + "'; known: " + String.join(", ", names()));
    }
}
