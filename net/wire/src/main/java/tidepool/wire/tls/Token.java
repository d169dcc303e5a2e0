package tidepool.wire.tls;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret shared by a client and a node. It signs messages, and its text form does not contain it. */
public final class Token {
    private static final String HMAC = "HmacSHA256";

    private final byte[] secret;

    public Token(byte[] secret) {
        this.secret = secret.clone();
    }

    public static Token of(String text) {
        return new Token(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the HMAC-SHA256 of the message. */
    public byte[] sign(byte[] message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            return mac.doFinal(message);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }

    /** Compares two tokens in a time that does not depend on where they differ. */
    public boolean isSame(Token other) {
        return MessageDigest.isEqual(secret, other.secret);
    }

    @Override
    public String toString() {
        return "token (hidden)";
    }
}
