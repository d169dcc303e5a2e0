package tidepool.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Authorities and certificates for the duration of a test: made by the JDK's keytool in a folder, written as PEM files.
 * The sources contain no key.
 */
public final class TestCertificates {
    private static final String PASSWORD = "only-for-the-test";

    private final Path folder;

    public TestCertificates(Path folder) {
        this.folder = folder;
    }

    /** Creates an authority of this name; its certificate is in NAME.pem. */
    public TestCertificates authority(String name) {
        keytool(name, name, List.of("-dname", "CN=" + name, "-ext", "bc:c", "-validity", "2"));
        writeAll(name, name);
        return this;
    }

    /** Creates a certificate that the authority signs and that is valid today: NAME.pem and NAME.key. */
    public TestCertificates signed(String authority, String name) {
        return signed(authority, name, List.of("-validity", "2"));
    }

    /** Creates a certificate that the authority signs and that expired yesterday. */
    public TestCertificates expired(String authority, String name) {
        return signed(authority, name, List.of("-startdate", "-3d", "-validity", "2"));
    }

    private TestCertificates signed(String authority, String name, List<String> when) {
        List<String> options = new ArrayList<>(List.of("-signer", authority, "-signerkeypass", PASSWORD));
        options.addAll(List.of("-dname", "CN=" + name + ", O=Test", "-ext", "san=dns:localhost,ip:127.0.0.1"));
        options.addAll(when);
        keytool(authority, name, options);
        writeAll(authority, name);
        return this;
    }

    public Path certificate(String name) {
        return folder.resolve(name + ".pem");
    }

    public Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private void keytool(String store, String alias, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-keystore", store(store).toString(), "-storepass", PASSWORD, "-alias", alias));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(options);
        try (ChildProcess process =
                ChildProcess.program(command.toArray(String[]::new)).merged().start()) {
            String said = process.rest();
            if (process.exitCode() != 0) throw new IllegalStateException("keytool: " + said);
        }
    }

    private Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    private void writeAll(String store, String name) {
        try (InputStream in = Files.newInputStream(store(store))) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            StringBuilder chain = new StringBuilder();
            for (Certificate one : keys.getCertificateChain(name)) chain.append(pem("CERTIFICATE", one.getEncoded()));
            PrivateFiles.write(certificate(name), chain.toString(), "rw-r--r--");
            byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
            PrivateFiles.write(key(name), pem("PRIVATE KEY", key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }
}
