package tidepool.protocol.motor;

import tidepool.store.TableInfo;

/** One row that a transaction reads or writes, while its version is looked for or made. */
public final class Row {
    /** What a write does. */
    public enum Write {
        NONE,
        UPDATE,
        INSERT,
        DELETE,
        /** A row that the same transaction has made and deleted. */
        NEVER
    }

    public TableInfo table;
    public long key;

    /** Where its object lies. */
    public long pointer;

    /** Where the object (LOCK, VER, body) has landed here. */
    public long landed;

    /** Where the body of the object as it shall be is made; -1 of rows that are only read. */
    public long staged;

    /** Where the value of the selected version is, once it is there: what the application sees and changes. */
    public long value;

    /** Local memory of the structure for this row; -1 before it has any. */
    public long side;

    public long sideBytes;

    /** Who has written the selected version. */
    public long writer;

    public Write write;

    /** Whether the value of the selected version has been read, and so need not be again. */
    public boolean read;

    /** Everything beside the object was read behind it, in one round. */
    public boolean together;

    // ---- of the structure

    /** The version that was selected. */
    public int selected;

    /** Whether the newest of all was asked for: then nothing is to be undone. */
    public boolean newest;

    /** How far a walk is, or how much was read at once. */
    public int walked;

    /** What is to be written beside the object: how much, and where. */
    public long deltaBytes;

    public long deltaOffset;

    Row() {}

    /** Whether the version that is written has a value; a tombstone has none. */
    public boolean hasValue() {
        return write == Write.INSERT || write == Write.UPDATE;
    }

    /** Takes over a row that was read, with what was made of it. */
    void goOn(Row earlier) {
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
