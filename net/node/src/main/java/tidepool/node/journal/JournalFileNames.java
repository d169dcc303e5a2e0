package tidepool.node.journal;

import java.util.List;
import java.util.Locale;
import tidepool.wire.Shortfall;

/** The names of the files of a journal. A file under construction has a temporary name until it is whole. */
final class JournalFileNames {
    static final String IDENTITY = "identity";
    static final String PLACE = "place";
    static final String END = Shortfall.END_FILE;
    private static final String SEGMENT = Shortfall.SEGMENT_PREFIX;
    private static final String CHECKPOINT = "checkpoint-";
    private static final String UNFINISHED = ".new";

    private JournalFileNames() {}

    static String segment(long number) {
        return Shortfall.segmentFile(number);
    }

    static String checkpoint(long firstBlock) {
        return CHECKPOINT + String.format(Locale.ROOT, "%016x", firstBlock);
    }

    static String unfinished(String name) {
        return name + UNFINISHED;
    }

    static boolean isUnfinished(String name) {
        return name.endsWith(UNFINISHED);
    }

    /** Returns the numbers of all segments, the oldest first. */
    static List<Long> segments(List<String> names) {
        return numbers(names, SEGMENT);
    }

    /** Returns the numbers of all checkpoints, the oldest first. */
    static List<Long> checkpoints(List<String> names) {
        return numbers(names, CHECKPOINT);
    }

    private static List<Long> numbers(List<String> names, String prefix) {
        return names.stream()
                .filter(name -> name.startsWith(prefix)
                        && name.substring(prefix.length()).matches("[0-9a-f]{16}"))
                .map(name -> Long.parseUnsignedLong(name.substring(prefix.length()), 16))
                .sorted()
                .toList();
    }
}
