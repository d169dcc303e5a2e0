package tidepool.wire.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.ManualClock;
import tidepool.base.Randomness;
import tidepool.testkit.PrivateFiles;
import tidepool.testkit.TestCertificates;
import tidepool.wire.Transport;
import tidepool.wire.Transports;

/**
 * TLS carries bytes both ways without waiting, and only between ends whose certificates a trusted authority has signed.
 */
class TlsTransportTest {
    @TempDir
    private static Path folder;

    private static TestCertificates made;

    @BeforeAll
    static void makeCertificates() {
        made = new TestCertificates(folder)
                .authority("ours")
                .signed("ours", "node")
                .signed("ours", "alice")
                .expired("ours", "late")
                .authority("theirs")
                .signed("theirs", "mallory");
    }

    private static Transports node(String name, String clientCa) {
        return TlsTransports.forNode(
                made.certificate(name), made.key(name), clientCa == null ? null : made.certificate(clientCa));
    }

    private static Transports client(String ca, String name) {
        return TlsTransports.forClient(
                made.certificate(ca),
                name == null ? null : made.certificate(name),
                name == null ? null : made.key(name));
    }

    @Test
    void whatIsSaidArrivesBothWays() throws IOException {
        try (TlsPair pair = new TlsPair(client("ours", null), node("node", null), "localhost")) {
            assertEquals("hello", pair.carry(pair.client, pair.node, "hello"));
            assertEquals("welcome", pair.carry(pair.node, pair.client, "welcome"));
            assertNull(pair.node.peerName());
            assertEquals("node", pair.client.peerName());
        }
    }

    @Test
    void theNameInTheClientsCertificateIsKnown() throws IOException {
        try (TlsPair pair = new TlsPair(client("ours", "alice"), node("node", "ours"), "127.0.0.1")) {
            assertNull(pair.node.peerName());
            assertEquals("hello", pair.carry(pair.client, pair.node, "hello"));
            assertEquals("alice", pair.node.peerName());
        }
    }

    /**
     * An end that has sent its part of the handshake and waits for the other has nothing to flush. Otherwise a selector
     * that waits for writability would spin.
     */
    @Test
    void anEndThatWaitsForTheOtherDoesNotWantToFlush() throws IOException {
        try (TlsPair pair = new TlsPair(client("ours", null), node("node", null), "localhost")) {
            assertTrue(pair.client.wantsFlush());
            assertFalse(pair.node.wantsFlush());
            assertEquals(5, pair.client.write(TlsPair.direct("hello".getBytes())));
            assertFalse(pair.client.wantsFlush());
            assertFalse(pair.client.hasBuffered());
        }
    }

    /** More data than any buffer holds, in pieces of any size, with a reader that is slower than the writer. */
    @Test
    void muchArrivesAsItWas() throws Exception {
        Randomness random = new Randomness(7);
        byte[] sent = new byte[6 << 20];
        for (int i = 0; i < sent.length; i += 8) ByteBuffer.wrap(sent).putLong(i, random.nextLong());
        ByteArrayOutputStream got = new ByteArrayOutputStream(sent.length);
        try (TlsPair pair = new TlsPair(client("ours", null), node("node", null), "localhost")) {
            pair.carry(pair.client, pair.node, "hello");
            ByteBuffer out = TlsPair.direct(sent);
            ByteBuffer in = ByteBuffer.allocateDirect(48 << 10);
            while (got.size() < sent.length) {
                out.limit(Math.min(sent.length, out.position() + random.nextInt(200_000)));
                pair.node.write(out);
                if (pair.node.wantsFlush()) pair.node.flush();
                if (random.chance(1, 3)) continue;
                do {
                    in.clear().limit(1 + random.nextInt(in.capacity()));
                    pair.client.read(in);
                    byte[] part = new byte[in.flip().remaining()];
                    in.get(part);
                    got.writeBytes(part);
                } while (pair.client.hasBuffered());
            }
        }
        assertArrayEquals(digest(sent), digest(got.toByteArray()));
    }

    private static byte[] digest(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    @Test
    void closingIsSeenAsTheEnd() throws IOException {
        try (TlsPair pair = new TlsPair(client("ours", null), node("node", null), "localhost")) {
            pair.carry(pair.client, pair.node, "hello");
            pair.client.close();
            pair.client.close();

            assertEquals(-1, readUntilEnd(pair.node));
        }
    }

    private static int readUntilEnd(Transport end) throws IOException {
        ByteBuffer in = ByteBuffer.allocateDirect(TlsPair.BUFFER);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) if (end.read(in) < 0) return -1;
        return 0;
    }

    private static void assertRefused(Transports clients, Transports nodes, String host) throws IOException {
        try (TlsPair pair = new TlsPair(clients, nodes, host)) {
            IOException refused = assertThrows(IOException.class, () -> {
                pair.carry(pair.client, pair.node, "hello");
                // TLS 1.3 lets a client finish before the node has checked its certificate: the refusal comes with the
                // first answer.
                pair.carry(pair.node, pair.client, "welcome");
            });
            assertTrue(refused.getMessage().startsWith("TLS: "), refused.toString());
        }
    }

    @Test
    void aNodeOfAnotherAuthorityIsRefused() throws IOException {
        assertRefused(client("ours", null), node("mallory", null), "localhost");
    }

    @Test
    void aNodeUnderAnotherHostNameIsRefused() throws IOException {
        assertRefused(client("ours", null), node("node", null), "elsewhere.example");
    }

    @Test
    void aNodeWhoseTimeHasEndedIsRefused() throws IOException {
        assertRefused(client("ours", null), node("late", null), "localhost");
    }

    @Test
    void aClientWithoutACertificateIsRefused() throws IOException {
        assertRefused(client("ours", null), node("node", "ours"), "localhost");
    }

    @Test
    void aClientOfAnotherAuthorityIsRefused() throws IOException {
        assertRefused(client("ours", "mallory"), node("node", "ours"), "localhost");
    }

    @Test
    void aClientWhoseTimeHasEndedIsRefused() throws IOException {
        assertRefused(client("ours", "late"), node("node", "ours"), "localhost");
    }

    @Test
    void plainBytesAreNoTls() throws IOException {
        try (TlsPair pair = new TlsPair(Transports.PLAIN, node("node", null), "localhost")) {
            assertThrows(IOException.class, () -> pair.carry(pair.client, pair.node, "TIDEPOOL".repeat(100)));
        }
        try (TlsPair pair = new TlsPair(client("ours", null), Transports.PLAIN, "localhost")) {
            ByteBuffer hello = ByteBuffer.allocateDirect(TlsPair.BUFFER);
            pair.client.flush();
            while (pair.node.read(hello) == 0) Thread.onSpinWait();
            pair.node.write(TlsPair.direct("TIDEPOOL".repeat(100).getBytes()));

            assertThrows(IOException.class, () -> readUntilEnd(pair.client));
        }
    }

    /** New keys apply to later connections; an invalid version changes nothing. */
    @Test
    void newFilesAreUsedForNewConnections() throws IOException {
        Path certificate = folder.resolve("changing.pem");
        Path key = folder.resolve("changing.key");
        install("late", certificate, key);
        ManualClock clock = new ManualClock();
        Transports nodes = TlsTransports.forNode(certificate, key, null, clock);
        assertRefused(client("ours", null), nodes, "localhost");

        install("node", certificate, key);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertSpeaks(nodes);
        // a certificate of another key
        Files.copy(made.certificate("late"), certificate, StandardCopyOption.REPLACE_EXISTING);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertSpeaks(nodes);
    }

    private static void install(String name, Path certificate, Path key) throws IOException {
        Files.copy(made.certificate(name), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(made.key(name), key, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static void assertSpeaks(Transports nodes) throws IOException {
        try (TlsPair pair = new TlsPair(client("ours", null), nodes, "localhost")) {
            assertEquals("hello", pair.carry(pair.client, pair.node, "hello"));
        }
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws IOException {
        Path loose = Files.copy(made.key("node"), folder.resolve("loose.key"));
        Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rw-r-----"));

        assertKeyRefused(loose, "the key file " + loose + " can be opened by others");
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() {
        assertKeyRefused(made.key("alice"), "the key in " + made.key("alice") + " belongs to another certificate");
    }

    @Test
    void aKeyInAnotherFormIsRefusedWithWhatToDo() throws IOException {
        String plain = Files.readString(made.key("node"));
        Path encrypted = PrivateFiles.write(
                folder.resolve("encrypted.key"), plain.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
        Path garbage = PrivateFiles.write(folder.resolve("garbage.key"), plain.replace("\nM", "\nA"));

        assertKeyRefused(encrypted, "openssl pkcs8 -topk8 -nocrypt");
        assertKeyRefused(garbage, "the key file " + garbage + " has no key that fits the certificate");
    }

    private static void assertKeyRefused(Path key, String why) {
        CredentialsException wrong = assertThrows(
                CredentialsException.class, () -> TlsTransports.forNode(made.certificate("node"), key, null));
        assertTrue(wrong.getMessage().contains(why), wrong.getMessage());
        assertNull(wrong.getCause());
    }
}
