package tidepool.wire;

import java.util.Locale;

/**
 * A start at which a journal was shorter than what the node had acknowledged, or could not prove that it was not.
 *
 * @param at the node's losses of power, that start included; 0 for {@link #NONE}
 * @param segment the file in which the journal ended
 * @param sequence the last block that was there
 * @param acknowledged the last block that had been acknowledged; 0 if the record of it was gone or damaged
 */
public record Shortfall(long at, long segment, long sequence, long acknowledged) {
    /** The journal was never found shorter. */
    public static final Shortfall NONE = new Shortfall(0, 0, 0, 0);

    /** The file with the record of what was acknowledged. */
    public static final String END_FILE = "end";

    /** The beginning of the name of each file of a journal. */
    public static final String SEGMENT_PREFIX = "segment-";

    public boolean isNone() {
        return at == 0;
    }

    /** Returns the name of the file in which the journal ended. */
    public String file() {
        return segmentFile(segment);
    }

    /** Returns the name of a file of a journal by its number. */
    public static String segmentFile(long number) {
        return String.format(Locale.ROOT, "%s%016x", SEGMENT_PREFIX, number);
    }

    /** Returns the message about the fault for a journal in this folder. */
    public String text(String folder) {
        String ends = String.format(Locale.ROOT, "ends at block %d, in %s/%s", sequence, folder, file());
        return "the journal is shorter than what this node has acknowledged, or cannot prove that it is not: it " + ends
                + (acknowledged == 0
                        ? ", and the record of what was acknowledged is gone or damaged: " + folder + "/" + END_FILE
                        : acknowledged > sequence
                                ? ", and block " + acknowledged + " was acknowledged"
                                : ", and block " + acknowledged + " is not the one that was acknowledged");
    }
}
