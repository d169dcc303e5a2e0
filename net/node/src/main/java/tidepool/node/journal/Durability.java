package tidepool.node.journal;

import java.util.Locale;

/** The failures that an answered FLUSH survives. */
public enum Durability {
    /** Only failures that the node's memory survives. */
    NONE,
    /** The death of the node's process: the operating system has the data. */
    FLUSH,
    /** A loss of power: the data is on the disk. */
    STRICT;

    /** Returns the name that is used in settings. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
