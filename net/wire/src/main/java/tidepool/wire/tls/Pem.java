package tidepool.wire.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Reads certificates and keys from PEM files, as openssl and most other tools write them (RFC 7468). */
public final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";

    private Pem() {}

    /** Returns all certificates of a file, in its order: a chain begins with the certificate of the key. */
    public static List<X509Certificate> certificates(Path file, String what) {
        byte[] text = SecretFile.readPublic(file, what);
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] block : blocks(text, "CERTIFICATE", file))
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
        } catch (CertificateException e) {
            throw new CredentialsException(what + " " + file + " has something that is no certificate", e);
        }
        if (certificates.isEmpty())
            throw new CredentialsException(what + " " + file + " has no certificate in PEM form");
        return certificates;
    }

    /** Returns the private key of a certificate: PKCS#8, not encrypted, in a file that only its owner may read. */
    static PrivateKey key(Path file, X509Certificate certificate) {
        byte[] text = SecretFile.read(file, "the key file");
        List<byte[]> blocks = blocks(text, "PRIVATE KEY", file);
        try {
            if (blocks.size() != 1)
                throw new CredentialsException("the key file " + file + " has no plain PKCS#8 key in PEM form; say:"
                        + " openssl pkcs8 -topk8 -nocrypt -in THE-KEY -out " + file);
            PublicKey itsPublicKey = certificate.getPublicKey();
            PrivateKey key = KeyFactory.getInstance(itsPublicKey.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(blocks.getFirst()));
            if (!belongTogether(key, itsPublicKey))
                throw new CredentialsException("the key in " + file + " belongs to another certificate");
            return key;
        } catch (GeneralSecurityException e) {
            // The cause is left out: its text may contain parts of the key.
            throw new CredentialsException("the key file " + file + " has no key that fits the certificate");
        } finally {
            Arrays.fill(text, (byte) 0);
            for (byte[] block : blocks) Arrays.fill(block, (byte) 0);
        }
    }

    /** Returns the last part of the subject with the type CN; null if there is none. */
    public static String commonName(X509Certificate certificate) {
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns()
                    .reversed())
                if (part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String name) return name;
            return null;
        } catch (InvalidNameException e) {
            return null;
        }
    }

    private static boolean belongTogether(PrivateKey key, PublicKey itsPublicKey) throws GeneralSecurityException {
        String algorithm =
                switch (itsPublicKey.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> itsPublicKey.getAlgorithm();
                };
        byte[] message = new byte[32];
        new SecureRandom().nextBytes(message);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(itsPublicKey);
        signature.update(message);
        return signature.verify(signed);
    }

    /** Returns the decoded blocks between BEGIN and END of this label. Skips other labels. */
    private static List<byte[]> blocks(byte[] text, String label, Path file) {
        List<byte[]> blocks = new ArrayList<>();
        String all = new String(text, StandardCharsets.ISO_8859_1);
        String begin = BEGIN + label + "-----";
        String end = END + label + "-----";
        for (int at = all.indexOf(begin); at >= 0; at = all.indexOf(begin, at + 1)) {
            int to = all.indexOf(end, at);
            if (to < 0) throw new CredentialsException(file + " ends before " + end);
            try {
                blocks.add(Base64.getMimeDecoder().decode(all.substring(at + begin.length(), to)));
            } catch (IllegalArgumentException e) {
                // The cause is left out: it may quote the text.
                throw new CredentialsException(
                        file + " has something between " + begin + " and its end that is no base64");
            }
        }
        return blocks;
    }
}
