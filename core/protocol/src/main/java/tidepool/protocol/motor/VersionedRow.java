package tidepool.protocol.motor;

import tidepool.store.TableLayout;

/** A row that a transaction reads or writes, while its version is selected or made. */
public final class VersionedRow {
    /** Kinds of writes. */
    public enum Write {
        NONE,
        UPDATE,
        INSERT,
        DELETE,
        /** A row that one transaction has made and deleted. */
        NEVER
    }

    public TableLayout table;
    public long key;

    /** Where its object lies in the pool. */
    public long pointer;

    /** Where the object (LOCK, VER, body) has landed here. */
    public long landed;

    /** Where the new body of the object is made; -1 for rows that are only read. */
    public long staged;

    /** Where the value of the selected version is, once it has landed: the application sees and changes it. */
    public long value;

    /** Local memory of the structure for this row; -1 before it has any. */
    public long side;

    public long sideBytes;

    /** The transaction that has written the selected version. */
    public long writer;

    public Write write;

    /** Whether the value of the selected version has been read, and need not be read again. */
    public boolean read;

    /** The whole side was read after the object, in one round. */
    public boolean together;

    // ---- state of the structure

    /** The selected version. */
    public int selected;

    /** Whether the newest of all versions was asked for: then nothing is to be undone. */
    public boolean newest;

    /** Progress of a walk over a chain, or number of deltas that were read at once. */
    public int walked;

    /** The delta that is to be written: its bytes, and its offset. */
    public long deltaBytes;

    public long deltaOffset;

    VersionedRow() {}

    /** Returns whether the written version has a value; a tombstone has none. */
    public boolean hasValue() {
        return write == Write.INSERT || write == Write.UPDATE;
    }

    /** Takes over a row that was read, with its changes. */
    void goOn(VersionedRow earlier) {
        table = earlier.table;
        key = earlier.key;
        pointer = earlier.pointer;
        landed = earlier.landed;
        staged = earlier.staged;
        value = earlier.value;
        side = earlier.side;
        sideBytes = earlier.sideBytes;
        writer = earlier.writer;
        selected = earlier.selected;
        newest = earlier.newest;
        walked = earlier.walked;
        together = false;
        read = true;
    }
}
