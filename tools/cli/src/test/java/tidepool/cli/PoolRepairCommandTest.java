package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.SchemaChange;
import tidepool.spi.PoolAccess;
import tidepool.workload.Account;
import tidepool.workload.QuiescentPoolCheck;
import tidepool.zookeeper.LocalZooKeeper;

/**
 * Folders of nodes that are damaged or old are not served; they are repaired from the other copies, and never the last
 * ones.
 */
@Timeout(300)
@Tag("process")
class PoolRepairCommandTest {
    /** The table is made for one row, so it has grown when these are in it. */
    private static final long ACCOUNTS = 500;

    private static final long BATCH = 50;

    @TempDir
    Path folder;

    private LocalZooKeeper zookeeper;
    private String place;
    private String url;
    private final List<SeparateNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        LibraryLogs.quiet();
        zookeeper =
                new LocalZooKeeper(folder.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        place = "zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s";
        url = place + "&flush=selective&connect=60s";
    }

    @AfterEach
    void stop() {
        for (SeparateNode node : nodes) node.close();
        zookeeper.close();
    }

    private Path dir(String name) {
        return folder.resolve("dir-" + name);
    }

    private SeparateNode node(String name) throws IOException {
        return node(name, "127.0.0.1:0");
    }

    private SeparateNode node(String name, String listen) throws IOException {
        SeparateNode node = SeparateNode.start(
                folder,
                "--name",
                name,
                "--listen",
                listen,
                "--zk",
                place,
                "--lease",
                "30s",
                "--handshake-time",
                "60s",
                "--durability",
                "strict",
                "--dir",
                dir(name).toString());
        nodes.add(node);
        return node;
    }

    private void assertNotStarted(String name, String why) {
        IOException refused = assertThrows(IOException.class, () -> node(name));
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
        assertTrue(refused.getMessage().contains("pool repair " + place.replaceAll("\\?.*", "")), refused.getMessage());
    }

    private static String run(int code, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(code, run.exitCode(), run::toString);
        return run.out() + run.err();
    }

    private void create(String names) {
        run(0, "pool", "create", url + "&memory=2m&partitions=6&coordinators=4", "--replicas", "2", "--nodes", names);
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            for (long from = 0; from < ACCOUNTS; from += BATCH) {
                long first = from;
                pool.transact(tx -> {
                    for (long i = first; i < first + BATCH; i++) accounts.insert(tx, new Account(i, 100));
                });
            }
            assertTrue(PoolAccess.layout(accounts.handle()).hasGrown(), "the table has grown");
        }
    }

    private void assertNothingLost() {
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            for (long from = 0; from < ACCOUNTS; from += BATCH) {
                long[] ids = LongStream.range(from, from + BATCH).toArray();
                for (Account account : pool.read(tx -> accounts.getAll(tx, ids))) assertEquals(100L, account.cents());
            }
        }
    }

    private static void stop(SeparateNode node) throws IOException, InterruptedException {
        node.signal("TERM");
        assertEquals(0, node.exitCode());
    }

    private List<Path> putAside(String name) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith("dir-" + name + ".left-"))
                    .toList();
        }
    }

    @Tag("full")
    @Test
    void aDamagedFolderIsFilledFromTheOthersAndNeverTheLastCopies() throws Exception {
        node("a");
        SeparateNode b = node("b");
        SeparateNode c = node("c");
        create("a,b,c");
        stop(c);
        String well = run(0, "pool", "repair", url, dir("c").toString());
        assertTrue(well.contains("nothing is to be repaired: start the node again"), well);
        Path segment = dir("c").resolve("journal/segment-0000000000000001");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 3] ^= 4;
        Files.write(segment, bytes);
        assertNotStarted("c", "the journal is damaged");

        String before = run(1, "pool", "status", url);
        String asked = run(1, "pool", "repair", url, dir("c").toString());
        assertTrue(asked.contains("WRONG: the journal is damaged"), asked);
        assertTrue(asked.contains("thrown away: primary copies of partitions 2, 5; backup copies of"), asked);
        assertTrue(asked.contains("nothing was changed: --yes does it"), asked);
        assertEquals(before, run(1, "pool", "status", url));

        stop(b);
        String refused = run(1, "pool", "repair", url, dir("c").toString(), "--yes");
        assertTrue(refused.contains("no whole one is left of partitions 1, 4, because b#"), refused);
        assertTrue(refused.contains("start these first. Nothing was changed"), refused);
        assertEquals(List.of(), putAside("c"));
        IOException elsewhere = assertThrows(IOException.class, () -> node("b"));
        assertTrue(elsewhere.getMessage().contains("is a member at " + b.address()), elsewhere.getMessage());
        node("b", b.address());

        String repaired = run(0, "pool", "repair", url, dir("c").toString(), "--yes");
        assertTrue(repaired.contains("put aside as"), repaired);
        assertEquals(1, putAside("c").size());
        assertTrue(run(0, "pool", "status", url).contains("a#"), "two nodes are enough for two copies");
        node("c");
        run(0, "pool", "add", url, "c");
        String status = run(0, "pool", "status", url);
        assertEquals(3, status.lines().filter(line -> line.contains("lives")).count(), status);
        assertNothingLost();
        assertTrue(run(1, "pool", "repair", url, dir("c").toString()).contains("a node serves this folder"));
    }

    /**
     * Returns the state that a file system leaves which goes back to a snapshot: the files themselves, with their old
     * contents.
     */
    private static Map<Path, byte[]> image(Path of) throws IOException {
        Map<Path, byte[]> image = new LinkedHashMap<>();
        try (Stream<Path> all = Files.walk(of)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) image.put(file, Files.readAllBytes(file));
        }
        return image;
    }

    private static void goBack(Path folder, Map<Path, byte[]> image) throws IOException {
        for (Path file : image(folder).keySet()) if (!image.containsKey(file)) Files.delete(file);
        for (Map.Entry<Path, byte[]> file : image.entrySet()) Files.write(file.getKey(), file.getValue());
    }

    @Tag("full")
    @Test
    void aFolderOfAnEarlierLifeIsNotServed() throws Exception {
        node("a");
        node("b");
        SeparateNode c = node("c");
        create("a,b,c");
        try (Tidepool pool = Tidepool.open(url)) {
            pool.rename("accounts", "bank");
            HalfMoved.make(pool);
        }
        stop(c);
        Map<Path, byte[]> image = image(dir("c"));
        stop(node("c", c.address()));
        goBack(dir("c"), image);

        assertNotStarted("c", "its journal was started once and the node has started 2 times");

        run(0, "pool", "repair", url, dir("c").toString(), "--yes");
        node("c");
        run(0, "pool", "add", url, "c");
        assertHalfMovedTableGoesOn();
        assertNothingLost();
    }

    /** Rows of a table that were moving to another layout lie in the copies that the repair has filled. */
    private void assertHalfMovedTableGoesOn() {
        try (Tidepool pool = Tidepool.open(url)) {
            assertNotNull(HalfMoved.before(pool));
            HalfMoved.check(pool);
            assertEquals(List.of(), QuiescentPoolCheck.of(pool).problems());
            pool.alter("accounts", new SchemaChange());
            assertNull(HalfMoved.before(pool));
            HalfMoved.check(pool);
            pool.drop("accounts");
            pool.rename("bank", "accounts");
        }
    }

    @Tag("full")
    @Test
    void aFolderOfAnEarlierEpochIsNotServed() throws Exception {
        node("a");
        node("b");
        SeparateNode c = node("c");
        create("a,b,c");
        Map<Path, byte[]> image = image(dir("c"));
        SeparateNode d = node("d");
        run(0, "pool", "add", url, "d", "--no-balance");
        c.signal("KILL");
        goBack(dir("c"), image);

        assertNotStarted("c", "it knows epoch 1, and the node was in the pool in epoch 2");

        d.signal("KILL");
        String asked = run(1, "pool", "repair", url);
        assertTrue(asked.contains("d#") && asked.contains("would be taken out"), asked);
        run(0, "pool", "repair", url, "--yes");
        assertNothingLost();
        String status = run(0, "pool", "status", url);
        assertEquals(2, status.lines().filter(line -> line.contains("lives")).count(), status);
        assertTrue(run(0, "pool", "repair", url).contains("all copies whole"));
        String removed = run(1, "pool", "repair", url, dir("c").toString());
        assertTrue(removed.contains("was removed from the pool bank: what the folder holds is old"), removed);
    }

    @Test
    void whatCannotBeRepairedIsASentence() throws Exception {
        assertTrue(run(1, "pool", "repair", "tcp://127.0.0.1:1/bank").contains("has no roster"));
        node("a");
        node("b");
        create("a,b");
        assertTrue(
                run(1, "pool", "repair", url, folder.resolve("none").toString()).contains("no such folder"));
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertTrue(run(1, "pool", "repair", url, empty.toString()).contains("no node of a pool in ZooKeeper"));
        Files.writeString(empty.resolve("identity"), "other x#1\n");
        assertTrue(run(1, "pool", "repair", url, empty.toString()).contains("a node of the pool other"));
        Files.writeString(empty.resolve("identity"), "garbage\n");
        assertTrue(run(1, "pool", "repair", url, empty.toString()).contains("does not say which node"));
        Files.copy(
                dir("a").resolve("identity"),
                Files.createDirectory(folder.resolve("copy")).resolve("identity"));
        String runs = run(1, "pool", "repair", url, folder.resolve("copy").toString());
        assertTrue(runs.contains(" runs, at 127.0.0.1:"), runs);
        assertFalse(runs.contains("put aside"), runs);
    }
}
