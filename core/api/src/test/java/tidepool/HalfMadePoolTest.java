package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SmallTmpfs;

/** A pool for which there is no room, or whose maker was killed, frees the memory that it had taken. */
class HalfMadePoolTest {
    private static final int MEGABYTE = 1 << 20;
    private static final String SHAPE = "?nodes=2&replicas=2&memory=1m&coordinators=8&log=32k";

    /** One row of the table. */
    record Item(@Key long id, long count) {}

    @TempDir
    Path folder;

    /**
     * Otherwise half a pool in /dev/shm would take its memory until the machine is restarted, or a person removes it.
     */
    @Test
    void aPoolForWhichThereIsNoRoomLeavesNothing() throws IOException {
        int refused = 0;
        boolean opened = false;
        for (int kilobytes = 512; !opened && kilobytes < 16 << 10; kilobytes += 256) {
            try (SmallTmpfs small = SmallTmpfs.mount(folder.resolve("small"), "size=" + kilobytes + "k")) {
                assumeTrue(small != null, "no right to mount a tmpfs");
                Path place = small.path().resolve("pool");
                try (Tidepool pool = Tidepool.open("shm:" + place + SHAPE)) {
                    use(pool);
                    opened = true;
                } catch (FabricException e) {
                    refused++;
                    String message = e.getMessage();
                    assertTrue(
                            message.contains("No space left on device") || message.contains("enough space"), message);
                    assertTrue(message.contains(place.toString()), message);
                    assertEquals(List.of("pool.lock"), files(small.path()), kilobytes + "k: " + message);
                }
            }
        }
        assertTrue(opened && refused > 12, "opened " + opened + " after " + refused);
    }

    /** A request may be impossible for other reasons than space. */
    @Test
    void aPoolThatIsRefusedLeavesNothing() throws IOException {
        assertThrows(
                RuntimeException.class,
                () -> Tidepool.open("shm:" + folder.resolve("pool") + "?nodes=2&replicas=2&memory=9000000g"));
        assertEquals(List.of("pool.lock"), files(folder));
        try (Tidepool pool = Tidepool.open("shm:" + folder.resolve("pool") + SHAPE)) {
            use(pool);
        }
    }

    /** A pool that exists, or is open elsewhere, is never taken for one that is half made. */
    @Test
    void aWholePoolSurvivesEveryRefusal() {
        String url = "shm:" + folder.resolve("pool");
        try (Tidepool pool = Tidepool.open(url + SHAPE)) {
            use(pool);
        }
        assertThrows(StoreException.class, () -> Tidepool.open(url + "?replicas=1"));
        assertThrows(StoreException.class, () -> Tidepool.open(url + "?protocol=motor"));
        assertThrows(FabricException.class, () -> Tidepool.open(url + "?nodes=3"));
        try (Tidepool pool = Tidepool.open(url)) {
            assertEquals(
                    7,
                    pool.read(tx -> pool.table("items", Item.class).get(tx, 1)).count());
        }
    }

    /** The next opener frees the regions of a maker that died, wherever it was killed. */
    @Test
    @Tag("process")
    void whatAKilledMakerLeftIsFreed() throws IOException {
        for (int regions = 1; regions < 8; regions++) {
            Path place = folder.resolve("pool-" + regions);
            try (ChildProcess maker = ChildProcess.jvm(
                            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"),
                            Maker.class,
                            place.toString(),
                            "" + regions)
                    .start()) {
                assertEquals(Maker.KILLED, maker.exitCode(), maker.errors());
            }
            long left = bytes(place);
            try (Tidepool pool = Tidepool.open("shm:" + place + SHAPE)) {
                use(pool);
            }
            assertTrue(bytes(place) < 10 * MEGABYTE, "bytes=" + bytes(place) + " left=" + left + " " + files(place));
        }
    }

    private static void use(Tidepool pool) {
        Table<Item> items = pool.table("items", Item.class, 100);
        pool.transact(tx -> items.put(tx, new Item(1, 7)));
    }

    private static List<String> files(Path folder) throws IOException {
        try (var entries = Files.walk(folder)) {
            return entries.filter(entry -> !entry.equals(folder))
                    .map(entry -> folder.relativize(entry).toString())
                    .sorted()
                    .toList();
        }
    }

    private static long bytes(Path folder) throws IOException {
        long sum = 0;
        for (String file : files(folder))
            if (Files.isRegularFile(folder.resolve(file))) sum += Files.size(folder.resolve(file));
        return sum;
    }

    /** A process that makes a pool and ends abruptly after it has made a given number of regions. */
    static final class Maker {
        static final int KILLED = 9;

        public static void main(String[] arguments) {
            Dying fabric = new Dying(Fabric.open("shm:" + arguments[0] + "?nodes=2"), Integer.parseInt(arguments[1]));
            PoolAccess.open(
                    fabric, PoolOptions.of(FabricUrl.parse("shm:pool?replicas=2&memory=12m&coordinators=8&log=32k")));
        }
    }

    /** A fabric whose process ends after the given number of regions. */
    private static final class Dying extends Fabric {
        private final Fabric fabric;
        private int left;

        Dying(Fabric fabric, int regions) {
            this.fabric = fabric;
            this.left = regions;
        }

        @Override
        public NodeControl control(int node) {
            NodeControl inner = fabric.control(node);
            return (NodeControl) Proxy.newProxyInstance(
                    NodeControl.class.getClassLoader(), new Class<?>[] {NodeControl.class}, (_, method, arguments) -> {
                        Object result = method.invoke(inner, arguments);
                        if (method.getName().equals("createRegion") && --left == 0)
                            Runtime.getRuntime().halt(Maker.KILLED);
                        return result;
                    });
        }

        @Override
        public String name() {
            return fabric.name();
        }

        @Override
        public int nodes() {
            return fabric.nodes();
        }

        @Override
        public OrderTable orders() {
            return fabric.orders();
        }

        @Override
        public Session attach() {
            return fabric.attach();
        }

        @Override
        public boolean isDead(int session) {
            return fabric.isDead(session);
        }

        @Override
        public void close() {
            fabric.close();
        }
    }
}
