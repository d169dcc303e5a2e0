package tidepool.bench.smallbank;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Checks;

/**
 * Who can race. Everybody gets the same JVM with the same heap; what is set beyond that stands in the class of the
 * contender and does not change.
 *
 * @param name on the command line
 * @param label in the report
 * @param bank the class that implements {@link Bank}; those of other people's stores lie in the room {@code peers}
 * @param isOurs whether it is one of our protocols, with which the others are compared
 */
public record Contender(String name, String label, String bank, boolean isOurs) {
    private static final List<Contender> PEERS = List.of(
            new Contender("infinispan", "infinispan", "tidepool.peers.InfinispanBank", false),
            new Contender("rocksdb", "rocksdb", "tidepool.peers.RocksBank", false),
            new Contender("chm", "chm", MapBank.class.getName(), false),
            new Contender("hand", "hand", HandBank.class.getName(), false));

    /** Our protocols. */
    public static List<String> protocols() {
        return RawPool.PROTOCOLS;
    }

    /** Everybody else. */
    public static List<String> peers() {
        return PEERS.stream().map(Contender::name).toList();
    }

    /** Whether a peer is somebody else's store, whose libraries are not on our own class path. */
    public static boolean isForeign(String peer) {
        return !ofPeer(peer).bank.startsWith(Contender.class.getPackageName());
    }

    static Contender ofProtocol(String name) {
        Checks.argument(protocols().contains(name), "unknown protocol '" + name + "'; known: " + list(protocols()));
        return new Contender(name, name + "/shm", PoolBank.class.getName(), true);
    }

    static Contender ofPeer(String name) {
        for (Contender peer : PEERS) if (peer.name.equals(name)) return peer;
        throw new IllegalArgumentException("unknown peer '" + name + "'; known: " + list(peers()));
    }

    private static String list(List<String> names) {
        return String.join(", ", names);
    }

    /** Bytes of files that it needs in its folder, for the first copy and the log of what a round changes. */
    long neededBytes(int customers) {
        return switch (name) {
            case "chm", "infinispan" -> 0;
            case "hand" -> HandBank.neededBytes(customers);
            case "rocksdb" -> 2048L * customers + (1L << 30);
            default -> PoolBank.neededBytes(customers);
        };
    }

    /** Megabytes of heap: accounts of those who keep them there, and as much again to breathe. */
    static long heapMegabytes(int customers) {
        return 2048 + customers / 1000L;
    }

    /** The options of its JVM: those of the launcher, and what other people's libraries would otherwise warn about. */
    static List<String> jvmOptions(int customers) {
        return new ArrayList<>(Arrays.asList(
                "-Xms" + heapMegabytes(customers) + "m",
                "-Xmx" + heapMegabytes(customers) + "m",
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
    }

    /** Makes and loads the bank. What its library complains about comes out in its own words. */
    Bank open(BankOptions options) {
        try {
            return Class.forName(bank)
                    .asSubclass(Bank.class)
                    .getConstructor(BankOptions.class)
                    .newInstance(options);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException told) throw told;
            if (e.getCause() instanceof Error error) throw error;
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(label + " is not on the class path", e);
        }
    }
}
