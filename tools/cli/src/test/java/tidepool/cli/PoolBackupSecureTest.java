package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;
import tidepool.testkit.ChildProcess;
import tidepool.zookeeper.LocalZooKeeper;

/** Snapshots of a pool whose nodes are processes with credentials, with TLS and without. */
@Timeout(300)
@Tag("full")
@Tag("process")
class PoolBackupSecureTest {
    private static final String PASSWORD = "only-for-the-test";
    private static final String TOKEN = "0123456789abcdef0123456789abcdef0123456789abcdef";

    @TempDir
    Path folder;

    private LocalZooKeeper zookeeper;
    private String place;
    private Path credentials;
    private Path token;
    private final List<SeparateNode> nodes = new ArrayList<>();

    record Account(@Key long id, long balance) {}

    @BeforeEach
    void start() throws Exception {
        LibraryLogs.quiet();
        zookeeper =
                new LocalZooKeeper(folder.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        place = "zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s&connect=60s";
        credentials = secret("credentials", "alice " + TOKEN + " *:all\n");
        token = secret("alice.token", TOKEN + "\n");
    }

    @AfterEach
    void stop() {
        for (SeparateNode node : nodes) node.close();
        zookeeper.close();
    }

    private Path secret(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    @Test
    void aPoolWithTokensIsBackedUp() throws Exception {
        backUp(place + "&user=alice&tokenFile=" + token, List.of("--credentials", credentials.toString()));
    }

    @Test
    void aPoolWithTokensAndTlsIsBackedUp() throws Exception {
        certificate();
        Path certificate = folder.resolve("node.pem");
        backUp(
                place + "&user=alice&tokenFile=" + token + "&tls=on&ca=" + certificate,
                List.of(
                        "--credentials",
                        credentials.toString(),
                        "--tls-cert",
                        certificate.toString(),
                        "--tls-key",
                        folder.resolve("node.key").toString()));
    }

    private void backUp(String url, List<String> door) throws Exception {
        for (String name : List.of("a", "b")) {
            List<String> flags = new ArrayList<>(List.of("--name", name, "--zk", place, "--lease", "20s"));
            flags.addAll(List.of("--handshake-time", "60s"));
            flags.addAll(door);
            nodes.add(SeparateNode.start(folder, flags.toArray(String[]::new)));
        }
        run(0, List.of("pool", "create", url + "&memory=1m", "--replicas", "2", "--nodes", "a,b"));
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("account", Account.class);
            pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));
        }
        Path file = folder.resolve("bank.snapshot");
        String refused = run(1, List.of("pool", "backup", url, file.toString()));
        assertTrue(refused.contains("nothing was begun") && refused.contains("--credentials"), refused);
        assertFalse(Files.exists(file));
        String status = run(0, List.of("pool", "status", url));
        assertTrue(status.contains("epoch 1, steady") && !status.contains("backup"), status);

        List<String> backup = new ArrayList<>(List.of("pool", "backup", url, file.toString()));
        backup.addAll(door);
        run(0, backup);
        run(0, List.of("pool", "restore", "--check", file.toString()));
        status = run(0, List.of("pool", "status", url));
        assertTrue(status.contains("steady"), status);
        assertEquals(2, status.lines().filter(line -> line.contains("lives")).count(), status);
    }

    private static String run(int code, List<String> arguments) {
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertEquals(code, run.exitCode(), run::toString);
        return run.out() + run.err();
    }

    /** One that vouches for itself, made by the JDK's keytool. */
    private void certificate() throws Exception {
        Path store = folder.resolve("node.p12");
        try (ChildProcess keytool = ChildProcess.program(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "node",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=node",
                        "-validity",
                        "2",
                        "-ext",
                        "bc:c",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1")
                .merged()
                .start()) {
            String said = keytool.rest();
            assertEquals(0, keytool.exitCode(), said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Files.writeString(
                folder.resolve("node.pem"),
                pem("CERTIFICATE", keys.getCertificate("node").getEncoded()));
        secret(
                "node.key",
                pem("PRIVATE KEY", keys.getKey("node", PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }
}
