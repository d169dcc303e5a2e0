package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.node.security.NodeSecurity;
import tidepool.testkit.PrivateFiles;
import tidepool.testkit.TestCertificates;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.tls.Tokens;

/** S8: connections without TLS 1.3, without a valid certificate, or with altered bytes are ended and counted. */
class S8TlsTest {
    private static final String TOKEN = Tokens.random();

    @TempDir
    private static Path folder;

    private static TestCertificates made;
    private static Path credentials;
    private static Path token;

    private MemoryServer byCertificate;
    private MemoryServer byToken;

    @BeforeAll
    static void makeCertificates() {
        made = new TestCertificates(folder)
                .authority("ours")
                .signed("ours", "node")
                .signed("ours", "alice")
                .signed("ours", "bob")
                .expired("ours", "late")
                .authority("theirs")
                .signed("theirs", "mallory");
        token = PrivateFiles.write(folder.resolve("token"), TOKEN);
        credentials = PrivateFiles.write(
                folder.resolve("credentials"),
                "alice certificate *:all\nlate certificate *:all\nmallory certificate *:all\ncarol " + TOKEN
                        + " *:all\n");
    }

    @BeforeEach
    void start() {
        byCertificate = MemoryServer.start(options(made.certificate("ours")));
        byToken = MemoryServer.start(options(null));
    }

    @AfterEach
    void stop() {
        byCertificate.close();
        byToken.close();
    }

    private static NodeOptions options(Path clientCa) {
        NodeSecurity security = NodeSecurity.of(credentials, made.certificate("node"), made.key("node"), clientCa);
        return NodeOptions.onLoopback("memory-0", 0, 16 << 20)
                .withSecurity(security.authenticator(), security.transports());
    }

    private static String url(MemoryServer server, String who) {
        return "tcp://127.0.0.1:" + server.address().getPort() + "/bank?tls=on&ca=" + made.certificate("ours") + who;
    }

    private static String certificateOf(String name) {
        return "&cert=" + made.certificate(name) + "&key=" + made.key(name);
    }

    private void assertWorks(String url) {
        try (Fabric fabric = Fabric.open(url)) {
            assertEquals(1, fabric.control(0).createRegion(4096) == null ? 0 : 1);
        }
    }

    private void assertRefused(MemoryServer server, String url) {
        long before = server.counters().value(NodeCounter.REFUSED_CREDENTIALS);

        assertThrows(FabricException.class, () -> Fabric.open(url).close());

        awaitRefused(server, before + 1);
        assertEquals(0, server.counters().value(NodeCounter.INTERNAL_ERRORS));
    }

    private static void awaitRefused(MemoryServer server, long times) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (server.counters().value(NodeCounter.REFUSED_CREDENTIALS) < times && System.nanoTime() < deadline)
            Thread.onSpinWait();
        assertEquals(times, server.counters().value(NodeCounter.REFUSED_CREDENTIALS));
    }

    @Test
    void aCertificateLetsIn() {
        assertWorks(url(byCertificate, certificateOf("alice")));
        assertWorks(url(byCertificate, certificateOf("alice") + "&user=alice"));
    }

    /** The node authenticates by a certificate and the client by a token. */
    @Test
    void aTokenLetsInOverTls() {
        assertWorks(url(byToken, "&user=carol&tokenFile=" + token));
    }

    @Test
    void aCertificateThatIsNotInTheFileIsRefused() {
        assertRefused(byCertificate, url(byCertificate, certificateOf("bob")));
    }

    @Test
    void anExpiredCertificateIsRefused() {
        assertRefused(byCertificate, url(byCertificate, certificateOf("late")));
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() {
        assertRefused(byCertificate, url(byCertificate, certificateOf("mallory")));
    }

    @Test
    void noCertificateIsRefused() {
        assertRefused(byCertificate, url(byCertificate, ""));
    }

    /** A client with a valid certificate of alice cannot authenticate as bob. */
    @Test
    void anotherNameThanInTheCertificateIsRefused() throws Exception {
        long before = byCertificate.counters().value(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient raw = new RawClient(socket(byCertificate.address().getPort(), "TLSv1.3", "alice"))) {
            assertEquals(
                    Frame.REFUSED,
                    new RawHandshake("late", null).attempt(raw, "bank").kind());
        }
        awaitRefused(byCertificate, before + 1);
    }

    /** A client that trusts another authority does not connect to this node. */
    @Test
    void aNodeOfAnotherAuthorityIsNotBelieved() {
        String url = url(byToken, "&user=carol&tokenFile=" + token).replace("ours.pem", "theirs.pem");

        FabricException wrong = assertThrows(FabricException.class, () -> Fabric.open(url));

        assertTrue(wrong.getMessage().contains("TLS"), wrong.getMessage());
    }

    @Test
    void plainTextToATlsPortIsRefused() throws IOException {
        long before = byCertificate.counters().value(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient raw = new RawClient(byCertificate.address())) {
            raw.send(RawHandshake.ANONYMOUS.hello("bank"));
            raw.socket.getInputStream().readAllBytes(); // an alert, perhaps, and the end
        } catch (java.net.SocketException e) {
            // A reset also ends the connection.
        }
        awaitRefused(byCertificate, before + 1);
        assertThrows(
                FabricException.class,
                () -> Fabric.open(
                        "tcp://127.0.0.1:" + byToken.address().getPort() + "/bank?user=carol&tokenFile=" + token));
    }

    /** TLS to a port without TLS is refused, and the client must not fall back to plain text. */
    @Test
    void tlsToAPlainPortIsRefused() {
        try (MemoryServer plain = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 4 << 20))) {
            assertThrows(FabricException.class, () -> Fabric.open(url(plain, "")));
            assertEquals(1, plain.counters().value(NodeCounter.REFUSED_MALFORMED));
        }
    }

    @Test
    void olderVersionsOfTlsAreRefused() throws Exception {
        long before = byCertificate.counters().value(NodeCounter.REFUSED_CREDENTIALS);
        try (SSLSocket old = socket(byCertificate.address().getPort(), "TLSv1.2", "alice")) {
            assertThrows(IOException.class, old::startHandshake);
        }
        awaitRefused(byCertificate, before + 1);
    }

    /** A proxy flips one bit, of the handshake or of later records: the connection ends, and nothing is executed. */
    @Test
    void aFlippedBitEndsTheConnection() throws Exception {
        for (int record : new int[] {0, 1, 2, 3}) {
            try (FlippingProxy proxy = new FlippingProxy(byCertificate.address(), record)) {
                long before = byCertificate.counters().value(NodeCounter.REFUSED_CREDENTIALS);
                assertThrows(IOException.class, () -> talk(proxy.port()), "record " + record);
                awaitRefused(byCertificate, before + 1);
            }
        }
        assertEquals(0, byCertificate.counters().value(NodeCounter.INTERNAL_ERRORS));
        try (FlippingProxy proxy = new FlippingProxy(byCertificate.address(), Integer.MAX_VALUE)) {
            talk(proxy.port()); // without a flip the connection works
        }
    }

    private static void talk(int port) throws Exception {
        try (RawClient raw = new RawClient(socket(port, "TLSv1.3", "alice"))) {
            new RawHandshake("alice", null).enter(raw, "bank");
            for (int i = 0; i < 4; i++)
                if (raw.control(ControlCode.EPOCH).kind() != Frame.REPLY) throw new IOException("cut");
        }
    }

    /**
     * One TLS record has more frames than the buffer of a new connection holds. While the region is made, the other
     * frames wait, already decrypted. The socket is empty, so the selector never reports them.
     */
    @Test
    void framesThatAreDecryptedAlreadyAreServedWithoutFurtherBytes() throws Exception {
        int beats = 400;
        try (RawClient raw = new RawClient(socket(byCertificate.address().getPort(), "TLSv1.3", "alice"))) {
            raw.socket.setSoTimeout(20_000);
            RawHandshake alice = new RawHandshake("alice", null);
            byte[] hello = alice.hello("bank");
            raw.send(hello);
            byte[] proof = alice.proof(hello, RawHandshake.challenge(raw.read()), "bank");
            byte[] create =
                    RawClient.frame(Frame.CONTROL, 2, 0, 1, RawClient.words(ControlCode.CREATE_REGION, 1 << 20));
            ByteBuffer record = RawClient.buffer(proof.length + create.length + beats * Frame.HEADER);
            record.put(proof).put(create);
            for (int i = 0; i < beats; i++) record.put(RawClient.frame(Frame.BEAT, 0, 0, 2 + i, new byte[0]));
            raw.send(record.array());

            assertEquals(Frame.WELCOME, raw.read().kind());
            assertEquals(Frame.REPLY, raw.read().kind());
            for (int i = 0; i < beats; i++) assertEquals(2 + i, raw.read().sequence());
        }
    }

    /** Opens a TLS socket of the JDK, to be independent of Tidepool's own TLS code. */
    private static SSLSocket socket(int port, String version, String name) throws Exception {
        KeyStore own = KeyStore.getInstance(folder.resolve("ours.p12").toFile(), "only-for-the-test".toCharArray());
        KeyStore alone = KeyStore.getInstance("PKCS12");
        alone.load(null, null);
        alone.setKeyEntry(
                name, own.getKey(name, "only-for-the-test".toCharArray()), new char[0], own.getCertificateChain(name));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(alone, new char[0]);
        KeyStore believed = KeyStore.getInstance("PKCS12");
        believed.load(null, null);
        believed.setCertificateEntry("ours", own.getCertificate("ours"));
        TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
        others.init(believed);
        SSLContext context = SSLContext.getInstance(version);
        context.init(keys.getKeyManagers(), others.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    private static String sentence(String url) {
        return assertThrows(FabricException.class, () -> Fabric.open(url).close())
                .getMessage();
    }

    /** TLS to a plain node, and plain text to a TLS node: the client gets a message that says what helps. */
    @Test
    void aClientThatIsWrongAboutTlsIsToldSo() {
        String tls = "127.0.0.1:" + byToken.address().getPort();
        String atTls = "this node speaks TLS and nothing else: give tls=on&ca=FILE in the URL";
        String plainly = sentence("tcp://" + tls + "/bank");
        assertTrue(plainly.contains(atTls), plainly);
        awaitRefused(byToken, 1);
        try (MemoryServer plain = MemoryServer.start(NodeOptions.onLoopback("memory-1", 0, 16 << 20))) {
            String wrapped = sentence(url(plain, ""));
            assertTrue(
                    wrapped.contains("the node speaks no TLS: take tls=on out of the URL, or start the node with"
                            + " --tls-cert and --tls-key"),
                    wrapped);
            assertTrue(
                    plain.status().errors().stream()
                            .anyMatch(error -> error.contains("the client speaks TLS, and this node none")),
                    plain.status().errors().toString());
        }
        assertEquals(0, byToken.counters().value(NodeCounter.INTERNAL_ERRORS));
    }
}
