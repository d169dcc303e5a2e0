package tidepool.tcp.secure;

import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import tidepool.base.Clock;
import tidepool.tcp.wire.Transport;
import tidepool.tcp.wire.Transports;

/**
 * TLS 1.3 and nothing older, from PEM files, by the JDK alone. Files that change are read again for the connections that
 * come afterwards.
 */
public final class TlsTransports implements Transports {
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final TlsFiles files;
    private final Following<SSLContext> context;

    private TlsTransports(TlsFiles files, Clock clock) {
        this.files = files;
        this.context = new Following<>(files.all(), files::context, clock);
    }

    /**
     * A node's. Clients have to show a certificate if {@code clientCa} is given.
     *
     * @param clientCa who vouches for clients; null if they come with tokens
     */
    public static TlsTransports forNode(Path certificate, Path key, Path clientCa) {
        return forNode(certificate, key, clientCa, Clock.system());
    }

    /** By this clock, files are looked at no more than once a second. */
    public static TlsTransports forNode(Path certificate, Path key, Path clientCa, Clock clock) {
        if (certificate == null || key == null)
            throw new CredentialsException("a node speaks TLS with a certificate and its key");
        return new TlsTransports(new TlsFiles(clientCa, certificate, key), clock);
    }

    /**
     * A client's.
     *
     * @param ca who vouches for nodes
     * @param certificate what the client shows, or null if it comes with a token
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
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 2818: the name in the certificate is the host's
        engine.setSSLParameters(parameters);
        return new TlsTransport(engine, channel);
    }

    @Override
    public String toString() {
        return "TLS 1.3 with " + files.all();
    }
}
