package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.schema.Schema;
import tidepool.store.RowFormat;
import tidepool.store.TableLayout;

/**
 * A structure of versions: how the versions of a row lie in memory, are read and are written. The protocol locks the
 * object in the slot and reads it. The rest of a row is its side. Tuples need one more trip for it, chains as many as
 * they have to walk.
 *
 * <pre>
 *   reading    the object has landed      {@link #select}: is the wanted version there, absent, or gone?
 *              a trip, perhaps several    {@link #addReads}, awaited, {@link #accept}: until it says DONE or AGAIN
 *   writing    all locks are held         {@link #prepare}: the new object and the new side
 *              the commit trip            {@link #addWrites}: on every copy, the side before the object
 *   undoing    after a crash              {@link #undo}: the old side, before the object is restored
 * </pre>
 *
 * For one strand or thread. Rows are its working memory, made once and used again.
 */
public interface VersionStructure {
    /** A snapshot that is newer than every version, to select the newest version. */
    long NEWEST = Long.MAX_VALUE;

    /** State of a version according to the object. */
    enum Selected {
        /** The version exists: its value is to be read. */
        VALUE,
        /** The row was not there in that snapshot: not yet, or no more. */
        ABSENT,
        /** The version has been overwritten: the snapshot is too old. */
        GONE
    }

    /** State of the reading of a value. */
    enum ReadState {
        DONE,
        /** Another trip is needed. What to read follows from what has landed. */
        MORE,
        /** Something that has landed does not belong to the object that was read: the object is read again. */
        AGAIN
    }

    /** Returns how rows of a table are laid out with this structure. */
    RowFormat format(Schema schema);

    /** Selects the newest version up to a snapshot from the object that has landed and is whole. */
    Selected select(VersionedRow row, long snapshot);

    /** Adds the READs of the next trip for the value of the selected version. */
    void addReads(Round round, VersionedRow row);

    /**
     * Adds a READ of the whole side, after the READ of the object in the same round. So a row that other transactions
     * write again and again is read between two of their writes. Afterwards {@link #addReads} adds nothing.
     */
    void addReadsOfAll(Round round, VersionedRow row);

    /** Checks what has landed. */
    ReadState accept(VersionedRow row);

    /** Returns the newest commit timestamp in the object that has landed; 0 if there is none. */
    long newest(VersionedRow row);

    /** Called when the row is locked and new: its value begins as zeros. */
    void startEmpty(VersionedRow row);

    /**
     * Called when the row is locked and its value was read. From here on the application changes a copy of the value.
     */
    void startChanging(VersionedRow row);

    /**
     * Makes the new version: a value that was changed in place, a new row, or a tombstone. The row is locked and,
     * unless it is new, its newest value was read. Versions that the new one overwrites are also removed from the old
     * object, because the old object is restored if the new version is undone.
     *
     * @return whether the old object has lost versions
     */
    boolean prepare(VersionedRow row, long stamp, long writer);

    /** Adds the WRITEs of the side, on one copy. The WRITE of the object follows them on the same link. */
    void addWrites(Round round, VersionedRow row, int node);

    /**
     * Restores the side of a row, on one copy. No other session uses the row. A repeated call changes nothing. Waits
     * for the answers.
     *
     * @param table of the row
     * @param pointer to its object
     * @param image where the old object (VER, body) lies in a log
     * @param stamp with which the version was to be written
     * @param copy which copy
     */
    void undo(Round round, TableLayout table, long pointer, MemorySegment log, long image, long stamp, int copy);
}
