package tidepool.fuzz;

import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalHarness;

/**
 * A journal is recovered, or refused with the reason. The input is whether its bytes are a checkpoint, whether they are
 * the entries of a block whose checksum fits, whether there is a file header; then the bytes.
 */
final class JournalTarget implements FuzzTarget {
    private final JournalHarness harness = new JournalHarness();

    @Override
    public void feed(byte[] input) {
        Bytes from = new Bytes(input);
        int flags = from.u8();
        try {
            harness.recover((flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, from.rest());
        } catch (JournalException e) {
            Finding.unless(e.reason() != JournalException.Reason.FAILED, "a disk that cannot fail has: " + e);
        }
    }
}
