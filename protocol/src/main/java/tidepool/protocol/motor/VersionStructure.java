package tidepool.protocol.motor;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.store.RowFormat;
import tidepool.store.TableInfo;
import tidepool.store.schema.Schema;

/**
 * How the versions of a row lie in memory, are read and are written. The protocol locks the object in the slot and reads it;
 * from there on it asks. Tuples answer in one more trip, chains in as many as they have to walk.
 *
 * <pre>
 *   reading    the object has landed      {@link #select}: is the wanted version there, absent, or gone?
 *              a trip, perhaps several    {@link #addReads}, awaited, {@link #accept}: until it says DONE or AGAIN
 *   writing    all locks are held         {@link #prepare}: the object, and what lies beside it, as they shall be
 *              the commit trip            {@link #addWrites}: on every copy, what is beside before the object
 *   undoing    after a crash              {@link #undo}: what is beside, as it was, before the object is put back
 * </pre>
 *
 * For one strand or thread; rows are its working memory, made once and used again.
 */
public interface VersionStructure {
    /** A snapshot that is newer than everything: the newest version is wanted. */
    long NEWEST = Long.MAX_VALUE;

    /** What a look at the object says about a version. */
    enum Selected {
        /** There is such a version: its value is to be read. */
        VALUE,
        /** The row was not there in that snapshot: not yet, or no more. */
        ABSENT,
        /** The version has been overwritten: the snapshot is too old. */
        GONE
    }

    /** How far the reading of a value is. */
    enum Step {
        DONE,
        /** Another trip is needed: what to read follows from what has landed. */
        MORE,
        /** Something does not belong to the object that was read: the object is read again. */
        AGAIN
    }

    /** How rows of a table are laid out with this structure. */
    RowFormat format(Schema schema);

    /** Chooses the newest version up to a snapshot from the object that has landed; it is whole. */
    Selected select(Row row, long snapshot);

    /** Adds the READs of the next trip for the value of the version that was selected. */
    void addReads(Round round, Row row);

    /**
     * Adds a READ of everything that lies beside the object, behind the READ of the object in the same round. So a row that others
     * write again and again is read between two of them. Afterwards {@link #addReads} adds nothing.
     */
    void addReadsOfAll(Round round, Row row);

    /** Looks at what has landed. */
    Step accept(Row row);

    /** The newest commit timestamp in the object that has landed; 0 if there is none. */
    long newest(Row row);

    /** The row is locked and new: its value begins as zeros. */
    void startEmpty(Row row);

    /** The row is locked and its value was read: from here on the application changes a copy of it. */
    void startChanging(Row row);

    /**
     * Makes the new version: a value that was changed in place, a new row, or a tombstone. The row is locked and, unless it is
     * new, its newest value was read. Versions that go with it are also taken out of the object as it was, because that is what
     * is put back if the new version is undone.
     *
     * @return whether the object as it was has lost versions
     */
    boolean prepare(Row row, long stamp, long writer);

    /** Adds the WRITEs of everything beside the object, on one copy; the WRITE of the object follows them on the same link. */
    void addWrites(Round round, Row row, int node);

    /**
     * Takes back what is beside an object, on one copy. Nobody else uses the row. Done again, it changes nothing. Waits.
     *
     * @param table of the row
     * @param pointer to its object
     * @param image where the object (VER, body) lies in a log as it was before
     * @param stamp with which the version was to be written
     * @param copy which copy
     */
    void undo(Round round, TableInfo table, long pointer, MemorySegment log, long image, long stamp, int copy);
}
