package tidepool.node;

import java.nio.ByteBuffer;
import java.util.Arrays;
import tidepool.fabric.VerbKind;

/** The verbs of a round, as bytes. */
final class Verbs {
    private final ByteBuffer body = RawClient.buffer(1 << 20);
    int count;

    Verbs read(long handle, long offset, long length) {
        return verb(VerbKind.READ, handle, offset, length);
    }

    Verbs write(long handle, long offset, long... words) {
        verb(VerbKind.WRITE, handle, offset, words.length * 8L);
        for (long word : words) body.putLong(word);
        return this;
    }

    Verbs cas(long handle, long offset, long expected, long desired) {
        return verb(VerbKind.CAS, handle, offset, expected, desired);
    }

    Verbs faa(long handle, long offset, long delta) {
        return verb(VerbKind.FAA, handle, offset, delta);
    }

    Verbs maskedCas(long handle, long offset, long expected, long compare, long desired, long swap) {
        return verb(VerbKind.MASKED_CAS, handle, offset, expected, compare, desired, swap);
    }

    Verbs maskedFaa(long handle, long offset, long delta, long tops) {
        return verb(VerbKind.MASKED_FAA, handle, offset, delta, tops);
    }

    Verbs flush() {
        return verb(VerbKind.FLUSH, 0, 0);
    }

    Verbs call(long handler, long room, long... request) {
        verb(VerbKind.CALL, handler, request.length * 8L, room);
        for (long word : request) body.putLong(word);
        return this;
    }

    Verbs chain(long handle, long offset) {
        return verb(VerbKind.CHAIN, handle, offset);
    }

    Verbs verb(VerbKind kind, long handle, long... words) {
        body.putLong(kind.ordinal() + 1 | handle << 16);
        for (long word : words) body.putLong(word);
        count++;
        return this;
    }

    /** Adds to the handle of a single verb on a region, because the link was opened again. */
    void move(long by) {
        int kind = body.get(0) - 1;
        if (kind != VerbKind.CALL.ordinal()) body.putLong(0, body.getLong(0) + (by << 16));
    }

    byte[] bytes() {
        return Arrays.copyOf(body.array(), body.position());
    }
}
