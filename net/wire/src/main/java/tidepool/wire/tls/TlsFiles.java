package tidepool.wire.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The files of one end of TLS: its own certificate and the authorities that it trusts.
 *
 * @param ca certificates of the authorities that sign for the other end; null at a node that asks for no certificates
 * @param certificate the certificate of this end, followed by the intermediate certificates up to the authority; null
 *     for none
 * @param key belongs to the certificate
 */
public record TlsFiles(Path ca, Path certificate, Path key) {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final String PROTOCOL = "TLSv1.3";

    public TlsFiles {
        if ((certificate == null) != (key == null))
            throw new CredentialsException("a certificate and its key are given together, or neither");
    }

    List<Path> all() {
        return Stream.of(ca, certificate, key).filter(Objects::nonNull).toList();
    }

    SSLContext context() {
        try {
            KeyManagerFactory mine = null;
            if (certificate != null) {
                mine = KeyManagerFactory.getInstance("PKIX");
                mine.init(shown(), NO_PASSWORD);
            }
            TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
            others.init(ca == null ? empty() : believed());
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(mine == null ? null : mine.getKeyManagers(), others.getTrustManagers(), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new CredentialsException("TLS cannot be set up with " + all() + ": " + e.getMessage(), e);
        }
    }

    /**
     * The password of the key store. The store exists only in the memory of this process, so a password would protect
     * nothing.
     */
    private static final char[] NO_PASSWORD = new char[0];

    private KeyStore shown() throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = Pem.certificates(certificate, "the certificate file");
        X509Certificate own = chain.getFirst();
        if (own.getNotAfter().toInstant().isBefore(Instant.now()))
            LOG.log(System.Logger.Level.WARNING, "the certificate in {0} ended on {1}", certificate, own.getNotAfter());
        KeyStore store = empty();
        store.setKeyEntry("own", Pem.key(key, own), NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        return store;
    }

    private KeyStore believed() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (X509Certificate one : Pem.certificates(ca, "the file of authorities"))
            store.setCertificateEntry("ca" + number++, one);
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
