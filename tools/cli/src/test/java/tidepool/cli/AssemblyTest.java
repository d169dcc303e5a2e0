package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.clusters.ChangingNodes;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.protocol.Protocol;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.Steward;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.zookeeper.LocalZooKeeper;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.ZkUrl;

/**
 * Processes of simulated clusters are assembled like real ones. The parts of a pool that share an object are the same
 * for a pool that was opened by {@code zk://} and for one that a cluster simulation has opened.
 */
@Timeout(120)
class AssemblyTest {
    /** The objects that parts of a pool may share; their identity is compared, not their contents. */
    private static final Set<Class<?>> PARTS = Set.of(Membership.class, Protocol.class, PoolOptions.class);

    /** The packages of pools and of stewards. */
    private static final Set<String> PACKAGES = Set.of("tidepool", "tidepool.spi");

    @TempDir
    Path folder;

    @Test
    void simulatedProcessesAreWiredLikeRealOnes() throws Exception {
        Set<Set<String>> real = real();
        Set<Set<String>> simulated = simulated();
        assertTrue(
                real.stream().anyMatch(same -> same.contains("sessions.protocol") && same.size() == 3),
                () -> "a steward has the protocol of its pool: " + real);
        assertEquals(lines(real), lines(simulated));
    }

    private Set<Set<String>> real() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        NodeOptions options = NodeOptions.onLoopback("a", 0, 16 << 20).withIdentity("a#1");
        try (LocalZooKeeper zookeeper = new LocalZooKeeper(folder, any);
                MemoryServer server = MemoryServer.start(options)) {
            String url = "zk://127.0.0.1:" + zookeeper.port() + "/pool?nodes=1&replicas=1&memory=1m";
            String address = "127.0.0.1:" + server.address().getPort();
            NodeEntry entry = new NodeEntry("a#1", address, "a", Duration.ofSeconds(20), 16 << 20, 0);
            try (NodeRegistration _ = NodeRegistration.register(ZkUrl.parse(url), entry, sentence -> {});
                    Tidepool pool = Tidepool.open(url)) {
                return shared(pool);
            }
        }
    }

    private static Set<Set<String>> simulated() {
        Set<Set<String>> found = new HashSet<>();
        ClusterOptions options = ClusterOptions.drawnWithNodes(1);
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(
                    simulation,
                    options.nodes() + options.fates().spares(),
                    CostProfile.CX5.withLease(options.leaseNanos()),
                    options.adversary());
            PoolOptions pool = new PoolOptions("ford", options.replicas(), 2, 64 * 1024, 16, 4096);
            ChangingNodes nodes = new ChangingNodes(simulation, fabric, options, pool, new ClusterReport(), List::of);
            simulation.start(simulation.machine("process", 2), "process", () -> {
                try (Tidepool opened = nodes.open(options.protocol().get())) {
                    found.addAll(shared(opened));
                }
            });
            simulation.run();
        }
        return found;
    }

    private static String lines(Set<Set<String>> groups) {
        Set<String> lines = new TreeSet<>();
        for (Set<String> group : groups) lines.add(String.join(" = ", group));
        return String.join("\n", lines);
    }

    /** The paths from a pool to its parts and to its steward, those that lead to one object together. */
    private static Set<Set<String>> shared(Tidepool pool) {
        Map<Object, Set<String>> paths = new IdentityHashMap<>();
        walk("", pool, paths, new IdentityHashMap<>());
        return new HashSet<>(paths.values());
    }

    private static void walk(String path, Object object, Map<Object, Set<String>> paths, Map<Object, Object> seen) {
        boolean part = PARTS.stream().anyMatch(type -> type.isInstance(object));
        if (part || object instanceof Steward)
            paths.computeIfAbsent(object, _ -> new TreeSet<>()).add(path);
        if (part || seen.put(object, object) != null) return;
        for (Field field : object.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) continue;
            Object value = value(field, object);
            if (value == null || !isOurs(value)) continue;
            String name = field.getName().startsWith("arg$") ? "of" : field.getName();
            walk(path.isEmpty() ? name : path + "." + name, value, paths, seen);
        }
    }

    /**
     * Returns whether it is one of the parts or an object of the packages of pools, lambdas included; but no listener,
     * which is the caller's.
     */
    private static boolean isOurs(Object value) {
        return PARTS.stream().anyMatch(type -> type.isInstance(value))
                || PACKAGES.contains(value.getClass().getPackageName())
                        && !value.getClass().isAnonymousClass();
    }

    private static Object value(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
