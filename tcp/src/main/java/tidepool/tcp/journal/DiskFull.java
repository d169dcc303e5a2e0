package tidepool.tcp.journal;

import java.io.IOException;

/** The disk has no space left for it. Nothing is lost that was kept before; it can be tried again. */
public final class DiskFull extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFull(String message, Throwable cause) {
        super(message, cause);
    }
}
