package tidepool.protocol.motor;

import tidepool.store.TableInfo;

/** One row that a transaction reads or writes, while its version is looked for or made. */
public final class Row {
    /** What a write does. */
    public enum Write {
        NONE,
        UPDATE,
        INSERT,
        DELETE
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

    /** Local memory of the structure for this row. */
    public long side;

    /** Who has written the selected version. */
    public long writer;

    public Write write;

    /** Of the structure: the cell that was selected, how far a walk is, what is to be written. */
    public int selected;

    public int at;
    public long deltaBytes;
    public long deltaOffset;

    Row() {}
}
