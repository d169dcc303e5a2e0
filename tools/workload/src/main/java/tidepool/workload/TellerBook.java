package tidepool.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The total change of every account by one teller, in a mapped file. So it survives a kill of the teller at any
 * instruction, with at most one transaction in doubt.
 *
 * <pre>
 *    0       8       16                         64
 *    +-------+-------+--------------------------+------------------------------------------+
 *    | state | count | count × { place, total } | totals: a word for each place            |
 *    +-------+-------+--------------------------+------------------------------------------+
 * </pre>
 *
 * The entry holds the totals as they <em>will be</em>, not the amounts added to them. Copying it once more changes
 * nothing, so a teller that is killed while it copies leaves no doubt.
 */
public final class TellerBook implements AutoCloseable {
    private static final long NOTHING = 0;
    private static final long INTENDED = 1;
    private static final long HAPPENED = 2;

    private static final long STATE = 0;
    private static final long COUNT = 8;
    private static final long ENTRIES = 16;
    private static final long TOTALS = 64;
    private static final int MAX_ACCOUNTS = 3;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment book;
    private int count;

    private TellerBook(Path file, long bytes) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            book = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
        } catch (IOException e) {
            arena.close();
            throw new UncheckedIOException("the book cannot be opened: " + file, e);
        }
    }

    /** Opens a book with a total for each of this number of places. Creates an empty one if there is none. */
    public static TellerBook open(Path file, int places) {
        return new TellerBook(file, TOTALS + places * (long) Words.BYTES);
    }

    /** Discards all notes. Called when an attempt of a transaction begins. */
    void begin() {
        Words.volatileSet(book, STATE, NOTHING);
        count = 0;
    }

    /** Notes the change that the transaction is about to make to a place. */
    void note(int place, long cents) {
        Checks.invariant(count < MAX_ACCOUNTS, "a transaction of the bank changes three accounts at most");
        long at = entry(count++);
        Words.plain(book, at, place);
        Words.plain(book, at + Words.BYTES, total(place) + cents);
    }

    /** Called before the commit. From now on the transaction may happen. */
    void intend() {
        if (count == 0) return;
        Words.plain(book, COUNT, count);
        Words.volatileSet(book, STATE, INTENDED);
    }

    /** Called after the commit. The transaction has happened. */
    void happened() {
        if (count == 0) return;
        Words.volatileSet(book, STATE, HAPPENED);
        copy();
        Words.volatileSet(book, STATE, NOTHING);
    }

    private void copy() {
        for (int i = 0; i < Words.plain(book, COUNT); i++)
            Words.plain(book, totalAt(Words.plain(book, entry(i))), Words.plain(book, entry(i) + Words.BYTES));
    }

    /**
     * Returns the totals that a killed teller was sure of. Completes its last entry if that transaction had happened.
     */
    public long[] totals() {
        if (Words.volatileGet(book, STATE) == HAPPENED) {
            copy();
            Words.volatileSet(book, STATE, NOTHING);
        }
        long[] totals = new long[(int) ((book.byteSize() - TOTALS) / Words.BYTES)];
        for (int place = 0; place < totals.length; place++) totals[place] = total(place);
        return totals;
    }

    /** Returns the changes that may or may not have happened; empty if there is no doubt. */
    public List<Change> doubt() {
        List<Change> changes = new ArrayList<>();
        if (Words.volatileGet(book, STATE) != INTENDED) return changes;
        for (int i = 0; i < Words.plain(book, COUNT); i++) {
            int place = (int) Words.plain(book, entry(i));
            changes.add(new Change(place, Words.plain(book, entry(i) + Words.BYTES) - total(place)));
        }
        return changes;
    }

    /** The amount that a transaction adds to a place. */
    public record Change(int place, long cents) {}

    private long total(long place) {
        return Words.plain(book, totalAt(place));
    }

    private static long totalAt(long place) {
        return TOTALS + place * Words.BYTES;
    }

    private static long entry(int i) {
        return ENTRIES + i * 2L * Words.BYTES;
    }

    @Override
    public void close() {
        arena.close();
    }
}
