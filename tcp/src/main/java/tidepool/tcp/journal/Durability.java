package tidepool.tcp.journal;

import java.util.Locale;

/** What a FLUSH that was answered outlasts. */
public enum Durability {
    /** Nothing but what its memory outlasts. */
    NONE,
    /** The death of the node: the operating system has it. */
    FLUSH,
    /** A loss of power: it is on the disk. */
    STRICT;

    /** As it is written in settings. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
