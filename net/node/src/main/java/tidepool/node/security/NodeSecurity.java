package tidepool.node.security;

import java.nio.file.Path;
import tidepool.wire.Transports;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.TlsTransports;

/** The authenticator and transports of a node, made from the files that its operator names. */
public record NodeSecurity(ClientAuthenticator authenticator, Transports transports) {
    /** No authentication: for nodes that listen on loopback alone. */
    public static final NodeSecurity OPEN = new NodeSecurity(ClientAuthenticator.OPEN, Transports.PLAIN);

    /**
     * Returns the security for the given files, each of which may be null.
     *
     * <pre>
     *   credentials   certificate, key   clientCa     clients come with        travels
     *   -             -                  -            nothing                  in the clear
     *   given         -                  -            a token                  in the clear, but for the token
     *   given         given              -            a token                  in TLS
     *   given         given              given        a certificate            in TLS
     * </pre>
     */
    public static NodeSecurity of(Path credentials, Path certificate, Path key, Path clientCa) {
        if ((certificate == null) != (key == null))
            throw new CredentialsException("a certificate and its key are given together, or neither");
        if (clientCa != null && certificate == null)
            throw new CredentialsException(
                    "certificates of clients need TLS: give the node a certificate and a key too");
        if (credentials == null) {
            if (certificate != null)
                throw new CredentialsException("TLS alone lets everybody in: give the node a credentials file too");
            return OPEN;
        }
        ClientAuthenticator authenticator = clientCa == null
                ? TokenFileAuthenticator.open(credentials)
                : CertificateAuthenticator.open(credentials);
        return new NodeSecurity(
                authenticator,
                certificate == null ? Transports.PLAIN : TlsTransports.forNode(certificate, key, clientCa));
    }
}
