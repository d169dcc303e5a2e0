package tidepool.sim;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/**
 * The smallest record that proves by itself that it was read whole. READs and WRITEs tear, so every record format of
 * the engine has to give such a proof. This format is the reference that contract tests and the simulation use.
 *
 * <pre>
 *    0                8        16         24                        24 + 8·n
 *    +----------------+--------+----------+----------- - - ----------+----------+
 *    | INV 1 writer 63|  key   |  writer  |  value, n words          | checksum |
 *    +----------------+--------+----------+----------- - - ----------+----------+
 *    |      VER       |                 body                                    |
 * </pre>
 *
 * <p><b>Writing</b>, by the holder of the record's lock, takes three WRITEs in one round: VER = {INV, T}, the body, VER
 * = {0, T}. WRITE before WRITE is an order that costs nothing.
 *
 * <p><b>Reading</b> takes two READs in one round: the body, then VER. The image is accepted if the checksum of the body
 * is right and VER is {0, writer of the body}. The checksum alone would detect tearing. VER, read after it, makes sure
 * that the image is not only whole but finished: a reader that sees {INV, T} must not yet use T's body.
 */
public final class ReferenceRecord {
    /** Set in VER while the body is being replaced. */
    public static final long INVISIBLE = 1L << 63;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("version"), // INV 1, writer 63
                    U64.withName("key"), // lets a reader notice that it read another record
                    U64.withName("writer")) // the writer of this image; never used twice
            .withName("reference-record-header");

    public static final long VERSION = offset("version");
    public static final long KEY = offset("key");
    public static final long WRITER = offset("writer");
    public static final long VALUE = HEADER.byteSize();

    /** Offset of the body: everything but the version. */
    public static final long BODY = KEY;

    static {
        Checks.size(HEADER, 24);
        Checks.invariant(VERSION == 0 && BODY == Words.BYTES, "the version is a word of its own in front of the body");
    }

    private final int words;

    /** Records whose value has this number of words. */
    public ReferenceRecord(int words) {
        Checks.argument(words > 0, "a value has at least one word");
        this.words = words;
    }

    /** Returns the number of words of the value. */
    public int words() {
        return words;
    }

    /** Returns the bytes of a record in a region, and of its image here. */
    public long bytes() {
        return VALUE + (words + 1L) * Words.BYTES;
    }

    /** Makes an image here. Every word of the value is {@link #value} of writer and place. */
    public void fill(MemorySegment image, long at, long key, long writer) {
        Checks.argument(writer > 0, "writers have 63 bits and are not 0, which means never written");
        Words.plain(image, at + VERSION, writer);
        Words.plain(image, at + KEY, key);
        Words.plain(image, at + WRITER, writer);
        for (int i = 0; i < words; i++) Words.plain(image, at + VALUE + (long) i * Words.BYTES, value(writer, i));
        Words.plain(image, checksumAt(at), checksum(image, at));
    }

    /** Returns the word that {@link #fill} puts at the i-th place, so that a reader can tell which writer wrote it. */
    public static long value(long writer, int i) {
        return Checksum64.mix(writer, i);
    }

    /** Adds the three WRITEs to a round; the image belongs to the round until it completes. */
    public void write(Round round, Region region, long offset, MemorySegment image, long at) {
        round.write(region, offset + VERSION, INVISIBLE | Words.plain(image, at + WRITER))
                .write(region, offset + BODY, bytes() - BODY, image, at + BODY)
                .write(region, offset + VERSION, Words.plain(image, at + WRITER));
    }

    /** Adds the two READs to a round. */
    public void read(Round round, Region region, long offset, MemorySegment image, long at) {
        round.read(region, offset + BODY, bytes() - BODY, image, at + BODY)
                .read(region, offset + VERSION, Words.BYTES, image, at + VERSION);
    }

    /** Result of reading a record. */
    public enum View {
        /** The image is whole and finished. */
        WHOLE,
        /** The body is a mixture of two images: read everything again. */
        TORN,
        /** The body is whole, but the version belongs to another writer or has INV set: read again. */
        UNFINISHED,
        /** No writer has written the record yet. */
        EMPTY
    }

    /** Checks an image that has landed. */
    public View view(MemorySegment image, long at) {
        long version = Words.plain(image, at + VERSION);
        long writer = Words.plain(image, at + WRITER);
        long checksum = Words.plain(image, checksumAt(at));
        if (version == 0 && writer == 0 && checksum == 0) return View.EMPTY;
        if (checksum != checksum(image, at)) return View.TORN;
        return version == writer ? View.WHOLE : View.UNFINISHED;
    }

    private long checksumAt(long at) {
        return at + VALUE + (long) words * Words.BYTES;
    }

    private long checksum(MemorySegment image, long at) {
        return Checksum64.of(image, at + BODY, VALUE - BODY + (long) words * Words.BYTES, words);
    }

    private static long offset(String field) {
        return HEADER.byteOffset(MemoryLayout.PathElement.groupElement(field));
    }
}
