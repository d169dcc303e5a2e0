package tidepool.tcp.secure;

import java.io.IOException;

/** The other end of a connection that is to be TLS sends something else. */
public final class NotTls extends IOException {
    private static final long serialVersionUID = 1L;

    NotTls(String message) {
        super(message);
    }
}
