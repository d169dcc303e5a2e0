package tidepool.node.journal;

import java.io.IOException;

/** Thrown when the disk has no space left for a write. Everything kept before is intact, and a retry is allowed. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
