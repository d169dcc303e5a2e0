package tidepool.wire.tls;

import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import tidepool.base.Clock;
import tidepool.wire.Transport;
import tidepool.wire.Transports;

/**
 * Transports over TLS 1.3, and no older version, from PEM files, by the JDK alone. Changed files are read again for
 * later connections.
 */
public final class TlsTransports implements Transports {
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final TlsFiles files;
    private final ReloadingFile<SSLContext> context;

    private TlsTransports(TlsFiles files, Clock clock) {
        this.files = files;
        this.context = new ReloadingFile<>(files.all(), files::context, clock);
    }

    /**
     * Returns the transports of a node. Clients have to present a certificate if {@code clientCa} is given.
     *
     * @param clientCa certificates of the authorities that sign for clients; null if clients use tokens
     */
    public static TlsTransports forNode(Path certificate, Path key, Path clientCa) {
        return forNode(certificate, key, clientCa, Clock.system());
    }

    /** Returns the transports of a node; by this clock, files are checked for changes at most once a second. */
    public static TlsTransports forNode(Path certificate, Path key, Path clientCa, Clock clock) {
        if (certificate == null || key == null)
            throw new CredentialsException("a node speaks TLS with a certificate and its key");
        return new TlsTransports(new TlsFiles(clientCa, certificate, key), clock);
    }

    /**
     * Returns the transports of a client.
     *
     * @param ca certificates of the authorities that sign for nodes
     * @param certificate the certificate of the client, or null if it uses a token
     */
    public static TlsTransports forClient(Path ca, Path certificate, Path key) {
        if (ca == null)
            throw new CredentialsException("a client speaks TLS with the certificates of those who vouch for nodes");
        return new TlsTransports(new TlsFiles(ca, certificate, key), Clock.system());
    }

    @Override
    public Transport accepted(SocketChannel channel) {
        SSLEngine engine = context.value().createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setNeedClientAuth(files.ca() != null);
        return new TlsTransport(engine, channel);
    }

    @Override
    public Transport connected(SocketChannel channel, String host, int port) {
        SSLEngine engine = context.value().createSSLEngine(host.replaceAll("[\\[\\]]", ""), port); // [::1] is ::1
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(PROTOCOLS);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 2818: the certificate must name the host
        engine.setSSLParameters(parameters);
        return new TlsTransport(engine, channel);
    }

    @Override
    public String toString() {
        return "TLS 1.3 with " + files.all();
    }
}
