package tidepool.node;

import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.wire.ControlStatus;

/** The answer to a control call: words, a text, or the reason of a refusal. */
final class ControlReply {
    private static final long[] NO_WORDS = {};

    private final int status;
    private final long[] words;
    private final String text;

    private ControlReply(int status, long[] words, String text) {
        this.status = status;
        this.words = words;
        this.text = text;
    }

    static ControlReply done() {
        return new ControlReply(ControlStatus.DONE, NO_WORDS, null);
    }

    static ControlReply of(long... words) {
        return new ControlReply(ControlStatus.DONE, words, null);
    }

    static ControlReply text(String text) {
        return new ControlReply(ControlStatus.DONE, null, text);
    }

    static ControlReply refused(int status, String sentence) {
        return new ControlReply(status, null, sentence);
    }

    static ControlReply of(MemoryNodeException e) {
        int status =
                switch (e.reason()) {
                    case KEY -> ControlStatus.KEY;
                    case FULL -> ControlStatus.FULL;
                    case ARGUMENT -> ControlStatus.ARGUMENT;
                    case CORRUPT -> ControlStatus.CORRUPT;
                    case BUSY -> ControlStatus.BUSY;
                };
        return refused(status, e.getMessage());
    }

    /** Makes the answer for a file that could not be made or mapped. */
    static ControlReply of(FabricException e) {
        return refused(ControlStatus.FULL, e.getMessage());
    }

    int status() {
        return status;
    }

    /** Returns null if the answer is a text. */
    long[] words() {
        return words;
    }

    String text() {
        return text;
    }
}
