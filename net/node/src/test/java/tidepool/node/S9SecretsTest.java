package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.ManualClock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.node.security.ClientAuthenticator;
import tidepool.node.security.TokenFileAuthenticator;
import tidepool.testkit.PrivateFiles;
import tidepool.testkit.TestCertificates;
import tidepool.wire.ControlCode;
import tidepool.wire.Transports;
import tidepool.wire.tls.TlsTransports;
import tidepool.wire.tls.Tokens;

/** S9: a node does not listen beyond loopback without credentials, and its output contains no secret. */
class S9SecretsTest {
    private static final String TOKEN = Tokens.random();
    private static final String NEXT = Tokens.random();

    @TempDir
    private Path folder;

    @Test
    void aNodeListensBeyondLoopbackOnlyWithCredentials() {
        for (String everywhere : List.of("0.0.0.0", "::", "192.0.2.1")) {
            NodeOptions open =
                    NodeOptions.onLoopback("memory-0", 0, 4 << 20).withListen(new InetSocketAddress(everywhere, 0));

            FabricException refused = assertThrows(FabricException.class, () -> MemoryServer.start(open));

            assertTrue(refused.getMessage().contains("credentials"), refused.getMessage());
        }
    }

    @Test
    void withCredentialsItMay() throws IOException {
        Path file = PrivateFiles.write(folder.resolve("credentials"), "alice " + TOKEN + " *:all\n");
        NodeOptions guarded = NodeOptions.onLoopback("memory-0", 0, 4 << 20)
                .withListen(new InetSocketAddress("0.0.0.0", 0))
                .withSecurity(TokenFileAuthenticator.open(file), Transports.PLAIN);

        MemoryServer.start(guarded).close();
    }

    /** Every failure that involves secrets happens once. Then all output is searched for the secrets. */
    @Test
    void noSecretIsPrinted() throws Exception {
        Path credentials = folder.resolve("credentials");
        PrivateFiles.write(credentials, "alice " + TOKEN + " *:all\n");
        ManualClock clock = new ManualClock();
        ClientAuthenticator authenticator = TokenFileAuthenticator.open(credentials, clock);
        NodeOptions options =
                NodeOptions.onLoopback("memory-0", 0, 16 << 20).withSecurity(authenticator, Transports.PLAIN);
        Secrets secrets = new Secrets().add("token", TOKEN).add("new token", NEXT);
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(terminal, true, StandardCharsets.UTF_8));
        try (Printed printed = new Printed();
                Attacked node = new Attacked(options, RawHandshake.of("alice", TOKEN))) {
            secrets.add("capability", node.capabilityHigh).add("capability", node.capabilityLow);
            goWrong(node, printed, credentials, clock);

            printed.say(node.server.status().toText());
            printed.say(node.control.control(ControlCode.STATUS).text());
            printed.say(Everything.of(List.of(node.server, options, authenticator)));
            secrets.assertNotIn(printed.text());
            assertTrue(printed.text().contains("refused"), "the refusals were printed");
            assertTrue(printed.text().contains("old version stays"), "the broken file was printed");
        } finally {
            System.setErr(before);
        }
        secrets.assertNotIn(terminal.toString(StandardCharsets.UTF_8));
    }

    private void goWrong(Attacked node, Printed printed, Path credentials, ManualClock clock) throws Exception {
        String url = "tcp://127.0.0.1:" + node.server.address().getPort() + "/" + Attacked.POOL;
        Path wrong = PrivateFiles.write(folder.resolve("wrong"), NEXT);
        printed.fails(() -> Fabric.open(url + "?user=alice&tokenFile=" + wrong));
        printed.fails(() -> Fabric.open(url + "?user=alice&token=" + TOKEN));
        printed.fails(() -> Fabric.open(url.replace("//", "//alice:" + TOKEN + "@")));
        Path loose = PrivateFiles.write(folder.resolve("loose"), TOKEN, "rw-r--r--");
        printed.fails(() -> Fabric.open(url + "?user=alice&tokenFile=" + loose));
        printed.fails(() -> Fabric.open(url + "?user=" + TOKEN + "/&tokenFile=" + wrong));
        try (RawClient raw = new RawClient(node.server.address())) {
            new RawHandshake("alice", null).attempt(raw, Attacked.POOL);
        }
        Path good = PrivateFiles.write(folder.resolve("good"), TOKEN);
        try (Fabric fabric = Fabric.open(url + "?user=alice&tokenFile=" + good)) {
            printed.say(Everything.of(List.of(fabric)));
        }
        try (RawClient raw = node.insider(RawHandshake.of("alice", TOKEN))) {
            RawClient.Answer wrongCapability =
                    raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow + 1);
            printed.say(wrongCapability.text());
            printed.say(raw.control(ControlCode.FREE_REGION, node.capabilityHigh, node.capabilityLow + 1)
                    .text());
            raw.send(new byte[64]);
            raw.readOrEnd();
        }
        PrivateFiles.write(credentials, "alice " + TOKEN + " *:all\n" + NEXT + " *:all\n");
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        while (!printed.text().contains("old version stays")) Thread.sleep(10);
    }

    /** The search is effective: it finds a number in each form in which it may be printed. */
    @Test
    void theSearchFindsWhatIsThere() {
        Secrets secrets = new Secrets().add("token", TOKEN).add("capability", 0x1234_5678_9abc_def0L);
        for (String leak : List.of(
                "x" + TOKEN + "y",
                "capability=" + 0x1234_5678_9abc_def0L,
                "capability=123456789abcdef0",
                "0x123456789ABCDEF0",
                "f0debc9a78563412")) assertThrows(AssertionError.class, () -> secrets.assertNotIn(leak), leak);
        secrets.assertNotIn("nothing to see");
    }

    /** Regions hold data, and the pool's own files hold capabilities: only the owner can open the folder. */
    @Test
    void filesOfAPoolAreItsOwners() throws IOException {
        Path dir = folder.resolve("node");
        try (Attacked node =
                new Attacked(NodeOptions.onLoopback("memory-0", 0, 64L << 20).withDir(dir), RawHandshake.ANONYMOUS)) {
            try (Stream<Path> entries = Files.list(dir)) {
                for (Path entry : entries.toList()) {
                    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(entry));
                    if (Files.isDirectory(entry)) assertEquals("rwx------", mode, entry.toString());
                    else assertEquals(0, Files.size(entry), entry + " lies beside the pools and has something in it");
                }
            }
            node.assertUnharmed();
        }
    }

    /** Key files and token files that other users may open are refused. */
    @Test
    void looseFilesAreRefused() throws IOException {
        TestCertificates made = new TestCertificates(folder).authority("ours");
        Files.setPosixFilePermissions(made.key("ours"), PosixFilePermissions.fromString("rw-r--r--"));
        Path credentials = PrivateFiles.write(folder.resolve("loose"), "alice " + TOKEN + " *:all\n", "rw-rw----");

        for (Throwable refused : List.of(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TlsTransports.forNode(made.certificate("ours"), made.key("ours"), null)),
                assertThrows(IllegalArgumentException.class, () -> TokenFileAuthenticator.open(credentials)))) {
            assertTrue(refused.getMessage().contains("chmod 600"), refused.getMessage());
            assertFalse(refused.getMessage().contains(TOKEN));
            assertEquals(null, refused.getCause());
        }
    }
}
