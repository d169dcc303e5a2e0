package tidepool.wire.tls;

import java.io.IOException;

/** Thrown when the other end of a TLS connection sends something else than TLS. */
public final class NotTls extends IOException {
    private static final long serialVersionUID = 1L;

    NotTls(String message) {
        super(message);
    }
}
